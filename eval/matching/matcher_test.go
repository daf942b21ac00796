package matching

import (
	"math"
	"slices"
	"testing"

	"descbench/eval/record"
)

// Worked out by hand: row 0 has ratio 0.5 and is mutual, row 1 has ratio 0.8 and is
// not, row 2 has no neighbour, row 3 has one candidate only, row 4 has ratio 1 (both
// distances 0), row 5 ties row 0's distance.
func sixQueries() []record.Query {
	q := []record.Query{
		{Nearest: 4, Second: 1, NearestDistance: 0.25, SecondDistance: 0.5, Mutual: true},
		{Nearest: 4, Second: 2, NearestDistance: 0.4, SecondDistance: 0.5},
		{Nearest: -1, Second: -1, NearestDistance: math.NaN(), SecondDistance: math.NaN()},
		{Nearest: 0, Second: -1, NearestDistance: 0.1, SecondDistance: math.NaN(), Mutual: true},
		{Nearest: 1, Second: 2, NearestDistance: 0, SecondDistance: 0, Mutual: true},
		{Nearest: 2, Second: 1, NearestDistance: 0.25, SecondDistance: 1, Mutual: true},
	}
	for i := range q {
		q[i].Row = int32(i)
	}
	return q
}

func TestAMatcherAcceptsWhatPassesAllItsTests(t *testing.T) {
	for _, c := range []struct {
		matcher Matcher
		text    string
		want    []int32
	}{
		{Matcher{}, "nearest neighbours", []int32{0, 1, 3, 4, 5}},
		{Mutual, "mutual nearest neighbours", []int32{0, 3, 4, 5}},
		{Matcher{Ratio: 0.8}, "nearest neighbours, ratio 0.8", []int32{0, 1, 5}},
		{Matcher{CrossCheck: true, Ratio: 0.8}, "mutual nearest neighbours, ratio 0.8", []int32{0, 5}},
		{Matcher{Ratio: 1}, "nearest neighbours, ratio 1", []int32{0, 1, 4, 5}},
		{Matcher{MaxDistance: 0.25}, "nearest neighbours, distance 0.25", []int32{0, 3, 4, 5}},
		{Matcher{CrossCheck: true, TopK: 3}, "mutual nearest neighbours, top 3", []int32{0, 3, 4}},
		{Matcher{TopK: 9}, "nearest neighbours, top 9", []int32{0, 1, 3, 4, 5}},
		// Unit vectors at a distance of 0.25 have a cosine of 1 - 0.25²/2 = 0.96875.
		{Matcher{MinSimilarity: 0.96875}, "nearest neighbours, similarity 0.96875", []int32{0, 3, 4, 5}},
		{Matcher{MinSimilarity: 0.97}, "nearest neighbours, similarity 0.97", []int32{3, 4}},
		{Matcher{true, 0.5, 0.25, 0.5, 1}, "mutual nearest neighbours, ratio 0.5, distance 0.25, similarity 0.5, top 1", []int32{0}},
	} {
		if got := c.matcher.Match(sixQueries()); !slices.Equal(got, c.want) {
			t.Errorf("%v: matches %v, want %v", c.matcher, got, c.want)
		}
		if got := c.matcher.String(); got != c.text {
			t.Errorf("found %q, want %q", got, c.text)
		}
	}
}

func TestEachEstimatorHasOneName(t *testing.T) {
	of := func(typ string, set func(*Estimator)) Estimator {
		e := NewEstimator(typ)
		set(&e)
		return e
	}
	for name, want := range map[string]Estimator{
		"dlt": {Type: "dlt", ThresholdPx: 3}, "ransac": {Type: "ransac", ThresholdPx: 3, Iterations: 2000, Confidence: 0.995},
		"magsac":        {Type: "magsac", ThresholdPx: 3, Iterations: 100_000, Confidence: 0.99999, OpenCV: true},
		"usac_accurate": {Type: "usac_accurate", ThresholdPx: 3, Iterations: 2000, Confidence: 0.995, OpenCV: true},
		"ransac_0.5px":  of(Ransac, func(e *Estimator) { e.ThresholdPx = 0.5 }), "magsac_10px": of(Magsac, func(e *Estimator) { e.ThresholdPx = 10 }),
		"ransac_3px480_0.99999c_opencv_e480": of(Ransac, func(e *Estimator) {
			e.ScaledThreshold, e.Confidence, e.OpenCV, e.ScaledError = true, 0.99999, true, true
		}),
		"dlt_scored_system_wh":      {Type: "dlt", ThresholdPx: 3, Weighted: true, System: true, OuterCorners: true},
		"ransac_0.00001px_1it":      of(Ransac, func(e *Estimator) { e.ThresholdPx, e.Iterations = 1e-5, 1 }),
		"ransac_100px_10000000it":   of(Ransac, func(e *Estimator) { e.ThresholdPx, e.Iterations = 100, 10_000_000 }),
		"usac_accurate_2px_5x_e480": of(UsacAccurate, func(e *Estimator) { e.ThresholdPx, e.Repetitions, e.ScaledError = 2, 5, true }),
		"essential":                 {Type: "essential", ThresholdPx: 1, Iterations: 1000, Confidence: 0.99999, OpenCV: true},
		"essential_0.5px_10000it_0.999c_5x_superglue_original": of(Essential, func(e *Estimator) {
			e.ThresholdPx, e.Iterations, e.Confidence, e.Repetitions, e.SuperGlueFocal, e.OriginalPixels = 0.5, 10_000, 0.999, 5, true, true
		}),
		"essential_usac_fast_2px":          {Type: "essential_usac_fast", ThresholdPx: 2, Confidence: 0.99999, OpenCV: true},
		"own_pose_poselib":                 {Type: "own_pose", Own: "poselib", ThresholdPx: 1, OpenCV: true},
		"own_pose_a_2.5px_original":        {Type: "own_pose", Own: "a", ThresholdPx: 2.5, OpenCV: true, OriginalPixels: true},
		"own_pose_pose_2px_5x":             {Type: "own_pose", Own: "pose", ThresholdPx: 2, Repetitions: 5, OpenCV: true},
		"own_homography_a1_2px480_wh_e480": {Type: "own_homography", Own: "a1", ThresholdPx: 2, OpenCV: true, ScaledThreshold: true, OuterCorners: true, ScaledError: true},
		"usac_fast_1000it_refit":           of(UsacFast, func(e *Estimator) { e.Iterations, e.OpenCV = 1000, false }),
	} {
		if got, err := ParseEstimator(name); got != want || err != nil || got.String() != name {
			t.Errorf("%s: %+v, %v, %v", name, got, got, err)
		}
	}
	const own = "want no parameters of an own function but a threshold, repetitions and, for homographies, px480, wh and e480, for poses original"
	const planes = "want refit, scored, system, wh, e480 and px480 for homographies only"
	const no = "want no threshold, iterations, confidence, repetitions or opencv for dlt, which fits all matches"
	const names = "want dlt, ransac, magsac, usac_default, usac_fast, usac_accurate or usac_prosac for homographies, essential, essential_magsac, essential_usac_default, essential_usac_fast or essential_usac_accurate for poses, own_homography_NAME or own_pose_NAME for evaluation.own_estimators[NAME], or one with parameters, such as ransac_0.5px"
	for name, want := range map[string]string{
		"ransak": names + " (did you mean ransac?)", "ransac_3px": "want ransac, the only name of this estimator",
		"ransac_01px": "want ransac_1px, the only name of this estimator", "ransac_wh_1px": "want ransac_1px_wh, the only name of this estimator",
		"dlt_1px": no, "dlt_5it": no, "dlt_0.5c": no, "dlt_2x": no, "ransac_101x": "want 0 to 100 repetitions", "ransac_0x": "want ransac, the only name of this estimator", "dlt_opencv": no, "dlt_3px480": no, "": names,
		"magsac_1": `"1" has no unit, as 3px has, ` + names, "ransac_0px": "want a threshold above 0 and up to 100 px",
		"ransac_101px": "want a threshold above 0 and up to 100 px", "ransac_NaNpx": `cannot read "NaNpx", ` + names,
		"ransac_scored": "want scored and system for dlt only", "ransac_1c": "want a confidence above 0 and below 1", "ransac_0it": "want 1 to 10000000 iterations",
		"ransac_superglue": "want superglue and original for poses only", "dlt_original": "want superglue and original for poses only", "essential_wh": planes, "essential_1px480": planes, "essential_e480": planes, "essential_refit": planes,
		"essential_opencv": "want essential, the only name of this estimator", "essential_system": planes, "essential_scored": planes,
		"essential_magsac_5it": "want no iterations for poses by USAC, of which OpenCV always takes 1000", "essential_resized": `cannot read "resized", ` + names,
		"own_pose": "want the name of an own function after own_pose_: a lower-case letter, then such letters and digits", "own_pose_5pt": "want the name of an own function after own_pose_: a lower-case letter, then such letters and digits",
		"own_pose_a_5it": own, "own_homography_a_original": "want superglue and original for poses only", "own_pose_a_superglue": own, "own_homography_a_scored": own, "own_pose_a_wh": planes, "own_homography_a_3px": "want own_homography_a, the only name of this estimator", "own_a": names,
		"ransac_0c": "want a confidence above 0 and below 1", "ransac_10000001it": "want 1 to 10000000 iterations",
	} {
		if _, err := ParseEstimator(name); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}

func TestErrorsOfPosesAreReadAsEntered(t *testing.T) {
	none := math.Inf(1)
	want := []EstimateError{{"essential", 0, 2.5, 80}, {"essential", 0, none, none}, {"essential_2px", 0, 0, 0.25}}
	var p record.Pair
	if EnterEstimateErrors(&p, want); !slices.Equal(EstimateErrors(&p), want) || p.PoseErrors != `{"essential":[[2.5,80],null],"essential_2px":[[0,0.25]]}` {
		t.Errorf("%s: %v", p.PoseErrors, EstimateErrors(&p))
	}
	for _, text := range []string{"", `{"essential":[2.5]}`, "x"} {
		if p.PoseErrors = text; EstimateErrors(&p) != nil {
			t.Errorf("%s: %v", text, EstimateErrors(&p))
		}
	}
}

func TestCornerErrorsOfAllEstimatorsAreReadAsEntered(t *testing.T) {
	want := []EstimateError{{Estimator: "dlt", Px: 2.5}, {Estimator: "magsac", Px: math.Inf(1)}, {Estimator: "ransac", Px: 1}, {Estimator: "ransac_0.5px", Px: math.Inf(1)}, {Estimator: "ransac_1px", Px: 0}}
	var p record.Pair
	EnterEstimateErrors(&p, want)
	if got := EstimateErrors(&p); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	// A list has the errors of several estimates in their order.
	repeated := []EstimateError{{Estimator: "dlt", Px: 2.5}, {Estimator: "ransac_3x", Px: 3}, {Estimator: "ransac_3x", Px: math.Inf(1)}, {Estimator: "ransac_3x", Px: 1}}
	var list record.Pair
	if EnterEstimateErrors(&list, repeated); !slices.Equal(EstimateErrors(&list), repeated) || list.CornerErrors != `{"dlt":2.5,"ransac_3x":[3,null,1]}` {
		t.Errorf("%s: %v", list.CornerErrors, EstimateErrors(&list))
	}
	list.CornerErrors = `{"dlt":"x","ransac_3x":[3,null,1]}`
	if got := EstimateErrors(&list); got != nil {
		t.Errorf("of a damaged column: %v", got)
	}
	var one record.Pair
	if EnterEstimateErrors(&one, want[4:]); !slices.Equal(EstimateErrors(&one), want[4:]) {
		t.Errorf("%v, want %v", EstimateErrors(&one), want[4:])
	}
	if want := `{"dlt":2.5,"magsac":null,"ransac":1,"ransac_0.5px":null,"ransac_1px":0}`; p.CornerErrors != want {
		t.Errorf("%s, want %s", p.CornerErrors, want)
	}
}
