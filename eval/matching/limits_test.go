package matching

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"descbench/eval/record"
	"descbench/keypoints"
)

// An error of the tolerance is within it, one a hair larger is not: with 3 px, the first
// of two matches counts everywhere.
func TestAMatchAtTheToleranceCountsEverywhere(t *testing.T) {
	at, beyond := matchAt(10, 10, 20, 23), matchAt(10, 10, 20, 23.05)
	tally := tallyOf(at, beyond)
	tally.pair.Correspondences = 2
	if tally.inliers != 1 || tally.accuracy(3) != 1./2 || tally.recall() != 1./2 || tally.matchingScore() != 1./2 {
		t.Errorf("%d inliers, accuracy %v, recall %v, matching score %v, want 1 of 2", tally.inliers, tally.accuracy(3), tally.recall(), tally.matchingScore())
	}
	half := keypoints.Homography{.5, 0, 0, 0, .5, 0, 0, 0, 1}
	if n := CorrectSharedK([]record.Query{at, beyond}, []int32{0, 1}, mapping(half, [2]int{1, 1}, [2]int{100, 100}), false); n != 1 {
		t.Errorf("%d correct matches from image K, want 1", n)
	}
}

// Row 0 may be the second nearest neighbour, as any other.
func TestTheRatioTestTakesTheFirstRowAsSecondNearest(t *testing.T) {
	q := &record.Query{Nearest: 1, NearestDistance: 4, Second: 0, SecondDistance: 5}
	if !(Matcher{Ratio: 0.8}).Accepts(q) || (Matcher{Ratio: 0.79}).Accepts(q) {
		t.Error("4/5 is not what decides")
	}
}

// Two candidates are enough for a ratio.
func TestTwoCandidatesHaveARatio(t *testing.T) {
	a := newAccumulator(3)
	add(t, a, pairOf("v_a", 2, 3, row{nearest: 1, mutual: true, truth: 1, d1: 4, d2: 5}, row{nearest: 9, mutual: true, truth: 1, d1: 3, d2: 4}, row{nearest: 1, mutual: true, truth: 1, d1: 0.805, d2: 1}))
	r := a.Result()
	two := newRatioTally([]record.Query{{Nearest: 1, NearestDistance: 4, Second: 0, SecondDistance: 5}}, 2, 3)
	if n := two.bars[30].accepted; n != 1 {
		t.Errorf("%d queries with two candidates are accepted at 0.80, want 1", n)
	}
	for name, want := range map[string]float64{"ratio_precision@0.80": 1. / 2, "ratio_recall@0.80": 1. / 3} {
		if got, ok := find(r, "all", name); !ok || got.Value != want {
			t.Errorf("%s: %+v, want %v", name, got, want)
		}
	}
	// Nothing is accepted below 0.75.
	if m := r.Sweeps[0]; m.Name != "ratio_recall@0.50" || m.Value != 0 || m.N != 3 {
		t.Errorf("the sweep begins with %+v, want a recall of 0 of 3 at 0.50", m)
	}
}

func TestARatioRoundedUpIsOne(t *testing.T) {
	if r := distanceRatio(1.01, 1); r != 1 {
		t.Errorf("the ratio of a distance that was rounded up is %v, want 1", r)
	}
}

// One match of one query, 1 px off in both images.
func TestOneMatchIsEnough(t *testing.T) {
	if tally := tallyOf(record.Query{X: 10, Y: 10, NearestX: 20, NearestY: 21, NearestError: 1}); tally.symmetric(0) != 1 {
		t.Errorf("a share of %v below %d px, want 1", tally.symmetric(0), symmetricLimitsPx[0])
	}
	a := newAccumulator(3)
	add(t, a, pairOf("v_a", 2, 3, row{nearest: 1, mutual: true, truth: 1, d1: 4, d2: 5}))
	r := a.Result()
	if m, ok := find(r, "all", "total_mutual_matches"); !ok || m.Value != 1 || m.N != 1 {
		t.Errorf("%+v, want one match of one query", m)
	}
	if last := r.Sweeps[len(r.Sweeps)-1]; r.Sweeps[0].Scope != "all" || last.Scope != "viewpoint" {
		t.Errorf("sweeps from %+v to %+v, want those of all and of the category", r.Sweeps[0], last)
	}
}

// At its own limits, Result has the same values, intervals and deviations, to the last bit.
func TestMetricsAtLimitsAreThoseThatResultHas(t *testing.T) {
	all, at := newAccumulator(3), newAccumulator(3)
	at.At(Limits{Matches: []float64{2, 10}, Corners: []float64{1, 7}, Poses: []float64{20}})
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 8 {
		p := pairOf(fmt.Sprintf("v_%d", i), 2, 9, row{nearest: 12 * random.Float64(), mutual: true, truth: none}, row{nearest: 2, mutual: true, truth: none}, row{nearest: none, truth: none})
		var corners []EstimateError
		var poses []EstimateError
		for range 3 {
			corners = append(corners, EstimateError{Estimator: "ransac", Px: 9 * random.Float64()})
			poses = append(poses, EstimateError{"essential", 0, 30 * random.Float64(), 30 * random.Float64()})
		}
		EnterEstimateErrors(&p.pair, corners)
		posed := withCameras(fmt.Sprintf("i_%d", i), 4, 1, poses...)
		add(t, all, p, posed)
		add(t, at, p, posed)
	}
	want := all.Result()
	found := at.Result()
	for _, m := range found.Metrics {
		if same, ok := find(want, m.Scope, m.Name); !ok || fmt.Sprint(same) != fmt.Sprint(m) {
			t.Errorf("%+v, want %+v", m, same)
		}
	}
	for _, name := range []string{"mma@2", "mma@10", "ransac_homography_auc@7", "ransac_homography_accuracy@1_std", "essential_pose_accuracy@20", "essential_pose_auc@20_std"} {
		if _, ok := find(found, "all", name); !ok {
			t.Error("missing: " + name)
		}
	}
	if _, ok := find(found, "all", "mma@3"); ok || found.Facts != nil {
		t.Errorf("there is more than was asked for: %v", found.Facts)
	}
}
