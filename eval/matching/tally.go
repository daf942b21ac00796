package matching

import (
	"math"

	"descbench/eval/record"
	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/keypoints"
)

// maxErrorPx is the largest K of mma@K.
const maxErrorPx = 10

// A pairTally summarises one image pair. It is never modified, so accumulators can
// share it.
type pairTally struct {
	pair           record.Pair
	known          bool // the mapping between the images
	placeless      bool // the places of points are not known
	estimates      []EstimateError
	epipolar       *epipolarCount // nil without cameras
	queries        int
	knownQueries   int // whose state is not unknown
	matches        int
	judged         int             // matches of these
	bothKnown      int             // of these, those of keypoints of image K whose state is not unknown
	correct        int             // matches within TolerancePx
	within         [maxErrorPx]int // matches with an error of at most 1, 2, … px
	withinLimits   []int           // matches with an error of at most each of Limits.Matches
	partners       partnerCount
	symmetricBelow [3]int          // matches with a symmetric error below symmetricLimitsPx
	below1         [maxErrorPx]int // matches with an error of less than 1, 2, … px in image 1
	inliers        int             // matches within the accumulator's tolerance
	ofOne          int             // matches of the keypoint of image K that has most, if another program found them
	exchanged      int             // matches that agree with the mapping if their points are exchanged
	correctShared1 int             // matches within TolerancePx whose query is in the shared region
	ratios         ratioTally
}

// newPairTally counts the matches, given by the indices of their queries.
func newPairTally(r record.Records, matches []int32, tolerancePx float64) *pairTally {
	t := &pairTally{pair: r.Pair, estimates: EstimateErrors(&r.Pair), matches: len(matches)}
	mapping, known := r.Pair.Mapping()
	t.known, t.placeless, t.queries = known, r.Pair.Placeless(), len(r.Queries)
	for i := range r.Queries {
		if !r.Queries[i].Unknown() {
			t.knownQueries++
		}
	}
	if c, ok := mapping.Cameras(); known && ok {
		t.epipolar = new(epipolarCounts(c, r.Queries, matches))
	}
	if !t.placeless {
		t.ratios = newRatioTally(r.Queries, r.Pair.KeypointsK-r.Pair.InvalidK, tolerancePx)
	}
	t.partners = countPartners(r.Queries, matches)
	back := mapping.Inverse()
	of := make(map[int32]int)
	for _, i := range matches {
		q := &r.Queries[i]
		if r.Pair.Imported == record.ImportedRows {
			of[q.Nearest]++
			t.ofOne = max(t.ofOne, of[q.Nearest])
		}
		if q.Unknown() {
			continue
		}
		t.judged++
		state, error1 := inFirst(q, back)
		if state != keypoints.Unknown {
			t.bothKnown++
		}
		exchanged := mapping.Place(float64(q.NearestX), float64(q.NearestY)) // NaN if not known
		if math.Hypot(exchanged.X-float64(q.X), exchanged.Y-float64(q.Y)) <= TolerancePx {
			t.exchanged++
		}
		for limit, px := range symmetricLimitsPx {
			if (q.NearestError+error1)/2 < float64(px) {
				t.symmetricBelow[limit]++
			}
		}
		for px := 1; px <= maxErrorPx; px++ {
			if q.NearestError <= float64(px) {
				t.within[px-1]++
			}
			if error1 < float64(px) {
				t.below1[px-1]++
			}
		}
		if q.NearestError <= tolerancePx {
			t.inliers++
		}
		if q.NearestError <= TolerancePx {
			t.correct++
			if q.Shared {
				t.correctShared1++
			}
		}
	}
	return t
}

// withinLimits counts the matches with an error of at most each limit, in px.
func withinLimits(queries []record.Query, matches []int32, limits []float64) []int {
	within := make([]int, len(limits))
	for _, i := range matches {
		for l, px := range limits {
			if queries[i].NearestError <= px {
				within[l]++
			}
		}
	}
	return within
}

// places names the scene and the pair.
func (t *pairTally) places() []string {
	return []string{t.pair.Scene, scope.PairLabel(t.pair.Scene, int(t.pair.K))}
}

// accuracy returns the share of the pair's matches with an error of at most px
// pixels, 0 without matches, NaN if it is not known for any where it should be.
func (t *pairTally) accuracy(px int) float64 { return t.share(t.within[px-1]) }

// share returns the share of the pair's matches that so many of them are, as accuracy does.
func (t *pairTally) share(matches int) float64 { return t.among(matches, t.judged) }

// among returns how many of n matches that can be judged are correct, 0 if the pair has no matches, and
// NaN if it has, but none of these.
func (t *pairTally) among(correct, n int) float64 {
	if t.placeless || t.matches > 0 && n == 0 {
		return math.NaN()
	}
	return float64(correct) / float64(max(n, 1))
}

// symmetric returns the share of the pair's matches with a symmetric error below a
// limit, 0 without matches, NaN if it is not known for any where both keypoints should be.
func (t *pairTally) symmetric(limit int) float64 {
	if !t.known {
		return math.NaN()
	}
	return t.among(t.symmetricBelow[limit], t.bothKnown)
}

// ofPartners returns the matches of keypoints with their partners divided by n, 0 if n is, NaN if the
// places of points are not known.
func (t *pairTally) ofPartners(n int) float64 {
	if t.placeless {
		return math.NaN()
	}
	return float64(t.partners.correct) / float64(max(n, 1))
}

// recall returns the share of the correspondences of the keypoints that have a
// correct match, NaN without correspondences.
func (t *pairTally) recall() float64 {
	return mean(float64(t.correct), max(int(t.pair.Correspondences), 0))
}

// matchingScore returns the share of the keypoints in the shared region that have a
// correct match, as the mean over the two images. An image without keypoints in the
// shared region is left out. The result is NaN if neither image has any.
func (t *pairTally) matchingScore() float64 {
	of1 := mean(float64(t.correctShared1), int(t.pair.Shared1))
	ofK := mean(float64(t.pair.CorrectSharedK), int(t.pair.SharedK))
	switch {
	case math.IsNaN(of1):
		return ofK
	case math.IsNaN(ofK):
		return of1
	}
	return (of1 + ofK) / 2
}

// estimators returns the names of the estimators, one per estimate.
func (t *pairTally) estimators() []string {
	return spelling.Words(t.estimates, func(e EstimateError) string { return e.Estimator })
}

// mean returns sum / n, NaN if n is 0.
func mean(sum float64, n int) float64 {
	if n == 0 {
		return math.NaN()
	}
	return sum / float64(n)
}
