package patchbench

import (
	"slices"
	"testing"

	"descbench/eval/patches"
	"descbench/eval/patches/y2017"
)

// The rates are those in the result files of the source.
func TestPublishedResultsStandBesideDescriptorsOfTheirNameAndDimension(t *testing.T) {
	full := &y2017.Result{Split: "full", Protocol: y2017.P17, Distance: patches.L2, Sequences: make([]y2017.SequenceFigures, 116)}
	byName := "known by the name of the folder only"
	for _, c := range []struct {
		name       string
		own        bool
		dim        int
		result     *y2017.Result
		normalised bool
		matching   float64 // 0 if nothing is published
		deviations []string
	}{
		{"sift", false, 128, full, false, .2547, []string{byName}},
		{"Root_SIFT", false, 128, full, false, .2722, []string{byName}},
		{"tfeat-margin-star", false, 128, full, false, .3268, []string{byName}},
		{"hardnetplus", false, 128, full, true, .5279, []string{byName, "normalised descriptors"}},
		{"sift", true, 128, full, false, 0, nil},
		{"sift", false, 64, full, false, 0, nil},
		{"brief", false, 128, full, false, 0, nil},
		{"mine", false, 128, full, false, 0, nil},
		{"sift", false, 128, &y2017.Result{Split: "a", Protocol: y2017.Grouped, Distance: patches.L1, Sequences: make([]y2017.SequenceFigures, 4)}, false, .2442,
			[]string{byName, "4 sequences (not 40)", "protocol grouped (not p17)", "distance L1 (not L2)"}},
		{"brief", false, 256, &y2017.Result{Split: "b", Protocol: y2017.P17, Distance: patches.L2, Sequences: make([]y2017.SequenceFigures, 40)}, false, .1048,
			[]string{byName, "split b (not full)", "40 sequences (not 116)"}},
	} {
		got := (&Source{Name: c.name, own: c.own}).published(c.result, c.dim, c.normalised)
		switch {
		case got == nil && c.matching == 0:
		case got == nil || got.Matching != c.matching || !slices.Equal(got.Deviations, c.deviations):
			t.Errorf("%s with %d dimensions: %+v, want %v and %v", c.name, c.dim, got, c.matching, c.deviations)
		}
	}
}
