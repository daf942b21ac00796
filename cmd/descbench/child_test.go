package main

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"descbench/eval/must"
)

// ownChild is a program for type: command.
func ownChild() {
	python, err := exec.LookPath("/usr/bin/python3") // starts faster than a wrapper of it
	if err != nil {
		python, err = exec.LookPath("python3")
	}
	if err == nil {
		err = syscall.Exec(python, append([]string{python, os.Getenv("OWNCHILD")}, os.Args[1:]...), os.Environ())
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// A program that ignores signals and never replies ends with descbench, however that ends, also
// behind a wrapper.
func TestNoProgramOutlivesARun(t *testing.T) {
	scenes := must.Get(filepath.Abs("../../testdata/scenes"))(t)
	// Under nohup, children would ignore SIGHUP as this process does; those of one that handles it
	// begin with the default.
	handled := make(chan os.Signal, 1)
	signal.Notify(handled, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(handled) })
	for _, sent := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGKILL} {
		t.Run(sent.String(), func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, "own.yaml"), `
experiment: {name: own}
keypoint_sets: [{name: points, detect: {type: sift}, border: 0, top: {by: response, per_image: 20}}]
descriptors: [{name: own, type: command, run: [sh, -c, "ownchild ignores started; true"], instances: 2}]
`)
			program := must.Get(exec.LookPath("descbench"))(t)
			cmd := exec.Command(program, "run", "own.yaml", "--data", scenes, "--out", "runs", "--quiet")
			cmd.Dir, cmd.Env = dir, environment()
			must.Do(t, cmd.Start())
			var pids []int
			for begun := time.Now(); len(pids) < 2; time.Sleep(20 * time.Millisecond) {
				if time.Since(begun) > time.Minute {
					t.Fatal("the programs have not started")
				}
				pids = nil
				b, _ := os.ReadFile(filepath.Join(dir, "started"))
				for _, word := range strings.Fields(string(b)) {
					var pid int
					must.Get(fmt.Sscan(word, &pid))(t)
					pids = append(pids, pid)
				}
			}
			must.Do(t, cmd.Process.Signal(sent))
			_ = cmd.Wait()
			if status := cmd.ProcessState.ExitCode(); sent != syscall.SIGKILL && status != exitInterrupted {
				t.Errorf("exit status %d, want %d", status, exitInterrupted)
			}
			for _, pid := range pids {
				for begun := time.Now(); runs(pid); time.Sleep(10 * time.Millisecond) {
					if time.Since(begun) > 10*time.Second {
						_ = syscall.Kill(pid, syscall.SIGKILL)
						t.Fatalf("%v: process %d still runs", sent, pid)
					}
				}
			}
		})
	}
}

// runs reports whether a process runs; one that has ended and that nobody waits for
// does not.
func runs(pid int) bool {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !strings.Contains(string(b), ") Z ")
}
