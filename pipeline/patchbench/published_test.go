package patchbench

import (
	"math"
	"slices"
	"strings"
	"testing"

	"descbench/eval/patches"
	"descbench/eval/patches/y2017"
	"descbench/pipeline/dataset"
)

func resultOn(split string, protocol y2017.Protocol, sequences ...string) *y2017.Result {
	r := &y2017.Result{Split: split, Protocol: protocol, Distance: patches.L2}
	for _, name := range sequences {
		r.Sequences = append(r.Sequences, y2017.SequenceFigures{Name: name})
	}
	return r
}

// The rates, in per cent, are those that the sources print.
func TestPublishedResultsStandBesideDescriptorsOfTheirNameDimensionAndSplit(t *testing.T) {
	names := dataset.HPatchesNames()
	full, a := resultOn("full", y2017.P17, names...), resultOn("a", y2017.P17, names[:40]...)
	l1 := resultOn("a", y2017.Grouped, names[:40]...)
	l1.Distance = patches.L1
	nan := math.NaN()
	byName := "known by the name of the folder only"
	type row struct{ verification, matching, retrieval float64 }
	for _, c := range []struct {
		name       string
		own        bool
		dim        int
		result     *y2017.Result
		normalised bool
		rows       []row
		deviations []string // of the first row
	}{
		{"sift", false, 128, full, false, []row{{65.12, 25.47, nan}, {nan, 26.15, nan}}, []string{byName}},
		{"sift", true, 128, a, false, []row{{63.35, 24.42, 42.10}, {nan, 25.32, nan}}, []string{"described by descbench"}},
		{"opencv-sift", false, 128, a, false, []row{{nan, 25.32, nan}}, []string{byName}},
		{"Root_SIFT", false, 128, full, false, []row{{58.53, 27.22, nan}, {67.33, 32.53, nan}, {nan, 27.22, 42.49}}, []string{byName}},
		{"hardnetplus", false, 128, full, true, []row{{88.43, 52.79, nan}, {nan, 52.76, 69.66}}, []string{byName, "normalised descriptors here"}},
		{"brief", false, 256, l1, false, []row{{56.56, 9.21, 24.96}}, []string{byName, "protocol: ours grouped, published p17", "distance: ours L1, published L2"}},
	} {
		got, reason := (&Source{Name: c.name, own: c.own}).published(c.result, c.dim, c.normalised)
		var rows []row
		for _, p := range got {
			rows = append(rows, row{float64(p.Verification), float64(p.Matching), float64(p.Retrieval)})
		}
		if !slices.EqualFunc(rows, c.rows, func(a, b row) bool {
			near := func(x, y float64) bool { return math.Abs(100*x-y) < 1e-9 || math.IsNaN(x) && math.IsNaN(y) }
			return near(a.verification, b.verification) && near(a.matching, b.matching) && near(a.retrieval, b.retrieval)
		}) || reason != "" {
			t.Errorf("%s, split %s: %v %q, want %v", c.name, c.result.Split, rows, reason, c.rows)
			continue
		}
		if !slices.Equal(got[0].Deviations, c.deviations) {
			t.Errorf("%s, split %s: deviations %q, want %q", c.name, c.result.Split, got[0].Deviations, c.deviations)
		}
	}
}

func TestOneReasonSaysWhyNoPublishedResultsAreShown(t *testing.T) {
	names := dataset.HPatchesNames()
	for _, c := range []struct {
		name   string
		dim    int
		result *y2017.Result
		want   string
	}{
		{"mine", 128, resultOn("full", y2017.P17, names...), "no published results of a descriptor named mine"},
		{"sift", 64, resultOn("full", y2017.P17, names...), "sift has 64 dimensions, the published one 128"},
		{"hardnet+", 128, resultOn("full", y2017.P17, "i_ski", "v_here"), "they are of HPatches, which has no sequence v_here"},
		{"sosnet", 128, resultOn("a", y2017.P17, names[:40]...), "on split a: those of sosnet are on full"},
		{"sift", 128, resultOn("a", y2017.P17, names[:4]...), "they are of 40 sequences, split a has 4 here"},
	} {
		if got, reason := (&Source{Name: c.name}).published(c.result, c.dim, false); got != nil || !strings.Contains(reason, c.want) {
			t.Errorf("%s: %v, %q, want %q", c.name, got, reason, c.want)
		}
	}
}
