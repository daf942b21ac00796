package compare

import (
	"descbench/eval/catalogue"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"descbench/eval/must"
)

// All 5⁵ resamples of five scenes; areas as sums of thin columns under the curve.
func TestPooledDifferencesAgreeWithAllResamples(t *testing.T) {
	area := func(errors []float64) float64 {
		const limit, columns = 5.0, 500
		below := slices.DeleteFunc(slices.Sorted(slices.Values(errors)), func(e float64) bool { return e >= limit })
		sum := 0.0
		for i := range columns {
			x := limit * (float64(i) + 0.5) / columns
			at, _ := slices.BinarySearch(below, x)
			recall := float64(at)
			if at < len(below) {
				from := 0.0
				if at > 0 {
					from = below[at-1]
				}
				recall += (x - from) / (below[at] - from)
			}
			sum += recall / float64(len(errors)) / columns
		}
		return sum
	}
	median := func(values []float64) float64 {
		s := slices.Sorted(slices.Values(values))
		return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
	}
	mean := func(values []float64) float64 {
		sum := 0.0
		for _, v := range values {
			sum += v
		}
		return sum / float64(len(values))
	}
	for metric, of := range map[string]func([]float64) float64{"ransac_homography_auc@5": area, "symmetric_precision_median@3": median, "hit@1": mean} {
		rng := rand.New(rand.NewPCG(3, 4))
		descriptor := func(name string, scale float64) (*Descriptor, [][]float64) {
			d := &Descriptor{Name: name, Scenes: make(map[string]SceneValue)}
			var scenes [][]float64
			var all []float64
			for i := range 5 {
				var values []float64
				for range 3 + i {
					values = append(values, scale*8*rng.Float64()*rng.Float64())
				}
				pairs := slices.Clone(values)
				for i, e := range values {
					if metric == "ransac_homography_auc@5" { // the triangle that is lacking in a square
						if pairs[i] = 0; e < 5 {
							pairs[i] = (25 - e*5/2) / 25
						}
					}
				}
				scenes, all = append(scenes, values), append(all, values...)
				d.Scenes[fmt.Sprint("v_", i)] = SceneValue{Value: of(values), N: len(values), Pairs: pairs}
			}
			d.Pooled = of(all)
			if metric == "ransac_homography_auc@5" { // by its definition, as runs have it
				d.Pooled = d.pooled(catalogue.Of(metric), d.defined())(nil)
			}
			return d, scenes
		}
		base, first := descriptor("base", 1)
		other, second := descriptor("other", 0.8)
		c := Against(base, catalogue.Of(metric))
		must.Do(t, c.Add(other))
		resampled := func(draw int) float64 {
			var a, b []float64
			for range 5 {
				a, b = append(a, first[draw%5]...), append(b, second[draw%5]...)
				draw /= 5
			}
			return of(b) - of(a)
		}
		var all []float64
		for draw := range 5 * 5 * 5 * 5 * 5 {
			all = append(all, resampled(draw))
		}
		slices.Sort(all)
		each := 0 + 1*5 + 2*25 + 3*125 + 4*625 // every scene once
		row := c.out.Row("other", "all")
		if want := resampled(each); math.Abs(float64(row.PooledDifference)-want) > 1e-3 || math.Abs(float64(row.Pooled-row.BaselinePooled)-want) > 1e-3 {
			t.Errorf("%s: pooled difference %v, want %v", metric, row.PooledDifference, want)
		}
		// Each limit is a quantile of 1000 draws, whose probability has a standard deviation of 0.005.
		for limit, q := range map[float64]float64{float64(row.PooledLow): 0.025, float64(row.PooledHigh): 0.975} {
			below, _ := slices.BinarySearch(all, limit-1e-3)
			upTo, _ := slices.BinarySearch(all, limit+1e-3)
			if n := float64(len(all)); float64(below)/n > q+0.015 || float64(upTo)/n < q-0.015 {
				t.Errorf("%s: %v is no %v quantile: %v of the resamples are below, %v up to it", metric, limit, q, float64(below)/n, float64(upTo)/n)
			}
		}
	}
}
