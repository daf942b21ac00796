package matching

import (
	"math"
	"slices"

	"descbench/eval/record"
	"descbench/keypoints"
)

// EnterRepeatability writes into the record of a pair the counts of the repeated keypoints
// among a of image 1 and b of image K, given their places in the other image.
//
// Only visible keypoints are considered. A keypoint is repeated if the visible
// keypoint of the other image nearest to its place is within TolerancePx, in
// pixels of the other image. Several keypoints may have the same neighbour (DeTone
// et al. 2018). RepeatedOnce counts the pairs of keypoints that are each other's
// neighbour; ties go to the lower row. At most one of several keypoints at the same
// position is in such a pair.
func EnterRepeatability(p *record.Pair, a, b []keypoints.Keypoint, there, back []keypoints.Place) {
	visible := func(points []keypoints.Keypoint, places []keypoints.Place) *keypoints.Index {
		return keypoints.NewIndex(TolerancePx, len(points), func(row int) (x, y float64) {
			if places[row].State != keypoints.Visible {
				return math.NaN(), math.NaN() // not in the index
			}
			return float64(points[row].X), float64(points[row].Y)
		})
	}
	enter(p, there, visible(b, back), back, visible(a, there))
}

// EnterRepeatabilityInK writes into the record of a pair the counts of the repeated
// keypoints among those of image 1 with these places in image K, all of them visible, and b of
// image K. Unlike EnterRepeatability it measures all distances in image K, as
// compute_repeatability of rpautrat/SuperPoint does.
func EnterRepeatabilityInK(p *record.Pair, there []keypoints.Place, b []keypoints.Keypoint) {
	own := make([]keypoints.Place, len(b))
	for i, k := range b {
		own[i] = keypoints.Place{X: float64(k.X), Y: float64(k.Y), State: keypoints.Visible}
	}
	index := keypoints.NewIndex(TolerancePx, len(there), func(row int) (x, y float64) { return there[row].X, there[row].Y })
	enter(p, there, keypoints.IndexOf(b, TolerancePx), own, index)
}

// enter writes the counts of keypoints that have these places near these keypoints.
func enter(p *record.Pair, there []keypoints.Place, inK *keypoints.Index, back []keypoints.Place, in1 *keypoints.Index) {
	var nearest1, nearestK []int32
	nearest1, p.Shared1, p.Repeated1, p.RepeatErrorSum1 = search(there, inK)
	nearestK, p.SharedK, p.RepeatedK, p.RepeatErrorSumK = search(back, in1)
	p.RepeatedOnce = 0
	for row, other := range nearest1 {
		if other >= 0 && int(nearestK[other]) == row {
			p.RepeatedOnce++
		}
	}
}

// search returns the row of the nearest keypoint within TolerancePx of each visible place, -1
// without one, the numbers of visible and of such places, and the sum of the distances.
func search(places []keypoints.Place, in *keypoints.Index) (rows []int32, visible, repeated int32, errorSum float64) {
	rows = slices.Repeat([]int32{-1}, len(places))
	for i, p := range places {
		if p.State != keypoints.Visible {
			continue
		}
		visible++
		if row, px := in.Nearest(p.X, p.Y); row >= 0 {
			rows[i], repeated, errorSum = row, repeated+1, errorSum+px
		}
	}
	return rows, visible, repeated, errorSum
}

// inFirst returns the state in image 1 of the nearest candidate of a query and its distance from the
// query there, given the mapping from image K: a homography, or cameras, of which the record has both.
func inFirst(q *record.Query, back keypoints.Mapping) (keypoints.State, float64) {
	if _, posed := back.Cameras(); posed {
		return q.NearestState, q.NearestError1
	}
	p := back.Place(float64(q.NearestX), float64(q.NearestY))
	return p.State, math.Hypot(p.X-float64(q.X), p.Y-float64(q.Y))
}

// CorrectSharedK returns the number of matches within TolerancePx whose keypoint of image K is
// visible in image 1, given the mapping from image K; of selected keypoints, all are. matches
// are the indices of the matched queries. The matching score uses this number for the direction
// from image K to image 1, and the shared queries for the other direction.
func CorrectSharedK(queries []record.Query, matches []int32, back keypoints.Mapping, selected bool) int32 {
	count := int32(0)
	for _, i := range matches {
		q := &queries[i]
		if state, _ := inFirst(q, back); q.NearestError <= TolerancePx && (selected || state == keypoints.Visible) {
			count++
		}
	}
	return count
}

// repeatability returns the share of repeated keypoints among those in the shared region,
// pooled over both images. It is NaN without such keypoints.
func (t *pairTally) repeatability() float64 {
	return mean(float64(t.pair.Repeated1+t.pair.RepeatedK), int(t.pair.Shared1+t.pair.SharedK))
}

// oneToOneRepeatability returns the share of these keypoints that are in a pair of mutual
// nearest neighbours. It is at most the repeatability.
func (t *pairTally) oneToOneRepeatability() float64 {
	return mean(2*float64(t.pair.RepeatedOnce), int(t.pair.Shared1+t.pair.SharedK))
}

// localizationErrorPx returns the mean distance of the repeated keypoints of both images to
// their neighbours. It is NaN without repeated keypoints.
func (t *pairTally) localizationErrorPx() float64 {
	return mean(t.pair.RepeatErrorSum1+t.pair.RepeatErrorSumK, int(t.pair.Repeated1+t.pair.RepeatedK))
}
