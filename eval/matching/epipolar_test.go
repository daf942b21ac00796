package matching

import (
	"math"
	"slices"
	"strings"
	"testing"

	"descbench/eval/fact"
	"descbench/eval/record"
	"descbench/eval/scope"
	"descbench/keypoints"
)

// Both images are to the side of each other, so that epipolar lines are rows: the match is 0.01
// below its line in either image.
func TestEpipolarErrorsWorkedByHand(t *testing.T) {
	for _, c := range []struct{ baseline, squared, mean float64 }{
		{1, 2e-4, 0.01}, {-7, 2e-4, 0.01},
		{1e-4, 2e-4, 0.001}, // |qᵀEp| is 1e-6; glue-factory divides it by √1e-6 instead of 1e-4
	} {
		e := keypoints.Pose{R: keypoints.Identity, T: [3]float64{c.baseline, 0, 0}}.Essential()
		squared, mean := epipolarErrors(e, [2]float64{0, 0}, [2]float64{0, 0.01})
		if math.Abs(squared-c.squared) > 1e-9 || math.Abs(mean-c.mean) > 1e-9 {
			t.Errorf("baseline %v: %v and %v, want %v and %v", c.baseline, squared, mean, c.squared, c.mean)
		}
	}
}

// The counts are those that testdata/epipolar.py prints.
func TestEpipolarErrorsAreThoseOfSuperGlueAndGlueFactory(t *testing.T) {
	c := keypoints.Cameras{First: keypoints.Intrinsics{700, 760, 320, 240}, Other: keypoints.Intrinsics{900, 820, 400, 300},
		Pose: keypoints.Pose{R: [9]float64{.6, 0, .8, 0, 1, 0, -.8, 0, .6}, T: [3]float64{-1.5, .25, .5}}}
	seed := uint32(11)
	next := func() float64 {
		seed = (1103515245*seed + 12345) % (1 << 31)
		return float64((seed>>8)%1000) / 1000
	}
	var queries []record.Query
	var matches []int32
	for i := range 300 {
		u, v := 640*next(), 480*next()
		x, y := c.First.Ray(u, v)
		z := 4 + 4*next()
		at := c.Pose.After(keypoints.Pose{R: keypoints.Identity, T: [3]float64{x * z, y * z, z}}).T
		noise := 2.
		if i%2 == 1 {
			noise = 40
		}
		p := c.Other[0]*at[0]/at[2] + c.Other[2] + noise*(next()-.5)
		q := c.Other[1]*at[1]/at[2] + c.Other[3] + noise*(next()-.5)
		queries = append(queries, record.Query{X: float32(u), Y: float32(v), NearestX: float32(p), NearestY: float32(q)})
		matches = append(matches, int32(i))
	}
	want := epipolarCount{squared: [3]int{197, 263, 296}, mean: [3]int{22, 89, 148}}
	if got := epipolarCounts(c, queries, matches); got != want {
		t.Errorf("found %v, want %v", got, want)
	}
}

// withCameras is the record of a pair of images to the side of each other with so many exact
// matches and so many 10 px below.
func withCameras(scene string, exact, wrong int, errors ...EstimateError) pairRecord {
	r := pairOf(scene, 2, int32(exact+wrong), slices.Repeat([]row{{nearest: none, truth: none}}, exact+wrong)...)
	r.pair.Known1, r.pair.KnownK = -1, -1
	k := keypoints.Intrinsics{100, 100, 50, 50}
	r.pair.SetMapping(keypoints.Space(keypoints.Cameras{First: k, Other: k, Pose: keypoints.Pose{R: keypoints.Identity, T: [3]float64{1, 0, 0}}}, [2]int{100, 100}, [2]int{100, 100}))
	for i := range r.queries {
		q := &r.queries[i]
		q.Nearest, q.NearestDistance, q.Second, q.SecondDistance, q.Mutual = int32(i), 1, 0, 2, true
		q.X, q.Y, q.NearestX, q.NearestY = 50, 50, 40, 50
		if i >= exact {
			q.NearestY = 60
		}
	}
	EnterEstimateErrors(&r.pair, errors)
	return r
}

// The largest errors are 4, 12, none and 10 degrees. The curve is (0, 0) (4, 1/4) (10, 2/4) (12, 3/4).
func TestMetricsOfPosesWorkedByHand(t *testing.T) {
	a := newAccumulator(3)
	add(t, a, withCameras("v_a", 4, 1, EstimateError{"essential", 0, 3, 4}), withCameras("v_b", 1, 2, EstimateError{"essential", 0, 12, 2}),
		withCameras("v_c", 0, 0, EstimateError{"essential", 0, none, none}), withCameras("v_d", 6, 0, EstimateError{"essential", 0, 1, 10}))
	r := a.Result()
	want := map[string]float64{
		"essential_pose_accuracy@5": 1. / 4, "essential_pose_accuracy@10": 2. / 4, "essential_pose_accuracy@20": 3. / 4,
		"essential_pose_auc@5":  (4./8 + 1./4) / 5,
		"essential_pose_auc@10": (4./8 + 6./4) / 10,
		"essential_pose_auc@20": (4./8 + 6*(1./4+2./4)/2 + 2*(2./4+3./4)/2 + 8*3./4) / 20,
		"essential_pose_maa@10": (6./10 + 1./10) / 4, // 4 is below 5 to 10, 10 counts at 10
		// 1, 3, 12, none and 2, 4, 10, none
		"essential_rotation_error_median": 15. / 2, "essential_translation_error_median": 14. / 2,
		"epipolar_precision@1e-4": (4./5 + 1./3 + 1) / 4, "epipolar_precision@5e-4": (4./5 + 1./3 + 1) / 4, "epipolar_precision@1e-3": (4./5 + 1./3 + 1) / 4,
		"epipolar_error_precision@1e-4": (4./5 + 1./3 + 1) / 4, "epipolar_error_precision@5e-4": (4./5 + 1./3 + 1) / 4, "epipolar_error_precision@1e-3": (4./5 + 1./3 + 1) / 4,
		"epipolar_matching_score@5e-4": (4./5 + 1./3 + 1) / 4, "pairs_below_5_matches": 2,
		"matches_per_pair": 14. / 4, "matches_per_pair_median": 4, "mutual_matches_per_pair": 14. / 4, "total_mutual_matches": 14,
		"keypoints_per_image": 14. / 4, "keypoint_spread": 0, "bytes_per_descriptor": 0,
	}
	// What needs the places of points is absent, also the sweeps of the ratio test.
	for _, m := range r.Metrics {
		value, known := want[m.Name]
		if m.Scope == "all" && (!known || math.Abs(m.Value-value) > 1e-15 && !strings.HasPrefix(m.Name, "keypoint")) {
			t.Errorf("%s is %v, want %v (%v)", m.Name, m.Value, value, known)
		}
		if m.Scope == "all" {
			delete(want, m.Name)
		}
	}
	if len(want) > 0 || len(r.Sweeps) > 0 {
		t.Errorf("missing: %v; sweeps %v", want, r.Sweeps)
	}
	if i := slices.IndexFunc(r.Facts, func(f fact.Fact) bool { return f.Kind == fact.FailedPoses }); i < 0 || r.Facts[i].Numbers["n"] != 1 || r.Facts[i].Numbers["of"] != 4 {
		t.Errorf("facts %v, want one failed pose of four", r.Facts)
	}
}

// A median is the mean over draws, too: infinite, which no file can hold, if that of one draw is.
func TestMetricsOfPosesAreMeansOverDraws(t *testing.T) {
	list := &scope.List{}
	p := &pairTally{pair: record.Pair{Cameras: "{}"}}
	for _, degrees := range []float64{6, 4, none} {
		p.estimates = append(p.estimates, EstimateError{"essential", 0, degrees, 0})
	}
	figures{scope.Of([]sceneTally{{Name: "v_a", Parts: []scope.Part[*pairTally]{{K: 2, Tally: p}}}})[0], list, Mutual, false}.poses(poseLimitsDegrees[:], estimates.poseErrors)
	want := map[string]float64{"essential_pose_auc@10": (.7 + .8) / 3, "essential_pose_accuracy@5": 1. / 3, "essential_pose_accuracy@5_std": math.Sqrt(1. / 3), "essential_translation_error_median": 0, "essential_rotation_error_median": none}
	for _, m := range list.Metrics {
		if value, ok := want[m.Name]; ok && math.Abs(m.Value-value) > 1e-15 {
			t.Errorf("%s is %v, want %v", m.Name, m.Value, value)
		}
		delete(want, m.Name)
	}
	if len(want) != 1 || want["essential_rotation_error_median"] != none {
		t.Errorf("missing: %v, want only the infinite median", want)
	}
}

// Matches of other programs without places are not said to be wrong.
func TestNoFactNeedsPlacesThatAreNotKnown(t *testing.T) {
	a := newAccumulator(3)
	r := withCameras("v_a", 0, 300)
	r.pair.Imported = record.ImportedPoints
	add(t, a, r)
	if facts := a.Result().Facts; len(facts) > 0 {
		t.Errorf("facts %v, want none", facts)
	}
}

// Of four matches, one is right, one is of a query outside of image K, one of a hidden one, and one of a query
// without depth. Another scene has no depth.
func TestMatchesThatDepthDoesNotJudgeAreLeftOut(t *testing.T) {
	r, without := withCameras("v_a", 4, 0), withCameras("v_b", 2, 0)
	r.pair.Known1, r.pair.KnownK = 3, 3
	for i, q := range []record.Query{
		{State: keypoints.Visible, NearestError: 0.5, NearestState: keypoints.Visible, NearestError1: 1},
		{State: keypoints.Outside, NearestError: none, NearestState: keypoints.Unknown, NearestError1: none},
		{State: keypoints.Occluded, NearestError: none, NearestState: keypoints.Visible, NearestError1: 20},
		{State: keypoints.Unknown, NearestError: none, NearestState: keypoints.Visible, NearestError1: 20},
	} {
		to := &r.queries[i]
		to.State, to.NearestError, to.NearestState, to.NearestError1 = q.State, q.NearestError, q.NearestState, q.NearestError1
	}
	for i := range without.queries {
		without.queries[i].State = keypoints.Unknown
	}
	a := newAccumulator(3)
	add(t, a, r, without)
	metrics := a.Result().Metrics
	for name, want := range map[string]float64{"mma@1": 1. / 3, "inlier_share": 1. / 3, "reproj_precision@1": 1. / 2, "known": 3. / 6, "matches_per_pair": 3} {
		if i := slices.IndexFunc(metrics, func(m scope.Metric) bool { return m.Scope == "all" && m.Name == name }); i < 0 || math.Abs(metrics[i].Value-want) > 1e-15 {
			t.Errorf("%s is not %v: %+v", name, want, metrics[max(i, 0)])
		}
	}
	if i := slices.IndexFunc(metrics, func(m scope.Metric) bool { return m.Scope == "scene:v_b" && m.Name == "known" }); i < 0 || metrics[i].Value != 0 || metrics[i].N != 2 {
		t.Errorf("known of the scene without depth: %d", i)
	}
}
