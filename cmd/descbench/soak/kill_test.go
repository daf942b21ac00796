package soak

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"descbench/eval/must"
	"descbench/pipeline/store/unitfile"
)

// A series is a command that is killed again and again.
type series struct {
	name    string
	prepare string // shell script that makes the command's surroundings, in the folder of the scenes
	command string // arguments of descbench; URL is the address of an archive of the scenes
	beside  string // a second command that runs, and is killed, over and over at the same time
	whole   string // shell script that succeeds if a fault has lost nothing, where files may have other names
	lossy   bool   // files may be missing at the end: the second command removes them, or they are not of the share
}

var allSeries = []series{{
	name:    "extraction",
	command: "run soak.yaml --quiet",
}, {
	name:    "units",
	prepare: "descbench run soak.yaml --quiet; rm -r runs",
	command: "run soak.yaml --quiet",
}, {
	name:    "run --overwrite",
	prepare: "descbench run soak.yaml --quiet",
	command: "run soak.yaml --quiet --overwrite --set evaluation.tolerance_px=2",
	whole:   "descbench verify runs/soak || descbench verify runs/.soak.replaced",
}, {
	name:    "folding, Parquet, SQLite",
	prepare: "descbench run soak.yaml --quiet; rm runs/soak/*.parquet runs/soak/summary.json runs/soak/metrics.csv runs/soak/results.sqlite runs/soak/timing.csv",
	command: "fold runs/soak --quiet",
}, {
	name:    "report",
	prepare: "descbench run soak.yaml --quiet",
	command: "report runs/soak --quiet",
}, {
	name:    "report --figures",
	prepare: "descbench run soak.yaml --quiet",
	command: "report runs/soak --figures figures --format svg --quiet",
}, {
	name:    "descriptors export",
	prepare: "descbench run soak.yaml --quiet",
	command: "descriptors export runs/soak --descriptor sift --out exported --quiet",
}, {
	name:    "cache prune",
	prepare: "descbench run soak.yaml --quiet",
	command: "cache prune --size 0",
}, {
	name:    "shared database of runs",
	prepare: "descbench run soak.yaml --quiet --out other --set output.database=shared.sqlite --set experiment.name=other; descbench run soak.yaml --quiet; rm -r other runs/soak/*.parquet runs/soak/summary.json runs/soak/results.sqlite",
	command: "run soak.yaml --quiet --set output.database=shared.sqlite",
}, {
	name:    "a cache that is pruned meanwhile",
	prepare: "mkdir cache",
	command: "run soak.yaml --quiet",
	beside:  "cache prune --size 30000B",
	lossy:   true,
}, {
	name:    "two processes in a run folder",
	command: "run soak.yaml --quiet",
	beside:  "run soak.yaml --quiet",
}, {
	name:    "shard that waits for the others",
	command: "run soak.yaml --shard 1/2 --wait --quiet",
	lossy:   true, // units of the other shard
}, {
	name: "runs joined by fold",
	prepare: `sed '/bojanic/d; s/total: 500/per_image: 60/' soak.yaml >part.yaml
		for scene in $(cd scenes && ls -d *_*/); do descbench run part.yaml --quiet --out part_${scene%/} --set dataset.scenes=${scene%/}; done`,
	command: "fold part_i_synth_001/soak part_v_synth_001/soak --out joined --quiet",
}, {
	name:    "eval --out",
	prepare: "descbench run soak.yaml --quiet",
	command: "eval runs/soak --set evaluation.tolerance_px=2 --out evaluated --quiet",
}, {
	name:    "keypoints export",
	command: "keypoints export soak.yaml#best --out exported --quiet",
}, {
	name:    "dataset synth",
	command: "dataset synth --out more --scenes 4 --size 160x128 --seed 2 --quiet",
}, {
	name:    "patches extract",
	command: "patches extract --keypoints soak.yaml#best --limit 30 --out strips --quiet",
}, {
	name:    "patches describe",
	prepare: "descbench patches extract --keypoints soak.yaml#best --limit 30 --out strips --quiet",
	command: "patches describe --strips strips --type sift --out described --quiet",
}, {
	name:    "patches tasks",
	prepare: "descbench patches extract --keypoints soak.yaml#best --limit 30 --out strips --quiet",
	command: "patches tasks --strips strips --out tasks --pairs 2000 --quiet",
}, {
	name: "patches evaluate --database",
	prepare: `descbench patches extract --keypoints soak.yaml#best --limit 30 --out strips --quiet
		descbench patches tasks --strips strips --out tasks --pairs 500 --quiet
		descbench patches describe --strips strips --type sift --out described --quiet
		descbench run soak.yaml --quiet --set output.database=shared.sqlite; rm -r cache runs`,
	command: "patches evaluate --descriptors described/sift --tasks-dir tasks --split full --database shared.sqlite --quiet",
}, {
	name: "patches classify --out",
	prepare: `descbench patches extract --keypoints soak.yaml#best --limit 30 --out strips --quiet
		descbench patches tasks --strips strips --out tasks --edition 2016 --split full --pairs 200 --quiet
		descbench patches describe --strips strips --type sift --out described --quiet`,
	command: "patches classify --descriptors described/sift --pairs tasks/classification/test_pos_easy.pairs --pairs tasks/classification/test_neg_diffseq.pairs --out classified --figures figures --quiet",
}, {
	name:    "dataset fetch",
	command: "dataset fetch hpatches-sequences --url URL --to data --quiet",
}}

func TestKilledCommandResumesToTheSameBytes(t *testing.T) {
	scenes := workFolder(t)
	makeScenes(t, scenes, 2)
	archive := serveScenes(t, filepath.Join(scenes, "scenes"))
	t.Run("series", func(t *testing.T) {
		for i, s := range allSeries {
			t.Run(strings.ReplaceAll(s.name, " ", "_"), func(t *testing.T) {
				t.Parallel()
				s.command = strings.ReplaceAll(s.command, "URL", archive)
				share := (*allKills + i) / len(allSeries) // adds up to all kills
				w := &workshop{series: s, dir: workFolder(t), random: rand.New(rand.NewPCG(*seed, uint64(i)))}
				w.setUp(t, scenes)
				for w.kills < share && !t.Failed() {
					w.trial(t, min(1+w.random.IntN(4), share-w.kills))
				}
				survived.add("kills: "+s.name, "%d in %d trials", w.kills, w.trials)
			})
		}
	})
}

// A workshop is the folder in which the trials of a series take place:
// start is the state before the command, reference that after an undisturbed
// one, work that of the trial. All commands run in work, so that absolute paths
// are the same.
type workshop struct {
	series
	dir           string
	random        *rand.Rand
	took          time.Duration // of the undisturbed command
	kills, trials int
	told          string // by the last command under strace
}

func (w *workshop) start() string     { return filepath.Join(w.dir, "start") }
func (w *workshop) reference() string { return filepath.Join(w.dir, "reference") }
func (w *workshop) work() string      { return filepath.Join(w.dir, "work") }

func (w *workshop) setUp(t *testing.T, scenes string) {
	t.Helper()
	replace(t, scenes, w.work())
	if w.prepare != "" {
		shell(t, w.work(), w.prepare)
	}
	replace(t, w.work(), w.start())
	began := time.Now()
	mustRun(t, w.work(), w.command)
	w.took = time.Since(began)
	replace(t, w.work(), w.reference())
}

// trial kills the command up to the given number of times, lets it finish, and
// compares.
func (w *workshop) trial(t *testing.T, kills int) {
	t.Helper()
	w.trials++
	replace(t, w.start(), w.work())
	stop := func() {}
	if w.beside != "" {
		stop = w.keepRunningBeside(t)
	}
	defer func() { stop() }()
	done := false
	for range kills {
		moment := time.Duration(w.random.Int64N(int64(w.took))) // system calls that write: inject_test.go
		killed := w.runAndKill(t, moment)
		if done = !killed; done {
			break
		}
		w.kills++
		if w.beside != "" { // the other process may just be writing or pruning
			continue
		}
		if found := w.halfWritten(t); len(found) > 0 {
			t.Errorf("trial %d: after a kill at %v of %v:\n%s", w.trials, moment, w.took, strings.Join(found, "\n"))
			return
		}
	}
	if !done {
		if _, stderr, status := finish(t, command(w.work(), w.command)); status != 0 {
			t.Errorf("trial %d: repeated after %d kills, descbench %s ends with status %d:\n%s", w.trials, kills, w.command, status, stderr)
			return
		}
	}
	stop()
	stop = func() {}
	if found := differences(t, w.reference(), w.work(), w.lossy); len(found) > 0 {
		t.Errorf("trial %d: after %d kills and a repetition to the end:\n%s", w.trials, kills, strings.Join(found, "\n"))
	}
	checkCache(t, filepath.Join(w.work(), "cache"))
}

// halfWritten returns the files of a killed command that are neither as the
// undisturbed command leaves them nor as they were before it. A folder that the killed
// one was about to replace has another name until then.
func (w *workshop) halfWritten(t *testing.T) []string {
	if w.whole != "" {
		shell(t, w.work(), w.whole)
		return nil
	}
	return slices.DeleteFunc(differences(t, w.reference(), w.work(), true), func(found string) bool {
		path, _, _ := strings.Cut(found, ": ")
		former := retired.ReplaceAllString(path, "$1/")
		return slices.ContainsFunc([]string{filepath.Join(w.start(), former), filepath.Join(w.reference(), former)}, func(whole string) bool {
			_, err := os.Stat(whole)
			return err == nil && sameContent(t, whole, filepath.Join(w.work(), path))
		})
	})
}

// retired matches how the paths of what is being replaced begin.
var retired = regexp.MustCompile(`^\.([^/]+)\.replaced/`)

// runAndKill kills the command after a while. It returns false if the command
// ended before, for which it demands status 0.
func (w *workshop) runAndKill(t *testing.T, after time.Duration) (killed bool) {
	t.Helper()
	cmd := command(w.work(), w.command)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	killed = killAfter(cmd, after)
	if status := cmd.ProcessState.ExitCode(); !killed && status != 0 {
		t.Fatalf("trial %d: after %d kills in all, descbench %s ends with status %d:\n%s", w.trials, w.kills, w.command, status, stderr.String())
	}
	return killed
}

// killAfter runs a command and kills it after a while. It returns false if the
// command ended before.
func killAfter(cmd *exec.Cmd, after time.Duration) (killed bool) {
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	timer := time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	_ = cmd.Wait()
	status, _ := cmd.ProcessState.Sys().(syscall.WaitStatus)
	return status.Signaled()
}

// keepRunningBeside runs the second command over and over, and kills it every
// other time.
func (w *workshop) keepRunningBeside(t *testing.T) (stop func()) {
	random := rand.New(rand.NewPCG(w.random.Uint64(), 0))
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for n := 0; ; n++ {
			select {
			case <-end:
				return
			default:
			}
			after := time.Hour
			if n%2 == 0 {
				after = time.Duration(random.Int64N(int64(w.took)))
			}
			cmd := command(w.work(), w.beside)
			var stderr strings.Builder
			cmd.Stderr = &stderr
			if !killAfter(cmd, after) && cmd.ProcessState.ExitCode() != 0 {
				t.Errorf("trial %d: next to the other command, descbench %s ends with status %d:\n%s",
					w.trials, w.beside, cmd.ProcessState.ExitCode(), stderr.String())
				return
			}
		}
	}()
	return func() { close(end); <-ended }
}

// checkCache reads every entry of a cache.
func checkCache(t *testing.T, dir string) {
	t.Helper()
	cache := must.Get(unitfile.OpenCache(dir))(t)
	for kind, read := range map[string]func(key string) error{
		"features":   func(key string) error { _, _, err := unitfile.Features.Cached(cache, key); return err },
		"detections": func(key string) error { _, _, err := unitfile.Detections.Cached(cache, key); return err },
	} {
		paths := must.Get(filepath.Glob(filepath.Join(dir, kind, "*", "*.npz")))(t)
		for _, path := range paths {
			if err := read(strings.TrimSuffix(filepath.Base(path), ".npz")); err != nil {
				t.Error(err)
			}
		}
	}
}
