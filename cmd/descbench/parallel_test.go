package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"descbench/eval/must"
)

// docs/cluster.md shows one line each for GNU parallel and make. A line is tried where
// its tool is installed.
func TestShardsRunInParallelByTheLinesOfThePage(t *testing.T) {
	program, err := exec.LookPath("descbench") // put there by testscript.Main
	must.Do(t, err)
	lines := regexp.MustCompile(`(?m)^(parallel|make) .*--shard.*$`).FindAllString(read(t, filepath.Join(checkout, "docs", "cluster.md")), -1)
	if len(lines) != 2 {
		t.Fatalf("found %q in docs/cluster.md, want a line for parallel and one for make", lines)
	}
	for _, line := range lines {
		tool, _, _ := strings.Cut(line, " ")
		t.Run(tool, func(t *testing.T) {
			if _, err := exec.LookPath(tool); err != nil {
				t.Skipf("%s is not installed", tool)
			}
			work := checkoutLike(t)
			cmd := exec.Command("sh", "-c", line)
			cmd.Dir = work
			cmd.Env = append(environment(), "PATH="+filepath.Dir(program)+":"+os.Getenv("PATH"))
			var said bytes.Buffer
			cmd.Stdout, cmd.Stderr = &said, &said
			if err := cmd.Run(); err != nil {
				t.Fatalf("%s: %v\n%s", line, err, said.String())
			}
			if _, err := os.Stat(filepath.Join(work, "runs", "demo", "summary.json")); err != nil {
				t.Errorf("%s: %v\n%s", line, err, said.String())
			}
		})
	}
}
