package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"descbench/eval/must"
	"descbench/eval/ranking"
	"descbench/eval/scope"
)

// resultFiles writes a small file of every kind that is read back by its checksum,
// and returns how to read each.
func resultFiles(t *testing.T) (dir string, read map[string]func() error) {
	t.Helper()
	dir = t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	summary := NewSummary(Run{Experiment: "x"})
	for _, err := range []error{
		writeMetrics(at("metrics.csv"), ranking.Result{Descriptor: "sift", Metrics: []scope.Metric{{Scope: "all", Name: "coverage", Value: 0.5, N: 2}}}),
		WriteSummary(at("summary.json"), summary),
		WriteDatabase(t.Context(), at("results.sqlite"), Run{Experiment: "x"}),
		WriteSums(dir, "metrics.csv", "results.sqlite", "summary.json"),
	} {
		must.Do(t, err)
	}
	return dir, map[string]func() error{
		"metrics.csv": func() error { return ReadMetricsCSV(at("metrics.csv"), func(string, scope.Metric) {}) },
		"summary.json": func() error {
			_, err := ReadSummary(at("summary.json"))
			return err
		},
	}
}

func TestEveryAlteredByteOfAResultIsNoticed(t *testing.T) {
	dir, read := resultFiles(t)
	for name, read := range read {
		t.Run(name, func(t *testing.T) { must.NoticeEveryByte(t, filepath.Join(dir, name), ErrDamaged, read) })
	}
}

// An altered checksum or name of another file may pass, because a reader looks for
// its own line.
func TestAnAlteredByteOfTheChecksumsIsNoticedByTheReadersOfTheirFiles(t *testing.T) {
	dir, read := resultFiles(t)
	path := filepath.Join(dir, SumsFile)
	whole := must.Get(os.ReadFile(path))(t)
	read["results.sqlite"] = func() error {
		_, err := ReadResults(t.Context(), filepath.Join(dir, "results.sqlite"), "")
		return err
	}
	for i := range whole {
		whole[i] ^= 1 << (i % 8)
		must.Do(t, os.WriteFile(path, whole, 0o666))
		whole[i] ^= 1 << (i % 8)
		noticed := false
		for _, read := range read {
			noticed = noticed || errors.Is(read(), ErrDamaged)
		}
		if !noticed {
			t.Errorf("byte %d (%q): no reader noticed", i, whole[i])
		}
	}
}

func TestAResultWithoutItsChecksumIsNotRead(t *testing.T) {
	dir, read := resultFiles(t)
	writeText(t, filepath.Join(dir, SumsFile), "")
	for name, read := range read {
		if err := read(); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s with an empty list: got error %v", name, err)
		}
	}
	must.Do(t, os.Remove(filepath.Join(dir, SumsFile)))
	for name, read := range read {
		if err := read(); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), SumsFile+" is missing") {
			t.Errorf("%s: got error %v", name, err)
		}
	}
}

func TestSumsAreThoseOfTheLastFilesWhenSeveralProcessesFold(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "metrics.csv")
	var wg sync.WaitGroup
	for n := range 4 {
		wg.Go(func() {
			for range 20 {
				result := ranking.Result{Descriptor: "sift", Metrics: []scope.Metric{{Scope: "all", Name: "coverage", Value: float64(n)}}}
				if err := errors.Join(writeMetrics(path, result), WriteSums(dir, "metrics.csv")); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if err := ReadMetricsCSV(path, func(string, scope.Metric) {}); err != nil {
		t.Error(err)
	}
}

func TestNothingIsEnteredIntoARunsOwnDatabase(t *testing.T) {
	dir, _ := resultFiles(t)
	path := filepath.Join(dir, "results.sqlite")
	must.FailAbout(t, EnterShared(t.Context(), path, sampleRun()), path+": belongs to the other results in its folder")
	if rows, err := ReadResults(t.Context(), path, ""); err != nil || len(rows) != 0 {
		t.Errorf("got %v, %v", rows, err)
	}
}

// summed writes the checksum of a result file, so that it can be read.
func summed(t testing.TB, path string) {
	t.Helper()
	must.Do(t, WriteSums(filepath.Dir(path), filepath.Base(path)))
}
