package soak

import (
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"descbench/eval/must"
)

// faults are what may happen at system calls that write, rename or remove: a kill, and an
// error that a disk or a file system may give.
var faults = map[string][]string{
	"write":     {"signal=KILL", "error=ENOSPC"},
	"pwrite64":  {"signal=KILL", "error=ENOSPC"},
	"fsync":     {"signal=KILL", "error=EIO"},
	"renameat":  {"signal=KILL", "error=ENOSPC"},
	"linkat":    {"signal=KILL", "error=EPERM"}, // as on a file system without hard links
	"unlinkat":  {"signal=KILL", "error=EIO"},
	"mkdirat":   {"signal=KILL", "error=ENOSPC"},
	"ftruncate": {"signal=KILL", "error=EIO"},
	"utimensat": {"signal=KILL", "error=EPERM"},
	"unlink":    {"signal=KILL", "error=EIO"}, // SQLite's
	"fdatasync": {"signal=KILL", "error=EIO"},
}

func TestFaultsAtSystemCallsLoseNothing(t *testing.T) {
	if out, err := exec.Command("strace", "-o", os.DevNull, "true").CombinedOutput(); err != nil {
		t.Skipf("no strace (Debian package), or it may not trace: %v %s", err, out)
	}
	scenes := workFolder(t)
	makeScenes(t, scenes, 2)
	archive := serveScenes(t, filepath.Join(scenes, "scenes"))
	for i, s := range allSeries {
		if s.beside != "" {
			continue
		}
		t.Run(strings.ReplaceAll(s.name, " ", "_"), func(t *testing.T) {
			t.Parallel()
			s.command = strings.ReplaceAll(s.command, "URL", archive)
			w := &workshop{series: s, dir: workFolder(t), random: rand.New(rand.NewPCG(*seed, uint64(i)))}
			w.setUp(t, scenes)
			w.inject(t, max(1, *allFaults/len(allSeries)))
		})
	}
}

// inject tries a number of faults, each at a call drawn from those of the undisturbed
// command.
func (w *workshop) inject(t *testing.T, trials int) {
	t.Helper()
	replace(t, w.start(), w.work())
	traced, status := w.trace(t, slices.Collect(maps.Keys(faults)), "")
	if status != 0 {
		t.Fatalf("undisturbed, descbench %s ends with status %d", w.command, status)
	}
	count := make(map[string]int) // of each call, in the thread that has most of them: strace counts by thread
	byThread := make(map[string]int)
	for _, call := range regexp.MustCompile(`(?m)^(\d+) +([a-z0-9]+)\(`).FindAllStringSubmatch(traced, -1) {
		byThread[call[0]]++
		count[call[2]] = max(count[call[2]], byThread[call[0]])
	}
	calls := slices.Sorted(maps.Keys(count))
	kills, errors, differ := 0, 0, 0
	for tries := 0; kills+errors < trials && tries < 5*trials; tries++ {
		call := calls[w.random.IntN(len(calls))]
		fault := faults[call][w.random.IntN(2)]
		at := fmt.Sprintf("%s:%s:when=%d", call, fault, 1+w.random.IntN(count[call]))
		replace(t, w.start(), w.work())
		traced, status := w.trace(t, []string{call}, at)
		switch injected := regexp.MustCompile(`<` + regexp.QuoteMeta(w.dir) + `.*\(INJECTED\)`).MatchString(traced); {
		case strings.Contains(traced, "write(2<") && w.told == "":
			continue // the fault met the message
		case status < 0:
			kills++
		case injected:
			errors++
		default:
			continue // this time, no thread came so far
		}
		if found := w.afterFault(t, status); found != "" {
			differ++
			t.Errorf("descbench %s, strace -f -e inject=%s:\n%s", w.command, at, found)
		}
	}
	survived.add("faults at system calls: "+w.name, "%d kills, %d errors; %d ended otherwise than undisturbed", kills, errors, differ)
}

// trace runs the command under strace, which traces some calls and may inject a fault. The
// status is negative if that was a kill.
func (w *workshop) trace(t *testing.T, calls []string, fault string) (traced string, status int) {
	t.Helper()
	strace := must.Get(exec.LookPath("strace"))(t)
	file := filepath.Join(w.dir, "traced")
	options := []string{"strace", "-f", "-y", "-qq", "-o", file, "-e", "trace=?" + strings.Join(calls, ",?")} // ?: not every processor has all
	if fault != "" {
		options = append(options, "-e", "inject="+fault)
	}
	cmd := command(w.work(), w.command)
	cmd.Env = append(cmd.Env, "GOMAXPROCS=1") // few threads
	cmd.Path, cmd.Args = strace, append(options, cmd.Args...)
	if _, w.told, status = finish(t, cmd); cmd.ProcessState.Sys().(syscall.WaitStatus).Signaled() {
		status = -1
	}
	return string(must.Get(os.ReadFile(file))(t)), status
}

// afterFault says what is wrong after a command met a fault: how it ended, what it left, and
// what the same command makes of that.
func (w *workshop) afterFault(t *testing.T, status int) string {
	t.Helper()
	if lines := regexp.MustCompile(`(?m)^descbench: `).FindAllString(w.told, -1); status > 0 && (status != 3 || len(lines) != 1) || strings.Contains(w.told, "goroutine ") {
		return fmt.Sprintf("ends with status %d:\n%s", status, w.told)
	}
	left := w.halfWritten(t)
	if status == 0 {
		left = differences(t, w.reference(), w.work(), w.lossy)
	}
	if len(left) > 0 {
		return fmt.Sprintf("ends with status %d and leaves:\n%s", status, strings.Join(left, "\n"))
	}
	if _, stderr, again := finish(t, command(w.work(), w.command)); again != 0 {
		return fmt.Sprintf("ends with status %d:\n%s\nrepeated, with status %d:\n%s", status, w.told, again, stderr)
	}
	found := differences(t, w.reference(), w.work(), w.lossy)
	err := filepath.WalkDir(w.work(), func(path string, d fs.DirEntry, err error) error {
		if unfinished.MatchString(filepath.Base(path)) {
			found = append(found, path+": left")
		}
		return err
	})
	must.Do(t, err)
	if len(found) > 0 {
		return "repeated to its end:\n" + strings.Join(found, "\n")
	}
	return ""
}

// unfinished matches what a command clears that runs on the same machine after a killed one.
var unfinished = regexp.MustCompile(`^\..*\.(tmp-|replaced$)|^\.(computing-|unfinished|claims)`)
