package soak

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// fiveDescriptors is the config of the long run.
const fiveDescriptors = `
experiment: {name: long}
dataset: {root: scenes}
output: {root: runs}
keypoint_sets:
  - {name: sifts, detect: {type: sift}, border: 20, top: {by: response, per_image: 60}}
  - {name: orbs, detect: {type: orb, fast_threshold: 5}, border: 20, top: {by: response, per_image: 60}}
descriptors:
  - {name: sift, type: sift, keypoints: sifts}
  - {name: rootsift, type: sift, root: l1, keypoints: sifts}
  - {name: rgbsift, type: rgbsift, keypoints: sifts}
  - {name: surf, type: surf, keypoints: sifts}
  - {name: orb, type: orb, keypoints: orbs}
`

// A sample is what a process holds at one time.
type sample struct {
	at       time.Time
	resident int64 // bytes
	files    int   // open files
}

// The second half of a long run takes the memory, the open files and the time of
// the first.
func TestALongRunNeitherGrowsNorSlowsDown(t *testing.T) {
	if *longScenes == 0 {
		t.Skip("takes minutes; make soak runs it: -soak.scenes 500")
	}
	dir := workFolder(t)
	if err := os.WriteFile(filepath.Join(dir, "long.yaml"), []byte(fiveDescriptors), 0o666); err != nil {
		t.Fatal(err)
	}
	mustRun(t, dir, "dataset synth --out scenes --size 160x128 --quiet --scenes", fmt.Sprint(*longScenes))
	began := time.Now()
	cmd := command(dir, "run long.yaml --quiet")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	var samples []sample
	for running := true; running; {
		select {
		case err := <-ended:
			if running = false; err != nil {
				t.Fatalf("%v:\n%s", err, stderr.String())
			}
		case <-time.After(50 * time.Millisecond):
			if s, ok := sampleOf(cmd.Process.Pid); ok {
				samples = append(samples, s)
			}
		}
	}
	took := time.Since(began)

	units := whenWritten(t, filepath.Join(dir, "runs/long/units/eval/*/*.zip"))
	if want := 5 * *longScenes; len(units) != want {
		t.Fatalf("%d units, want %d", len(units), want)
	}
	// Half of the units, which is not half of the time.
	middle, last := units[len(units)/2], units[len(units)-1]
	first, second, folding := between(samples, began, middle), between(samples, middle, last), between(samples, last, time.Now())
	t.Logf("first half: %v; second half: %v; folding: %v", first, second, folding)
	if second.resident > first.resident*5/4+32<<20 {
		t.Errorf("memory grows: at most %v in the first half of the units, %v in the second", first, second)
	}
	if folding.resident > second.resident*5/4+64<<20 {
		t.Errorf("folding takes more memory than the run: %v, not %v", folding, second)
	}
	if second.files > first.files+4 {
		t.Errorf("open files grow: at most %v in the first half of the units, %v in the second", first, second)
	}
	// Other work on the machine may slow down either half.
	if second.took > 2*first.took {
		t.Errorf("the run slows down: %v for the first half of the units, %v for the second", first.took, second.took)
	}
	survived.add("long run", "%d scenes × 5 descriptors in %v; first half of the units, second half, folding: memory at most %d, %d, %d MB, open files at most %d, %d, %d, time %d, %d, %d s",
		*longScenes, took.Round(time.Second), first.resident>>20, second.resident>>20, folding.resident>>20,
		first.files, second.files, folding.files, seconds(first.took), seconds(second.took), seconds(folding.took))
}

// sampleOf reads what the process holds. It returns false if it has just ended.
func sampleOf(pid int) (sample, bool) {
	proc := filepath.Join("/proc", strconv.Itoa(pid))
	statm, err := os.ReadFile(filepath.Join(proc, "statm"))
	if err != nil {
		return sample{}, false
	}
	files, err := os.ReadDir(filepath.Join(proc, "fd"))
	fields := strings.Fields(string(statm))
	if err != nil || len(fields) < 2 {
		return sample{}, false
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	return sample{time.Now(), pages * int64(os.Getpagesize()), len(files)}, err == nil
}

// whenWritten returns the times at which the files were written, in order.
func whenWritten(t *testing.T, pattern string) (times []time.Time) {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		times = append(times, info.ModTime())
	}
	slices.SortFunc(times, time.Time.Compare)
	return times
}

// A span is the most that a process held in a part of its time.
type span struct {
	resident int64
	files    int
	took     time.Duration
}

func (s span) String() string {
	return fmt.Sprintf("%d MB, %d open files, %d s", s.resident>>20, s.files, seconds(s.took))
}

func between(samples []sample, from, to time.Time) span {
	s := span{took: to.Sub(from)}
	for _, held := range samples {
		if held.at.After(from) && !held.at.After(to) {
			s.resident, s.files = max(s.resident, held.resident), max(s.files, held.files)
		}
	}
	return s
}

func seconds(d time.Duration) int { return int(math.Round(d.Seconds())) }
