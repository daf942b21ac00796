package slurm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"descbench/eval/must"
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

// The tasks are those of configs/slurm, as a user copies and submits them.
func TestAnArrayWithAKilledTaskEndsInTheBytesOfOneProcess(t *testing.T) {
	c := startCluster(t)
	work := t.TempDir()
	t.Setenv("PATH", work+":"+os.Getenv("PATH")) // which sbatch hands to the tasks
	program := filepath.Join(work, "descbench")
	c.do(".", "go", "build", "-buildvcs=false", "-o", program, "descbench/cmd/descbench")
	must.Do(t, os.WriteFile(filepath.Join(work, "x.yaml"), []byte(experiment), 0o666))
	for _, script := range []string{"array.sbatch", "fold.sbatch"} {
		c.do("../../../configs/slurm", "cp", script, work)
	}
	c.do(work, program, "dataset", "synth", "--scenes", "8", "--size", "480x360", "--out", "scenes", "--quiet")
	c.do(work, program, "run", "x.yaml", "--out", "one", "--cache", "cache1", "--quiet")
	many := filepath.Join(work, "many", "x")
	defer func() {
		if t.Failed() {
			t.Log(logsIn(work))
		}
	}()
	submit := func() (array, fold string) {
		array = c.sbatch(work, "--array=1-4", "array.sbatch", "x.yaml", "--out", "many", "--cache", "cache2")
		return array, c.sbatch(work, "--dependency=afterany:"+array, "fold.sbatch", many)
	}
	state := func(job string) string {
		_, after, _ := strings.Cut(c.job(job), "JobState=")
		word, _, _ := strings.Cut(after, " ")
		return word
	}
	ends := func(job string) {
		c.until("job "+job+" has ended", func() bool {
			return slices.Contains([]string{"COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "OUT_OF_MEMORY"}, state(job))
		})
	}

	array, fold := submit()
	c.until("a task is killed, and another one gets the signal before the time limit", func() bool {
		pids := running(c, program, many)
		if len(pids) < 2 || syscall.Kill(pids[0], syscall.SIGKILL) != nil {
			return false
		}
		c.do(work, "scancel", "--batch", "--signal=USR1", array+"_"+taskOf(t, pids[1]))
		return true
	})
	ends(fold)
	switch got := c.job(array); {
	case strings.Count(got, "JobState=COMPLETED") != 3 || strings.Count(got, "JobState=FAILED") != 1 || strings.Count(got, "ExitCode=137:0") != 1:
		t.Errorf("want 3 completed tasks, and one that ended with 137:\n%s", got)
	case strings.Count(got, "Restarts=0 ") != 3 || strings.Count(got, "Restarts=1 ") != 1 || !strings.Contains(got, "Restarts=1 BatchFlag=1 Reboot=0 ExitCode=0:0"):
		t.Errorf("want only the task restarted that got the signal:\n%s", got)
	}
	if got := state(fold); got != "FAILED" {
		t.Errorf("the fold of what lacks a task is %s, want FAILED", got)
	}

	if logs := logsIn(work); strings.Count(logs, "\narray.sbatch: killed, ") != 1 || !strings.Contains(logs, "run incomplete: ") {
		t.Errorf("the logs say neither that a task was killed nor what is missing:\n%s", logs)
	}

	_, fold = submit()
	if ends(fold); state(fold) != "COMPLETED" {
		t.Errorf("the fold did not complete:\n%s", c.job(fold))
	}
	same(t, filepath.Join(work, "one", "x"), many)
}

// sbatch submits a script and returns the number of its job.
func (c *cluster) sbatch(dir string, args ...string) string {
	c.t.Helper()
	return strings.TrimSpace(c.do(dir, "sbatch", append([]string{"--parsable"}, args...)...))
}

// taskOf returns the index of the task of an array to which a process belongs.
func taskOf(t *testing.T, pid int) string {
	environ, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	_, after, found := strings.Cut(string(environ), "\x00SLURM_ARRAY_TASK_ID=")
	if index, _, _ := strings.Cut(after, "\x00"); err == nil && found {
		return index
	}
	t.Fatalf("process %d has ended or is not of an array: %v", pid, err)
	return ""
}

// running returns the ids of the processes that descbench status shows.
func running(c *cluster, program, run string) (pids []int) {
	out, err := c.try(c.dir, program, "status", run, "--json")
	if err != nil { // no task has begun
		return nil
	}
	var status struct {
		Notes []struct{ Kind, Part string }
	}
	if err := json.Unmarshal([]byte(out), &status); err != nil {
		c.t.Fatal(err)
	}
	for _, n := range status.Notes {
		if n.Kind != "running" {
			continue
		}
		var pid int
		if _, err := fmt.Sscanf(n.Part, "process %d of ", &pid); err != nil {
			c.t.Fatalf("%q: %v", n.Part, err)
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

// logsIn returns the logs of all jobs.
func logsIn(dir string) (all string) {
	logs, _ := filepath.Glob(filepath.Join(dir, "*.log"))
	for _, path := range logs {
		text, _ := os.ReadFile(path)
		all += fmt.Sprintf("%s:\n%s", path, text)
	}
	return all
}
