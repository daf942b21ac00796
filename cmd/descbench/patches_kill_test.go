package main

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Commands that fill a folder part by part are killed at several moments in the same
// folder and then repeated to the end. The folder must hold the same bytes as after
// an undisturbed run, and no temporary files.
func TestKilledPatchCommandsResumeToTheSameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("runs and kills commands; run without -short")
	}
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "descbench") // TestMain runs main under this name
	if err := os.Symlink(self, program); err != nil {
		t.Fatal(err)
	}
	scenes, err := filepath.Abs("../../testdata/scenes")
	if err != nil {
		t.Fatal(err)
	}
	command := func(args string, out string) *exec.Cmd {
		cmd := exec.Command(program, append(strings.Fields(args), "--out", out, "--quiet", "--jobs", "2")...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "DESCBENCH_CACHE="+filepath.Join(dir, "cache"))
		return cmd
	}
	for i, c := range []struct{ name, args string }{
		{"strips", "patches extract --keypoints " + filepath.Dir(filepath.Dir(scenes)) + "/configs/demo.yaml#sift_2k --scenes i_synth_001,v_synth_001 --limit 20"},
		{"described", "patches describe --strips strips --type sift"},
		{"tasks", "patches tasks --strips strips --pairs 20000"},
		{"scenes", "dataset synth --scenes 4 --size 160x128"},
	} {
		start := time.Now()
		if text, err := command(c.args, c.name).CombinedOutput(); err != nil {
			t.Fatalf("descbench %s: %v\n%s", c.args, err, text)
		}
		took := time.Since(start)
		killed := filepath.Join(dir, "killed", c.name)
		for k := range 3 {
			cmd := command(c.args, killed)
			var text bytes.Buffer
			cmd.Stderr = &text
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			timer := time.AfterFunc(took*time.Duration(k+1)/4, func() { _ = cmd.Process.Kill() })
			_ = cmd.Wait()
			timer.Stop()
			if status := cmd.ProcessState.ExitCode(); status > 0 { // -1: killed
				t.Fatalf("series %d, run %d: descbench %s: status %d\n%s", i, k, c.args, status, text.Bytes())
			}
		}
		if text, err := command(c.args, killed).CombinedOutput(); err != nil {
			t.Fatalf("repeated: descbench %s: %v\n%s", c.args, err, text)
		}
		want, got := contents(t, filepath.Join(dir, c.name)), contents(t, killed)
		for path := range want {
			if got[path] != want[path] {
				t.Errorf("descbench %s: %s differs after kills", c.args, path)
			}
		}
		for path := range got {
			if _, ok := want[path]; !ok {
				t.Errorf("descbench %s: %s is left after kills", c.args, path)
			}
		}
	}
}

// contents returns the contents of all files in dir and below by relative path, and
// the folders.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			all[relative] = "a folder"
			return nil
		}
		text, err := os.ReadFile(path)
		all[relative] = "a file: " + string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
