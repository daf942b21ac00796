package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestMakeDistInTheCheckoutOfAnotherUserFailsAtOnce(t *testing.T) {
	if _, err := os.Stat(filepath.Join(checkout, ".git")); err != nil {
		t.Skip("this is not a checkout")
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	dist := t.TempDir()
	cmd := exec.CommandContext(ctx, filepath.Join(checkout, ".ci", "dist"), "dev")
	cmd.Env = append(os.Environ(), "DIST="+dist, "HOME="+dist, "GIT_TEST_ASSUME_DIFFERENT_OWNER=1") // as git's own tests
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "dubious ownership") {
		t.Errorf("%v: %s", err, out)
	}
	if _, err := os.Stat(filepath.Join(dist, "system")); err == nil {
		t.Error("a system was made before")
	}
}
