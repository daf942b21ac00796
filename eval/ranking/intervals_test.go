package ranking

import (
	"math"
	"slices"
	"strings"
	"testing"

	"descbench/eval/scope"
)

// bounds are those of a metric, by scope and name.
type bounds map[[2]string][2]float64

func boundsOf(r Result) bounds {
	out := make(bounds)
	for _, m := range r.Metrics {
		if !math.IsNaN(m.Low) || !math.IsNaN(m.High) {
			out[[2]string{m.Scope, m.Name}] = [2]float64{m.Low, m.High}
		}
	}
	return out
}

// With two scenes, one in four resamples draws the lower one twice, with three,
// one in 27 draws it three times: more than 2.5 %, so that the interval reaches
// from the lowest scene to the highest.
func TestIntervalsOfTwoAndThreeScenesReachFromTheLowestToTheHighest(t *testing.T) {
	got := boundsOf(handResult(t))
	for key, want := range (bounds{
		{"all", "true_map_micro"}:                            {67. / 150, 1},
		{"all", "true_map_macro_by_scene"}:                   {67. / 150, 1},
		{"all", "viewpoint_map_including_zeros"}:             {0, 67. / 240},
		{"all", "precision_at_1"}:                            {1. / 5, 1},
		{"all", "recall_at_3"}:                               {3. / 5, 1},
		{"all", "mean_gallery_size"}:                         {1, 22. / 5},
		{scope.Viewpoint, "true_map_micro_including_zeros"}:  {0, 67. / 240},
		{scope.Viewpoint, "coverage"}:                        {0, 5. / 8},
		{scope.Viewpoint, "mean_precision"}:                  {0, 1. / 4},
		{scope.Viewpoint, "legacy_macro_precision_by_scene"}: {0, 1. / 4},
		{"k:2", "true_map_macro_by_scene"}:                   {11. / 20, 1},
		{"k:2", "true_map_macro_by_scene_including_zeros"}:   {33. / 80, 1},
		{"k:3", "true_map_micro_including_zeros"}:            {0, 7. / 48},
	}) {
		if b, ok := got[key]; !ok || math.Abs(b[0]-want[0]) > 1e-12 || math.Abs(b[1]-want[1]) > 1e-12 {
			t.Errorf("%v: got %v, want %v", key, b, want)
		}
	}
}

func TestOneSceneAndTotalsHaveNoInterval(t *testing.T) {
	for key := range boundsOf(handResult(t)) {
		covers, name := key[0], key[1]
		switch {
		case covers == scope.Illumination, covers == scope.Other, strings.Contains(covers, ":") && !strings.HasPrefix(covers, "k:"), strings.HasPrefix(name, "total_"):
			t.Errorf("%v has an interval", key)
		case name == "viewpoint_map", name == "illumination_map": // of v_one alone, of i_two alone
			t.Errorf("%v has an interval", key)
		}
	}
}

// The exact distribution of all 4⁴ resamples, against the one that is drawn.
// Scenes of different size tell a mean over scenes from one over queries.
func TestIntervalsAreThoseOfAllResamples(t *testing.T) {
	sizes := []int{1, 2, 5, 12}
	precise := []float64{1, 1. / 2, 1. / 5, 1. / 3} // AP of every query
	a := newAccumulator(Options{TolerancePx: 3, Cutoffs: []int{1}})
	for i, scene := range []string{"v_a", "v_b", "i_c", "i_d"} {
		rows := make([]row, sizes[i])
		for j := range rows {
			rows[j] = row{truth: 1, less: int32(math.Round(1/precise[i])) - 1, nearest: 1}
		}
		add(t, a, pairOf(scene, 2, 30, 0, rows...))
	}
	var micro, macro []float64
	for draw := range 4 * 4 * 4 * 4 {
		sum, queries, mean := 0.0, 0, 0.0
		for d := draw + 256; d > 1; d /= 4 {
			scene := d % 4
			sum += precise[scene] * float64(sizes[scene])
			queries += sizes[scene]
			mean += precise[scene] / 4
		}
		micro = append(micro, sum/float64(queries))
		macro = append(macro, mean)
	}
	got := boundsOf(a.Result())
	for name, all := range map[string][]float64{"true_map_micro": micro, "true_map_macro_by_scene": macro} {
		slices.Sort(all)
		// 2.5 % of 256 are 6.4, amid equal values.
		low, high := all[6], all[249]
		if b := got[[2]string{"all", name}]; math.Abs(b[0]-low) > 1e-12 || math.Abs(b[1]-high) > 1e-12 {
			t.Errorf("%s: got %v, want %v to %v", name, b, low, high)
		}
	}
}

func TestIntervalsDoNotDependOnTheOrderOfPairs(t *testing.T) {
	records := handRecords()
	want := text(handResult(t))
	slices.Reverse(records)
	a := newAccumulator(Options{TolerancePx: 3, Ties: Mean, Cutoffs: []int{1, 3}})
	a.Fail("i_six", "image 3 is not readable")
	add(t, a, records...)
	if got := text(a.Result()); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
