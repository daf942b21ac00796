package fold_test

import (
	"math"
	"slices"
	"testing"

	"descbench/eval/matching"
	"descbench/eval/must"
	"descbench/eval/scope"
	"descbench/pipeline/fold"
)

// Metrics at thresholds that a run does not have are worked out anew, from its records, in all
// scopes.
func TestMetricsAtAnyThresholdAreComputedFromTheRecords(t *testing.T) {
	f := runSize{scenes: 4, descriptors: 2, keypoints: 40}.write(t)
	must.Get(fold.Fold(t.Context(), f))(t)
	runs := must.Get(fold.Open([]string{string(f)}, nil))(t)
	run, s := runs.Runs[0], runs.Systems[1]
	must.Do(t, run.Compute("mma@15", "MMA@2.50", "homography_auc@4", "ransac_homography_accuracy@0.5", "mma@3", "mma@25", "map_macro", "no such"))
	must.Do(t, runs.Read())

	within15, within, pairs := 0., 0., 0.
	draws := make([][]float64, 5)
	for _, scene := range run.Scenes() {
		for _, r := range must.Get(s.Records(scene))(t) {
			var matches, up15, up float64
			for _, q := range r.Queries {
				if !q.Mutual {
					continue
				}
				matches++
				if q.NearestError <= 15 {
					up15++
				}
				if q.NearestError <= 2.5 {
					up++
				}
			}
			within15, within, pairs = within15+up15/matches, within+up/matches, pairs+1
			for draw, e := range matching.EstimateErrors(&r.Pair) {
				draws[draw] = append(draws[draw], e.Px)
			}
		}
	}
	area, accuracy := 0., 0.
	for _, errors := range draws {
		area += trapezoids(errors, 4) / 5
		for _, px := range errors {
			if px <= 0.5 {
				accuracy += 1 / pairs / 5
			}
		}
	}
	for name, want := range map[string]float64{"mma@15": within15 / pairs, "mma@2.5": within / pairs, "ransac_homography_auc@4": area, "ransac_homography_accuracy@0.5": accuracy} {
		if m, ok := s.Metric(scope.All, name); !ok || math.Abs(m.Value-want) > 1e-12 || m.N != 20 {
			t.Errorf("%s is %+v, want %v", name, m, want)
		}
		if !slices.Contains(run.MetricNames(), name) {
			t.Errorf("the run does not name %s", name)
		}
	}
	for _, in := range []string{scope.Viewpoint, "k:3"} {
		if _, ok := s.Metric(in, "ransac_homography_auc@4_std"); !ok {
			t.Errorf("no deviation in %s", in)
		}
	}
	if _, ok := s.Metric(scope.All, "mma@25"); ok {
		t.Error("mma@25 is computed")
	}
}

// trapezoids is pose_auc of SuperGlue's models/utils.py.
func trapezoids(errors []float64, limit float64) (area float64) {
	x, y := []float64{0}, []float64{0}
	for i, e := range slices.Sorted(slices.Values(errors)) {
		if e < limit {
			x, y = append(x, e), append(y, float64(i+1)/float64(len(errors)))
		}
	}
	x, y = append(x, limit), append(y, y[len(y)-1])
	for i := range x[1:] {
		area += (x[i+1] - x[i]) * (y[i+1] + y[i]) / 2
	}
	return area / limit
}
