package pipeline

import (
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"descbench/pipeline/config"
	"descbench/pipeline/plan"
)

func loadText(t *testing.T, dir, text string) *config.Config {
	t.Helper()
	root, err := filepath.Abs("../testdata/scenes")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "config.yaml")
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(text, "ROOT", root)), 0o666); err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load(path, config.Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

func quietOptions(cache string) plan.Options {
	return plan.Options{Jobs: 2, CacheDir: cache, Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
}
