package matching

import (
	"math"

	"descbench/eval/record"
)

// leastShared is the number of valid keypoints of the shared region below which
// ByChance does not judge.
const leastShared = 100

// chanceLevel is the probability with which chance yields as many correct matches as
// ByChance considers too many for it.
const chanceLevel = 1e-3

// ByChance reports whether a homography that has nothing to do with the images would
// explain the number of correct matches in the shared region. Then the homography is
// wrong, or the descriptor does not work for this pair. judged is false if there are
// too few keypoints to tell.
//
// If the homography is unrelated, the keypoint that a query matches is anywhere among
// the candidates. It is one near the query's projection with a probability of about
// one in the number of candidates, if any is near. The number of correct matches has
// the Poisson distribution with mean repeated_1 / keypoints_k, which is less than 1
// unless keypoints are near several queries.
func ByChance(p *record.Pair) (byChance, judged bool) {
	if p.Shared1-p.Invalid1 < leastShared || p.KeypointsK-p.InvalidK < leastShared {
		return false, false
	}
	mean := float64(p.Repeated1) / float64(p.KeypointsK)
	return poissonTail(mean, p.CorrectSharedK) > chanceLevel, true
}

// poissonTail returns the probability of at least n events if their mean number is
// given.
func poissonTail(mean float64, n int32) float64 {
	tail, term := 1.0, math.Exp(-mean)
	for i := range n {
		tail -= term
		term *= mean / float64(i+1)
	}
	return max(0, tail)
}
