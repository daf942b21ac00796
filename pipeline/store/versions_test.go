package store

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"descbench/eval/must"
	"descbench/eval/scope"
)

// testdata has a small example of every file that this program reads back, written
// once.

// exampleResults unpacks testdata/results.
func exampleResults(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	must.Do(t, os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "results"))))
	unpack(t, filepath.Join(dir, "results.sqlite.gz"), filepath.Join(dir, "results.sqlite"))
	return dir
}

func unpack(t *testing.T, from, to string) {
	t.Helper()
	packed, err := os.Open(from)
	must.Do(t, err)
	defer packed.Close()
	z, err := gzip.NewReader(packed)
	must.Do(t, err)
	err = WriteFile(to, func(w io.Writer) error {
		_, err := io.Copy(w, z)
		return err
	})
	must.Do(t, err)
}

func TestExamplesOfResultsAreRead(t *testing.T) {
	dir := exampleResults(t)
	want := NewSummary(sampleRun())
	if s, err := ReadSummary(filepath.Join(dir, "summary.json")); err != nil || !reflect.DeepEqual(s, want) {
		t.Errorf("summary.json: %+v, %v", s, err)
	}
	if err := ReadMetricsCSV(filepath.Join(dir, "metrics.csv"), func(string, scope.Metric) {}); err != nil {
		t.Error(err)
	}
	rows, err := ReadResults(t.Context(), filepath.Join(dir, "results.sqlite"), "")
	if micro := sqlRows(t, filepath.Join(dir, "results.sqlite"), "SELECT true_map_micro FROM results"); err != nil || len(rows) != 2 || micro[0] != "0.625" {
		t.Errorf("results.sqlite: %v, %v", rows, err)
	}
}
