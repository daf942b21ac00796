package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// docs/cluster.md shows one line each for GNU parallel and make. A line is tried where
// its tool is installed.
func TestShardsRunInParallelByTheLinesOfThePage(t *testing.T) {
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
			shell(t, work, "", line)
			if _, err := os.Stat(filepath.Join(work, "runs", "demo", "summary.json")); err != nil {
				t.Errorf("%s: %v", line, err)
			}
		})
	}
}
