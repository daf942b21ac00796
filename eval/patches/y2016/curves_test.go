package y2016

import (
	"strings"
	"testing"

	"descbench/eval/must"
)

func wantCurve(t *testing.T, name string, c MeanCurve, want func(level int) float64) {
	t.Helper()
	for level, v := range c {
		if v != want(level) {
			t.Errorf("%s at recall %d %%: %v, want %v", name, level, v, want(level))
		}
	}
}

// Of three relevant items at ranks 1, 3 and 4 precisions are 1, 2/3 and 3/4 at recalls of
// 1/3, 2/3 and 1: 3/4 is the greatest from 0.34 on. The second ranking has none.
func TestTheCurveIsTheMeanOfTheGreatestPrecisionsFromARecallOn(t *testing.T) {
	wantCurve(t, "mean", meanCurve(2, func(i int) []int { return [][]int{{1, 3, 4}, nil}[i] }), func(level int) float64 {
		if level <= 33 {
			return 0.5
		}
		return 0.375
	})
}

// Matches of distances 1, 2, 3 of which the second is wrong; by ratio it is last.
func TestMatchesAreRankedByDistanceAndByRatio(t *testing.T) {
	r, err := EvaluateMatching([]Matches{{Nearest: []int32{0, 0, 2}, Distance: []float64{1, 2, 3}, SecondDistance: []float64{2, 2.5, 9}}}, nil)
	must.Do(t, err)
	byDistance, byRatio := r.Curves()
	wantCurve(t, "by ratio", byRatio, func(int) float64 { return 1 })
	wantCurve(t, "by distance", byDistance, func(level int) float64 {
		if level <= 50 {
			return 1
		}
		return 2.0 / 3
	})
}

// Query 0 finds patches of its images at all 50 ranks, the patches of its cluster at ranks
// 1 and 3; query 1 is as good as that.
func TestRetrievedImagesAndPatchesHaveCurvesOfTheirOwn(t *testing.T) {
	b := retrievalBenchmark(t)
	const pool = "a.ref,a.e1\n"
	clusters, err := ReadClusters("l", strings.NewReader(pool+"a.ref.0,a.e1.0,a.e1.2\na.ref.1,a.e1.0,a.e1.2\n"), b, nil)
	must.Do(t, err)
	rankings := must.Get(ReadRankings("f", strings.NewReader(pool+ranking("a.ref.0", 51)+ranking("a.ref.1", 51)), b, nil))(t)
	r := must.Get(EvaluateRetrieval(b, clusters, rankings, nil))(t)
	images, places := r.Curves()
	wantCurve(t, "images", images, func(int) float64 { return 1 })
	wantCurve(t, "patches", places, func(level int) float64 {
		if level <= 50 {
			return 1
		}
		return 2.0 / 3
	})
}
