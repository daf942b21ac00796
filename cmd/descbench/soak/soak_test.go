// Package soak tries to break descbench from outside: it kills it at random
// moments, flips bytes of its files, takes away disk, memory and permissions,
// and starts it many times at once. Its tests are short by
// default; make soak runs the long form and prints what was survived.
package soak

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"descbench/eval/must"
)

var (
	allKills  = flag.Int("soak.kills", 20, "kills with SIGKILL over all series")
	allFlips  = flag.Int("soak.flips", 25, "bytes to flip over all files")
	allFaults = flag.Int("soak.faults", 20, "kills and errors at system calls over all series")
	seed      = flag.Uint64("soak.seed", 1, "seed of the moments and bytes; failures print it")
	tablePath = flag.String("soak.table", "", "file for the table of what was survived")
)

// program is the path of the descbench under test.
var program string

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "soak-program-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o755); err != nil { // other users run it too
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	program = filepath.Join(dir, "descbench")
	build := exec.Command("go", "build", "-buildvcs=false", "-o", program, "descbench/cmd/descbench")
	build.Stdout, build.Stderr = os.Stderr, os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "cannot build descbench:", err)
		return 1
	}
	began := time.Now()
	status := m.Run()
	if *tablePath != "" {
		var b strings.Builder
		survived.write(&b, time.Since(began))
		if err := os.WriteFile(*tablePath, []byte(b.String()), 0o666); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	return status
}

// survived collects what the tests tried. Its table is for docs/reliability.md.
var survived tally

type tally struct {
	mu   sync.Mutex
	rows []tallyRow
}

type tallyRow struct{ what, number string }

func (t *tally) add(what, format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rows = append(t.rows, tallyRow{what, fmt.Sprintf(format, args...)})
}

// write writes a table in Markdown, in the order in which the tests ended.
func (t *tally) write(w io.Writer, took time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	fmt.Fprintf(w, "| tried | survived |\n|---|---|\n")
	for _, r := range t.rows {
		fmt.Fprintf(w, "| %s | %s |\n", r.what, r.number)
	}
	fmt.Fprintf(w, "| duration | %s, seed %d |\n", took.Round(time.Second), *seed)
}

// workFolder returns a new folder that is kept if the test fails.
func workFolder(t *testing.T) string {
	t.Helper()
	dir := must.Get(os.MkdirTemp("", "soak-"))(t)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("kept: %s; to repeat: go test ./cmd/descbench/soak -run '%s' -soak.seed %d -soak.kills %d -soak.flips %d -soak.faults %d",
				dir, t.Name(), *seed, *allKills, *allFlips, *allFaults)
		} else {
			os.RemoveAll(dir)
		}
	})
	return dir
}

// experiment is the config of most tests. Its paths are relative to the folder
// in which scenes are made. Both kinds of selection and a task with pools occur.
const experiment = `
experiment: {name: soak}
dataset: {root: scenes}
output: {root: runs}
keypoint_sets:
  - {name: some, detect: {type: sift}, border: 20, top: {by: response, per_image: 60}}
  - {name: best, detect: {type: sift}, border: 20, top: {by: response, total: 500}}
descriptors:
  - {name: rootsift, type: sift, root: l1, keypoints: some}
  - {name: sift, type: sift, keypoints: best}
evaluation:
  estimators: []
  bojanic_2019: {n: 20, repetitions: 1, seed: 1}
`

// makeScenes writes the config and its scenes to dir.
func makeScenes(t *testing.T, dir string, scenes int) {
	t.Helper()
	must.Do(t, os.WriteFile(filepath.Join(dir, "soak.yaml"), []byte(experiment), 0o666))
	mustRun(t, dir, "dataset synth --out scenes --size 160x128 --quiet --scenes", fmt.Sprint(scenes))
}

// command returns a descbench process in dir, which is not started yet. Words of
// line are arguments, args are more of them.
func command(dir, line string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, append(strings.Fields(line), args...)...)
	cmd.Dir = dir
	others := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "DESCBENCH_") })
	cmd.Env = append(others, "HOME="+dir, "DESCBENCH_CACHE="+filepath.Join(dir, "cache"),
		"PATH="+filepath.Dir(program)+":"+os.Getenv("PATH"))
	return cmd
}

// mustRun runs descbench and demands status 0.
func mustRun(t *testing.T, dir, line string, args ...string) (stdout string) {
	t.Helper()
	cmd := command(dir, line, args...)
	stdout, stderr, status := finish(t, cmd)
	if status != 0 {
		t.Fatalf("descbench %s ends with status %d:\n%s", strings.Join(cmd.Args[1:], " "), status, stderr)
	}
	return stdout
}

// finish runs a command to its end.
func finish(t *testing.T, cmd *exec.Cmd) (stdout, stderr string, status int) {
	t.Helper()
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// shell runs a script in dir that may call descbench.
func shell(t *testing.T, dir, script string) {
	t.Helper()
	cmd := command(dir, "")
	cmd.Path, cmd.Args = "/bin/sh", []string{"sh", "-e", "-c", script}
	if _, stderr, status := finish(t, cmd); status != 0 {
		t.Fatalf("%s\nends with status %d:\n%s", script, status, stderr)
	}
}
