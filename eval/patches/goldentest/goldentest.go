// Package goldentest compares with golden data of the patch benchmark in tests.
package goldentest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"descbench/eval/must"
)

// Folder returns the folder of golden data, or skips. It is in shared below up, the
// relative path to the folder that has the repository, or in the folder that
// DESCBENCH_SHARED names.
func Folder(t testing.TB, up string) string {
	t.Helper()
	shared := os.Getenv("DESCBENCH_SHARED")
	if shared == "" {
		shared = filepath.Join(up, "shared")
	}
	dir := filepath.Join(shared, "golden", "hpatches")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no golden data: %v (DESCBENCH_SHARED names the folder above it)", err)
	}
	return dir
}

// Expected reads the expected values of golden data.
func Expected[T any](t testing.TB, dir string) (expected T) {
	t.Helper()
	text := must.Get(os.ReadFile(filepath.Join(dir, "expected.json")))(t)
	must.Do(t, json.Unmarshal(text, &expected))
	return expected
}

// Open opens a file of any size.
func Open(path string, _ int64) (*os.File, error) { return os.Open(path) }
