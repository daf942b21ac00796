package main

import (
	"io"
	"runtime"
	"strconv"
	"testing"

	"descbench/eval/must"
)

// The tests of this package do not run in parallel.
func TestJobsLimitTheCoresOfTheRuntime(t *testing.T) {
	before := runtime.GOMAXPROCS(3)
	defer runtime.GOMAXPROCS(before)
	for _, c := range []struct {
		jobs string
		want int
	}{{"64", 3}, {"2", 2}, {"1", 1}} {
		root := newRootCommand()
		root.SetOut(io.Discard)
		root.SetErr(io.Discard)
		root.SetArgs([]string{"dataset", "list", "--data", t.TempDir(), "--jobs", c.jobs})
		_ = root.Execute() // there are no scenes
		if got := runtime.GOMAXPROCS(0); got != c.want {
			t.Errorf("--jobs %s: %d cores, want %d", c.jobs, got, c.want)
		}
	}
}

// In a container, the runtime has fewer cores than the machine.
func TestJobsAreTheCoresOfTheRuntimeByDefault(t *testing.T) {
	cores := runtime.NumCPU() + 1
	before := runtime.GOMAXPROCS(cores)
	defer runtime.GOMAXPROCS(before)
	run, _, err := newRootCommand().Find([]string{"run"})
	must.Do(t, err)
	if got := run.Flags().Lookup("jobs").DefValue; got != strconv.Itoa(cores) {
		t.Errorf("--jobs is %s by default, want %d", got, cores)
	}
}
