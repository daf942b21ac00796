package detect

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

func TestABuildWithoutTagsEndsWithOneLineThatNamesThem(t *testing.T) {
	build := exec.CommandContext(t.Context(), "go", "build", "../../...")
	build.Env = append(os.Environ(), "GOFLAGS=")
	out, err := build.CombinedOutput()
	if text := strings.TrimSpace(string(out)); err == nil || strings.Contains(text, "\n") || !strings.Contains(text, `eval "$(make -s env)"`) {
		t.Errorf("%v: %.1000s", err, text)
	}
}
