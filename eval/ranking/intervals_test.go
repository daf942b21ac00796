package ranking

import (
	"math"
	"slices"
	"testing"
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

func TestFewScenesHaveNoInterval(t *testing.T) {
	a := newAccumulator(Options{TolerancePx: 3, Ties: Mean, Cutoffs: []int{1, 3}})
	add(t, a, handRecords()[:5]...)
	if got := boundsOf(a.Result()); len(got) > 0 {
		t.Errorf("of 4 scenes: %v", got)
	}
}

// The exact distribution of all 5⁵ resamples, against the one that is drawn.
// Scenes of different size tell a mean over scenes from one over queries.
func TestIntervalsAreThoseOfAllResamples(t *testing.T) {
	sizes := []int{1, 2, 5, 12, 7}
	precise := []float64{1, 1. / 2, 1. / 5, 1. / 3, 1. / 4} // AP of every query
	a := newAccumulator(Options{TolerancePx: 3, Cutoffs: []int{1}})
	for i, scene := range []string{"v_a", "v_b", "i_c", "i_d", "i_e"} {
		rows := make([]row, sizes[i])
		for j := range rows {
			rows[j] = row{truth: 1, less: int32(math.Round(1/precise[i])) - 1, nearest: 1}
		}
		add(t, a, pairOf(scene, 2, 30, 0, rows...))
	}
	var micro, macro []float64
	for draw := range 3125 {
		sum, queries, mean := 0.0, 0, 0.0
		for d := draw + 3125; d > 1; d /= 5 {
			scene := d % 5
			sum += precise[scene] * float64(sizes[scene])
			queries += sizes[scene]
			mean += precise[scene] / 5
		}
		micro = append(micro, sum/float64(queries))
		macro = append(macro, mean)
	}
	got := boundsOf(a.Result())
	for name, all := range map[string][]float64{"true_map_micro": micro, "true_map_macro_by_scene": macro} {
		slices.Sort(all)
		// 2.5 % of 3125 are 78; the share below it in 10000 drawn resamples has a standard
		// deviation of 0.16 %, which is 5 of 3125.
		const at, off = 78, 20
		if b := got[[2]string{"all", name}]; b[0] < all[at-off] || b[0] > all[at+off] || b[1] < all[3124-at-off] || b[1] > all[3124-at+off] {
			t.Errorf("%s: got %v, want about %v to %v", name, b, all[at], all[3124-at])
		}
	}
}
