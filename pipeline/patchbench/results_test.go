package patchbench

import (
	"context"
	"errors"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"descbench/eval/scope"
	"descbench/pipeline/plan"
	"descbench/pipeline/report"
	"descbench/pipeline/store"
)

// made is a result with a matching mAP for every sequence.
func made(descriptor string, values map[string]float64) Result {
	r := Result{
		Protocol: Protocol{
			Task: "evaluate", Benchmark: "a", Protocol: "grouped", Distance: "L2",
			Definitions: map[string]string{"matching": "pairs"}, Data: "data of " + descriptor,
		},
		Descriptor: descriptor, Type: "float32", Dimension: 1,
	}
	for _, sequence := range slices.Sorted(maps.Keys(values)) {
		r.Metrics = append(r.Metrics, scope.Metric{
			Scope: "scene:" + sequence, Name: "patch_matching_map_mean", Value: values[sequence], Low: math.NaN(), High: math.NaN(), N: 15,
		})
	}
	return r
}

// byDescriptor reads a database: the figures of sequences.
func byDescriptor(t *testing.T, path string) map[string][]float64 {
	t.Helper()
	list, err := store.ReadResults(context.Background(), path, store.Selection{Prefix: store.PatchPrefix})
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[string][]float64)
	for _, e := range list {
		for _, m := range e.Metrics {
			found[e.Descriptor] = append(found[e.Descriptor], m.Value)
		}
	}
	return found
}

func TestAFolderOfPatchResultsHoldsTheLastOnesAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	values := map[string]float64{"i_a": 0.25, "v_b": 1. / 3}
	for _, names := range [][]string{{"sift", "orb"}, {"surf"}} {
		var results []Result
		for _, name := range names {
			results = append(results, made(name, values))
		}
		files, err := writeFolder(context.Background(), dir, "test", results)
		if err != nil {
			t.Fatal(err)
		}
		if want := []string{filepath.Join(dir, "metrics.csv"), filepath.Join(dir, "results.sqlite"), filepath.Join(dir, "SHA256SUMS")}; !slices.Equal(files, want) {
			t.Errorf("files %q, want %q", files, want)
		}
		found := byDescriptor(t, files[1])
		read := make(map[string][]float64)
		if err := store.ReadMetricsCSV(files[0], func(d string, m scope.Metric) { read[d] = append(read[d], m.Value) }); err != nil {
			t.Fatal(err)
		}
		for where, got := range map[string]map[string][]float64{"database": found, "metrics.csv": read} {
			if len(got) != len(names) {
				t.Errorf("%s has %v, want %q", where, got, names)
			}
			for _, name := range names {
				if want := []float64{0.25, 1. / 3}; !slices.Equal(got[name], want) {
					t.Errorf("%s: %s has %v, want %v", where, name, got[name], want)
				}
			}
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 3 {
		t.Errorf("found %v, want the two files and their checksums", entries)
	}
}

func TestPatchResultsThatCannotBeWrittenLeaveEarlierOnes(t *testing.T) {
	dir := t.TempDir()
	if _, err := writeFolder(context.Background(), dir, "test", []Result{made("sift", map[string]float64{"v_a": 0.5})}); err != nil {
		t.Fatal(err)
	}
	faulty := made("sift", map[string]float64{"v_a": math.NaN()})
	var place *plan.DataError
	if _, err := writeFolder(context.Background(), dir, "test", []Result{faulty}); !errors.As(err, &place) {
		t.Errorf("got %v, want a DataError", err)
	}
	if got := byDescriptor(t, filepath.Join(dir, "results.sqlite"))["sift"]; !slices.Equal(got, []float64{0.5}) {
		t.Errorf("the earlier database has %v, want 0.5", got)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 3 {
		t.Errorf("found %v, want the two files and their checksums", entries)
	}
}

// The differences of one sequence each are known, and so are their mean, the
// exchanges of signs, and the standard deviation.
func TestPatchComparisonAgreesWithFiguresByHand(t *testing.T) {
	base := map[string]float64{"v_1": 0.5, "v_2": 0.5, "v_3": 0.5, "i_1": 0.5, "i_2": 0.5, "i_3": 0.5}
	other := map[string]float64{"v_1": 0.6, "v_2": 0.7, "v_3": 0.8, "i_1": 0.6, "i_2": 0.7, "i_3": 0.5}
	path := filepath.Join(t.TempDir(), "shared.sqlite")
	for _, r := range []Result{made("base", base), made("other", other)} {
		if err := enter(context.Background(), path, "test", r); err != nil {
			t.Fatal(err)
		}
	}
	c, err := Compare(context.Background(), []string{path}, CompareOptions{Baseline: "base", Metric: "patch_matching_map_mean"})
	if err != nil {
		t.Fatal(err)
	}
	// 0.1, 0.2, 0.3, 0.1, 0.2, 0: of the signs of the five that are not 0,
	// those of one kind alone are as extreme.
	row := rowOf(t, c, "other", "all")
	squares := 2*0.05*0.05 + 2*0.05*0.05 + 0.15*0.15 + 0.15*0.15
	for what, v := range map[string][2]float64{
		"difference": {float64(row.Difference), 0.15},
		"p":          {float64(row.P), 2. / 32},
		"effect":     {float64(row.EffectSize), 0.15 / math.Sqrt(squares/5)},
	} {
		if math.Abs(v[0]-v[1]) > 1e-12 {
			t.Errorf("%s: got %v, want %v", what, v[0], v[1])
		}
	}
	if row.Scenes != 6 || row.Wins != 5 || row.Ties != 1 || row.Losses != 0 || row.Verdict != "~" {
		t.Errorf("got %+v, want 6 scenes, 5 wins, a tie and no claim", row)
	}
	if got := float64(rowOf(t, c, "other", "illumination").Difference); math.Abs(got-0.1) > 1e-12 {
		t.Errorf("illumination: %v, want 0.1", got)
	}
	if got := float64(rowOf(t, c, "other", "viewpoint").Difference); math.Abs(got-0.2) > 1e-12 {
		t.Errorf("viewpoint: %v, want 0.2", got)
	}
}

func rowOf(t *testing.T, c *report.Comparison, descriptor, scope string) report.ComparisonRow {
	t.Helper()
	for _, r := range c.Rows {
		if r.Descriptor == descriptor && r.Scope == scope {
			return r
		}
	}
	t.Fatalf("no row %s over %s", descriptor, scope)
	return report.ComparisonRow{}
}
