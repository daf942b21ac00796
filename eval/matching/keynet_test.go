package matching

import (
	"math"
	"testing"

	"descbench/eval/record"
	"descbench/eval/scope"
	"descbench/keypoints"
)

func TestOverlapsOfCirclesAreThoseOfGeometry(t *testing.T) {
	lens := 2*math.Pi/3 - math.Sqrt(3)/2 // of two unit circles, each through the other's centre
	right := 900*math.Acos(0.6) + 1600*math.Acos(0.8) - 1200
	for _, c := range []struct{ r1, r2, distance, want float64 }{
		{30, 30, 0, 1},
		{30, 15, 0, 0.25},
		{15, 30, 15, 0.25}, // touches from inside
		{30, 30, 60, 0},
		{30, 20, 51, 0},
		{30, 30, 30, lens / (2*math.Pi - lens)},
		// Both centres and an intersection are a right triangle of sides 30, 40 and 50.
		{30, 40, 50, right / (2500*math.Pi - right)},
	} {
		// The source adds 1e-6 px² to the union of at least 2827 px².
		if got := shareOf(c.r1, c.r2, c.distance); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("radii %v and %v, distance %v: %v, want %v", c.r1, c.r2, c.distance, got, c.want)
		}
	}
}

func TestKeynetCountsWorkedByHand(t *testing.T) {
	of := func(x, y, size float32) keypoints.Keypoint { return keypoints.Keypoint{X: x, Y: y, Size: size} }
	half := keypoints.Homography{0.5, 0, 0, 0, 0.5, 0, 0, 0, 1} // image K has twice the size of image 1
	a := []keypoints.Keypoint{
		of(100, 100, 4), // b0 has its place and size, b1 lies 1 px away
		of(103, 100, 4), // 3 px from b0, which is taken, 2 px from b1
		of(200, 100, 4), // b2 has its place, and half its size: a quarter of the area
		of(300, 100, 4), // b3 is 5 px away, the limit
		of(400, 100, 4), // 12 px from b4, an overlap of 59.6 %
	}
	b := []keypoints.Keypoint{of(200, 200, 8), of(202, 200, 8), of(400, 200, 4), of(610, 200, 8), of(824, 200, 8), of(1800, 200, 8)}
	var p record.Pair
	EnterKeynet(&p, half, a, b)
	if p.KeynetKeypoints != 5 || p.KeynetPossible != 4 || p.KeynetRepeated != 3 || p.KeynetRepeatedSingleScale != 4 {
		t.Errorf("got %+v", p)
	}
	at := func(d float64) float64 { // the overlap of circles of 30 px
		lens := 1800*math.Acos(d/60) - d/2*math.Sqrt(3600-d*d)
		return lens / (1800*math.Pi - lens)
	}
	// The mapped size has 1e-7 px² more area, as in the source.
	if want := 3 - at(0) - at(2) - at(5); math.Abs(p.KeynetOverlapErrorSum-want) > 1e-7 {
		t.Errorf("overlap error %v, want %v", p.KeynetOverlapErrorSum, want)
	}
	if want := 4 - 2*at(0) - at(2) - at(5); math.Abs(p.KeynetOverlapErrorSumSingleScale-want) > 2e-9 {
		t.Errorf("overlap error at a single scale %v, want %v", p.KeynetOverlapErrorSumSingleScale, want)
	}
	var none record.Pair
	if EnterKeynet(&none, half, nil, b); none != (record.Pair{}) {
		t.Errorf("without keypoints: %+v", none)
	}
}

// compute_matching_based_distance counts distances below the threshold, in image 1.
func TestKeynetsErrorsAreBelowTheThresholdInImage1(t *testing.T) {
	p := record.Pair{Keypoints1: 4, KeypointsK: 9, KeynetKeypoints: 8, KeynetPossible: 4, Width1: 1, Height1: 1, WidthK: 2, HeightK: 2}
	p.SetHomography([9]float64{2, 0, 0, 0, 2, 0, 0, 0, 1}) // 1 px of image 1 is 2 px of image K
	var queries []record.Query
	for i, px := range []float32{0, 1, 1.5, 5} {
		queries = append(queries, record.Query{Row: int32(i), X: 10, Y: 10, Nearest: int32(i), NearestX: 20 + 2*px, NearestY: 20, NearestError: 2 * float64(px), Second: -1, Mutual: true})
	}
	tally := newPairTally(record.Records{Pair: p, Queries: queries}, []int32{0, 1, 2, 3}, 3)
	if want := [maxErrorPx]int{1, 3, 3, 3, 3, 4, 4, 4, 4, 4}; tally.below1 != want {
		t.Errorf("below 1 to 10 px: %v, want %v", tally.below1, want)
	}
	scenes := []sceneTally{{Name: "v_a", Parts: []scope.Part[*pairTally]{{K: 2, Tally: tally}}}}
	list := &scope.List{}
	figures{scope.Of(scenes)[0], list, Mutual, false}.keynet()
	want := map[string]float64{
		"keynet_matching_score@1": 1. / 8, "keynet_matching_score@5": 3. / 8, "keynet_matching_score_mean": 33. / 80,
		"keynet_match_recall@5": 3 / 4.000001, "keynet_correct_matches@5": 3, "keynet_keypoints": 8, "keynet_overlap_error": 0,
	}
	for _, m := range list.Metrics {
		if value, ok := want[m.Name]; ok && math.Abs(m.Value-value) > 1e-15 {
			t.Errorf("%s is %v, want %v", m.Name, m.Value, value)
		}
		delete(want, m.Name)
	}
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
}
