package estimate_test

import (
	"errors"
	"math"
	"testing"

	"descbench/eval/matching"
	"descbench/eval/must"
	"descbench/eval/record"
	"descbench/keypoints"
	"descbench/pipeline/estimate"
)

// The truth moves points by 3 px, the function by its threshold: errors are 1 px and 0 px. The third
// estimate of each pair finds nothing.
func TestOwnFunctionsEstimateFromTheMatches(t *testing.T) {
	truth := keypoints.Homography{1, 0, 3, 0, 1, 0, 0, 0, 1}
	pair := record.Pair{Scene: "a", K: 2, Width1: 640, Height1: 480, WidthK: 800, HeightK: 600}
	pair.SetHomography(truth)
	var queries []record.Query
	for i := range 6 {
		x, y := float32(100*i), float32(50*i*i%400)
		queries = append(queries, record.Query{X: x, Y: y, Nearest: int32(i), NearestX: x + 3, NearestY: y, Second: -1, Mutual: true})
	}
	calls := 0
	own := func(r estimate.Request) (estimate.Estimate, error) {
		calls++
		for i := range r.Src {
			if r.Dst[i].X != r.Src[i].X+3 {
				t.Errorf("match %d is %v and %v", i, r.Src[i], r.Dst[i])
			}
		}
		if r.Estimator.Own != "mine" || r.K != 2 || r.Sizes != [2][2]int{{640, 480}, {800, 600}} || len(r.Src) != 6 {
			t.Errorf("got %+v", r)
		}
		h := truth
		h[2] = r.Estimator.ThresholdPx
		return estimate.Estimate{Found: r.Number < 2, Homography: h}, nil
	}
	names, draws := []string{"own_homography_mine", "own_homography_mine_2px", "dlt"}, matching.Draws{Homographies: 3}
	must.Do(t, estimate.Enter(&pair, queries, matching.Mutual, names, draws, false, own))
	want := map[string][]float64{names[0]: {0, 0, math.Inf(1)}, names[1]: {1, 1, math.Inf(1)}}
	got := make(map[string][]float64)
	for _, e := range matching.EstimateErrors(&pair) {
		got[e.Estimator] = append(got[e.Estimator], e.Px)
	}
	for _, name := range names[:2] {
		for i := range 3 {
			if len(got[name]) != 3 || got[name][i] != want[name][i] {
				t.Errorf("%s: %v, want %v", name, got[name], want[name])
			}
		}
	}

	// Without the function, what the record has stays, and nothing else can be.
	before := pair.CornerErrors
	must.Do(t, estimate.Enter(&pair, queries, matching.Mutual, names, draws, false, nil))
	if pair.CornerErrors != before || calls != 6 {
		t.Errorf("%d calls, %s, want %s", calls, pair.CornerErrors, before)
	}
	const cure = " estimates by own_homography_mine from these matches, and only run calls own functions; run the config under another experiment.name"
	must.Fail(t, estimate.Enter(&pair, queries, matching.Mutual, names, matching.Draws{Homographies: 2}, false, nil), "a/1_2: the record has no 2"+cure)
	must.Do(t, estimate.Enter(&pair, queries, matching.Mutual, []string{"own_homography_mine"}, draws, false, nil))
	other := matching.Mutual
	other.TopK = 5
	must.Fail(t, estimate.Enter(&pair, queries, other, []string{"own_homography_mine"}, draws, false, nil), "a/1_2: the record has no 3"+cure)

	// Too few matches, an error, and the other kind of images.
	must.Do(t, estimate.Enter(&pair, queries[:3], matching.Mutual, names[:1], draws, false, own))
	if pair.CornerErrors != `{"own_homography_mine":[null,null,null]}` || calls != 6 {
		t.Errorf("3 matches: %d calls, %s", calls, pair.CornerErrors)
	}
	fault := errors.New("no weights")
	must.Fail(t, estimate.Enter(&pair, queries, matching.Mutual, names[:1], draws, false, func(estimate.Request) (estimate.Estimate, error) { return estimate.Estimate{}, fault }), "no weights")
	must.Fail(t, estimate.Enter(&pair, queries, matching.Mutual, []string{"own_pose_mine"}, draws, false, own), "a/1_2: estimator own_pose_mine is for images with cameras, not with homographies: a plane does not determine a pose")
}

// Images are half as large as the original ones: so are thresholds that are in px of these.
func TestThresholdsOfOwnPosesAreInPixelsOfTheImagesAsTheyAre(t *testing.T) {
	k := keypoints.Intrinsics{500, 400, 320, 240}
	pair := record.Pair{Scene: "a", K: 2, Width1: 640, Height1: 480, WidthK: 640, HeightK: 480}
	pair.SetMapping(keypoints.Space(keypoints.Cameras{First: k, Other: k, Pose: keypoints.Pose{R: [9]float64{1, 0, 0, 0, 1, 0, 0, 0, 1}, T: [3]float64{1, 0, 0}}, Scales: [2][2]float64{{0.5, 0.5}, {0.5, 0.5}}}, [2]int{640, 480}, [2]int{640, 480}))
	var queries []record.Query
	for i := range 6 {
		queries = append(queries, record.Query{X: float32(100 * i), Y: float32(70 * i), Nearest: int32(i), NearestX: float32(100*i) + 3, NearestY: float32(70 * i), Second: -1, Mutual: true})
	}
	var got []float64
	own := func(r estimate.Request) (estimate.Estimate, error) {
		got = append(got, r.Estimator.ThresholdPx)
		return estimate.Estimate{}, nil
	}
	must.Do(t, estimate.Enter(&pair, queries, matching.Mutual, []string{"own_pose_a_2.5px", "own_pose_a_2.5px_original"}, matching.Draws{Poses: 1}, false, own))
	if len(got) != 2 || got[0] != 2.5 || got[1] != 1.25 {
		t.Errorf("thresholds %v, want 2.5 and 1.25 px", got)
	}
}

// Errors depend on all of these; other rows of the same matches do not count.
func TestWhatErrorsDependOnChangesTheIdentityOfMatches(t *testing.T) {
	identity := func(change func(*record.Pair, []record.Query)) string {
		pair := record.Pair{Scene: "a", K: 2, Width1: 640, Height1: 480, WidthK: 800, HeightK: 600}
		pair.SetHomography(keypoints.Homography{1, 0, 3, 0, 1, 0, 0, 0, 1})
		queries := []record.Query{{X: 1, Y: 2, NearestX: 3, NearestY: 4, NearestDistance: 0.5, Second: -1, Mutual: true}, {X: 5, Nearest: 1, Second: -1, Mutual: true}}
		change(&pair, queries)
		return must.Get(estimate.Match(&pair, queries, matching.Mutual, false))(t).Identity()
	}
	same := identity(func(*record.Pair, []record.Query) {})
	if other := identity(func(p *record.Pair, q []record.Query) { p.Descriptor, q[0].Less = "b", 7 }); other != same {
		t.Errorf("got %q, want %q", other, same)
	}
	for i, change := range []func(*record.Pair, []record.Query){
		func(p *record.Pair, _ []record.Query) { p.Scene = "b" },
		func(p *record.Pair, _ []record.Query) { p.K = 3 },
		func(p *record.Pair, _ []record.Query) { p.HeightK = 601 },
		func(p *record.Pair, _ []record.Query) { p.Homography13 = math.Nextafter(3, 4) },
		func(p *record.Pair, _ []record.Query) { p.Imported = record.ImportedRows },
		func(_ *record.Pair, q []record.Query) { q[0].X = math.Nextafter32(1, 2) },
		func(_ *record.Pair, q []record.Query) { q[0].NearestY = 5 },
		func(_ *record.Pair, q []record.Query) { q[0].NearestDistance = 0.4 },
		func(_ *record.Pair, q []record.Query) { q[0], q[1] = q[1], q[0] },
		func(_ *record.Pair, q []record.Query) { q[1].Mutual = false },
	} {
		if identity(change) == same {
			t.Errorf("change %d does not show", i)
		}
	}
}
