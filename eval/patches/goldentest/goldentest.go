// Package goldentest compares with golden data of the patch benchmark in tests.
package goldentest

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
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
func Expected(t testing.TB, dir string) (expected map[string]map[string]any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &expected); err != nil {
		t.Fatal(err)
	}
	return expected
}

// A Comparison holds what JSON says against what is expected: every expected field
// must be there, but for those of the original code's faults and those that explain.
type Comparison struct {
	T       *testing.T
	largest float64
	count   int
}

// Same compares the values at a path.
func (c *Comparison) Same(path string, got, want any) {
	c.T.Helper()
	switch want := want.(type) {
	case map[string]any:
		got, ok := got.(map[string]any)
		if !ok {
			c.T.Errorf("%s: not an object", path)
			return
		}
		for name, w := range want {
			if strings.Contains(name, "ascoded") || name == "exact" {
				continue
			}
			g, ok := got[name]
			if !ok {
				c.T.Errorf("%s: no field %s", path, name)
				continue
			}
			c.Same(path+"/"+name, g, w)
		}
	case []any:
		got, _ := got.([]any)
		if len(got) != len(want) {
			c.T.Errorf("%s: %d entries, want %d", path, len(got), len(want))
			return
		}
		for i := range want {
			c.Same(path+"/"+strconv.Itoa(i), got[i], want[i])
		}
	case float64:
		c.count++
		g, ok := got.(float64)
		d := math.Abs(g - want)
		c.largest = max(c.largest, d)
		if !ok || !(d <= 1e-9) {
			c.T.Errorf("%s: got %v, want %v", path, got, want)
		}
	default:
		c.count++
		if got != want {
			c.T.Errorf("%s: got %v, want %v", path, got, want)
		}
	}
}

// Report logs the largest deviation, and fails if nothing was compared.
func (c *Comparison) Report() {
	c.T.Helper()
	if c.count == 0 {
		c.T.Error("nothing was compared")
	}
	c.T.Logf("%d figures, largest deviation %.1e", c.count, c.largest)
}
