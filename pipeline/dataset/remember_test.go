package dataset

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"descbench/eval/must"
)

func TestChangesOfFilesUsedBeforeAreNamed(t *testing.T) {
	const name = "v_synth_001"
	cache := t.TempDir()
	for what, c := range map[string]struct {
		change func(dir string) error
		want   []string // in the message; nil: no change
	}{
		"nothing": {func(string) error { return nil }, nil},
		"a byte of an image": {func(dir string) error {
			file := filepath.Join(dir, "3.ppm")
			data, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			data[len(data)/2] ^= 1
			return os.WriteFile(file, data, 0o666)
		}, []string{name + "/3.ppm: has changed since 20", "was "}},
		"the scale of a homography": {func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "H_1_2"), []byte("2 0 0 0 2 0 0 0 2"), 0o666)
		},
			[]string{name + "/H_1_2: has changed since"}},
		"another format": {func(dir string) error { return os.Rename(filepath.Join(dir, "2.ppm"), filepath.Join(dir, "2.pnm")) },
			[]string{name + "/2.pnm: has changed", "was not there"}},
		"an image fewer": {func(dir string) error {
			return os.Rename(filepath.Join(dir, "3.ppm"), filepath.Join(dir, "x"))
		}, []string{name + ": has 3 files, but had 5"}},
	} {
		t.Run(what, func(t *testing.T) {
			root := t.TempDir()
			dir := filepath.Join(root, name)
			must.Do(t, os.Mkdir(dir, 0o777))
			for file, content := range map[string]string{
				"1.ppm": "P6 9 9 255\n" + strings.Repeat("abc", 81), "2.ppm": "P6 9 9 255\n" + strings.Repeat("xyz", 81), "3.ppm": "P6 9 9 255\n" + strings.Repeat("123", 81),
				"H_1_2": "1 0 0 0 1 0 0 0 1", "H_1_3": "1 0 1 0 1 0 0 0 1",
			} {
				must.Do(t, os.WriteFile(filepath.Join(dir, file), []byte(content), 0o666))
			}
			open := func() (*Scene, bool, error) {
				s := must.Get((Source{Root: root}).Open(t.Context(), name, 1))(t)
				known, err := s.Remembered(cache)
				return s, known, err
			}
			s, known, err := open()
			if known || err != nil {
				t.Fatalf("before: %v, %v", known, err)
			}
			kept := must.Get(s.Remember(cache))(t)
			must.Do(t, c.change(dir))
			if what == "an image fewer" {
				must.Do(t, os.Remove(filepath.Join(dir, "H_1_3")))
			}
			_, known, err = open()
			if c.want == nil {
				if !known || err != nil {
					t.Fatalf("unchanged: %v, %v", known, err)
				}
				return
			}
			if known || err == nil {
				t.Fatal("no error")
			}
			for _, part := range append(c.want, " right, remove "+kept) {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("found %v, want %q", err, part)
				}
			}
			// The cure in the message helps.
			must.Do(t, os.RemoveAll(kept))
			if _, known, err = open(); known || err != nil {
				t.Errorf("after the cure: %v, %v", known, err)
			}
		})
	}
}
