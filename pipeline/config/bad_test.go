package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"descbench/descriptors"
	"descbench/eval/must"
	"descbench/eval/spelling"
	"descbench/keypoints"
)

// A badFile is a testdata/*.bad.yml, which has comments: "# want LINE: FAULT" for each fault that Load
// finds in it, where <detectors> and <kinds> stand for the names in the program's tables, and "# beyond the schema"
// if no JSON Schema can see the fault: it is in the notation, or takes two places of the file to see, or --data
// mends it.
type badFile struct {
	path         string
	want         string // the error of Load
	beyondSchema bool
}

func badFiles(t *testing.T) (all []badFile) {
	t.Helper()
	detectors := spelling.Words(keypoints.Detectors(), func(d keypoints.Detector) string { return d.Name })
	kinds := spelling.Words(descriptors.Kinds(), func(k descriptors.Kind) string { return k.Name })
	tables := strings.NewReplacer("<detectors>", strings.Join(append(detectors, commandType), ", "), "<kinds>", strings.Join(kinds, ", "))
	for _, path := range must.Get(filepath.Glob("testdata/*.bad.yml"))(t) {
		bad := badFile{path: path}
		for line := range strings.Lines(string(must.Get(os.ReadFile(path))(t))) {
			if fault, is := strings.CutPrefix(line, "# want "); is {
				bad.want += path + ":" + tables.Replace(fault)
			}
			bad.beyondSchema = bad.beyondSchema || line == "# beyond the schema\n"
		}
		bad.want = strings.TrimSuffix(bad.want, "\n")
		all = append(all, bad)
	}
	return all
}

func TestBadFilesAreRefusedWithLineKeyAndReason(t *testing.T) {
	for _, bad := range badFiles(t) {
		t.Run(filepath.Base(bad.path), func(t *testing.T) {
			c, err := Load(bad.path, Overrides{})
			if err == nil {
				t.Fatalf("loaded as\n%s", c.YAML())
			}
			if err.Error() != bad.want {
				t.Errorf("got\n%s\nwant\n%s", err, bad.want)
			}
			var e *Error
			if !errors.As(err, &e) || e.File != bad.path || e.Line == 0 || e.Msg == "" {
				t.Errorf("the first fault is %+v, want file, line and message", e)
			}
		})
	}
}
