package slurm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

const experiment = `
experiment: {name: x}
dataset: {root: scenes}
keypoint_sets:
  - {name: all, detect: {type: sift}, border: 40, top: {by: response, per_image: 500}}
  - {name: some, from: all, top: {by: size, total: 9000}}
descriptors:
  - {name: sift, type: sift, keypoints: some}
  - {name: rgbsift, type: rgbsift, keypoints: all}
evaluation:
  workbench_tasks: {distractors_per_scene: 10}
`

func TestAnArrayWithAKilledTaskEndsInTheBytesOfOneProcess(t *testing.T) {
	c := startCluster(t)
	work := t.TempDir()
	program := filepath.Join(work, "descbench")
	c.do(".", "go", "build", "-buildvcs=false", "-o", program, "descbench/cmd/descbench")
	if err := os.WriteFile(filepath.Join(work, "x.yaml"), []byte(experiment), 0o666); err != nil {
		t.Fatal(err)
	}
	c.do(work, program, "dataset", "synth", "--scenes", "8", "--size", "480x360", "--out", "scenes", "--quiet")
	c.do(work, program, "run", "x.yaml", "--out", "one", "--cache", "cache1", "--quiet")
	one := filepath.Join(work, "one", "x")

	var submitted struct {
		Array string `json:"array_job"`
		Fold  string `json:"fold_job"`
	}
	out := c.do(work, program, "submit", "slurm", "x.yaml", "--tasks", "4", "--out", "many", "--cache", "cache2", "--time", "30", "--json")
	if err := json.Unmarshal([]byte(out), &submitted); err != nil {
		t.Fatal(err)
	}
	many := filepath.Join(work, "many", "x")
	logs := filepath.Join(work, "many", ".slurm", "x")
	defer func() {
		if t.Failed() {
			showLogs(t, logs)
		}
	}()

	killed := 0
	c.until("status names a running process, which is killed", func() bool {
		for _, pid := range running(c, program, many) {
			if syscall.Kill(pid, syscall.SIGKILL) == nil {
				killed = pid
				return true
			}
		}
		return false
	})
	t.Logf("killed process %d", killed)
	ended := func(id string) bool {
		for _, state := range []string{"COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "OUT_OF_MEMORY"} {
			if strings.Contains(c.job(id), "JobState="+state) {
				return true
			}
		}
		return false
	}
	c.until("the fold has ended", func() bool { return ended(submitted.Fold) })
	if got := c.job(submitted.Fold); !strings.Contains(got, "JobState=COMPLETED") {
		t.Errorf("the fold did not complete:\n%s", got)
	}
	if got := c.job(submitted.Array); strings.Count(got, "JobState=COMPLETED") != 4 || strings.Count(got, "Restarts=1 ") != 1 {
		t.Errorf("want 4 completed tasks, one of them restarted once:\n%s", got)
	}
	same(t, one, many)
	if _, err := os.Stat(filepath.Join(many, "report.html")); err != nil {
		t.Error(err)
	}
}

// running returns the ids of the processes that descbench status shows.
func running(c *cluster, program, run string) (pids []int) {
	out, err := c.try(c.dir, program, "status", run, "--json")
	if err != nil { // no task has begun
		return nil
	}
	var status struct {
		Running []struct{ Process string }
	}
	if err := json.Unmarshal([]byte(out), &status); err != nil {
		c.t.Fatal(err)
	}
	for _, r := range status.Running {
		var pid int
		if _, err := fmt.Sscanf(r.Process, "process %d of ", &pid); err != nil {
			c.t.Fatalf("%q: %v", r.Process, err)
		}
		pids = append(pids, pid)
	}
	return pids
}

// same wants equal units and results in two run folders. It leaves out what has
// paths or times in it.
func same(t *testing.T, want, got string) {
	t.Helper()
	files := []string{"queries.parquet", "pairs.parquet", "metrics.csv", "summary.json"}
	units := 0
	err := filepath.WalkDir(filepath.Join(want, "units"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			name, _ := filepath.Rel(want, path)
			files = append(files, name)
			units++
		}
		return err
	})
	if err != nil || units == 0 {
		t.Fatalf("found %d units: %v", units, err)
	}
	for _, name := range files {
		a, err1 := os.ReadFile(filepath.Join(want, name))
		b, err2 := os.ReadFile(filepath.Join(got, name))
		if err1 != nil || err2 != nil || !bytes.Equal(a, b) {
			t.Errorf("%s differs from that of one process (%v, %v)", filepath.Join(got, name), err1, err2)
		}
	}
}

func showLogs(t *testing.T, dir string) {
	logs, _ := filepath.Glob(filepath.Join(dir, "*.log"))
	for _, path := range logs {
		text, _ := os.ReadFile(path)
		t.Logf("%s:\n%s", path, text)
	}
}
