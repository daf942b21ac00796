package matching

import (
	"math"
	"slices"

	"descbench/eval"
)

// maxErrorPx is the largest t of the figures mma@t.
const maxErrorPx = 10

// A pairTally sums up one image pair. It is never modified, so accumulators may
// share it.
type pairTally struct {
	pair           eval.Pair
	facts          Facts
	matches        int
	within         [maxErrorPx]int // matches with an error of at most 1, 2, … px
	inliers        int             // matches within the tolerance of the options
	correctShared1 int             // matches within TolerancePx whose query lies in the shared region
	ratios         ratioTally
}

func newPairTally(pair eval.Pair, queries []eval.Query, facts Facts, opt Options) *pairTally {
	facts.Corners = slices.Clone(facts.Corners)
	t := &pairTally{
		pair: pair, facts: facts,
		ratios: newRatioTally(queries, pair.KeypointsK-pair.InvalidK, opt.TolerancePx),
	}
	for i := range queries {
		q := &queries[i]
		if !matched(q) {
			continue
		}
		t.matches++
		for px := 1; px <= maxErrorPx; px++ {
			if q.NearestError <= float64(px) {
				t.within[px-1]++
			}
		}
		if correct(q, opt.TolerancePx) {
			t.inliers++
		}
		if q.Shared && correct(q, TolerancePx) {
			t.correctShared1++
		}
	}
	return t
}

// accuracy returns the share of the pair's matches with an error of at most so
// many px, 0 if it has no match.
func (t *pairTally) accuracy(px int) float64 {
	if t.matches == 0 {
		return 0
	}
	return float64(t.within[px-1]) / float64(t.matches)
}

// matchingScore returns the share of the keypoints in the shared region that are
// in a correct match, as the mean over the two images, over one if the other
// has no keypoints there, NaN if neither has.
func (t *pairTally) matchingScore() float64 {
	of1 := mean(float64(t.correctShared1), int(t.facts.Repeatability.Shared1))
	ofK := mean(float64(t.facts.CorrectSharedK), int(t.facts.Repeatability.SharedK))
	switch {
	case math.IsNaN(of1):
		return ofK
	case math.IsNaN(ofK):
		return of1
	}
	return (of1 + ofK) / 2
}

// estimators returns the names of the estimators with a corner error.
func (t *pairTally) estimators() []string {
	var out []string
	for _, e := range t.facts.Corners {
		out = append(out, e.Estimator)
	}
	return out
}

// A sceneTally is one scene, or some pairs of it.
type sceneTally struct {
	name  string
	pairs []*pairTally // by K, at least one
}
