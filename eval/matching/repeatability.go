package matching

import (
	"math"

	"descbench/eval/record"
	"descbench/keypoints"
)

// EnterRepeatability writes into the record of a pair the counts of the repeated keypoints
// among a of image 1 and b of image K. h maps image 1 to image K, and inverse maps image K
// to image 1. The record has the sizes of the images.
//
// Only keypoints in the shared region are considered. A keypoint is repeated if the
// keypoint of the other image nearest to its projection is within TolerancePx, in
// pixels of the other image. Several keypoints may have the same neighbour (DeTone
// et al. 2018). RepeatedOnce counts the pairs of keypoints that are each other's
// neighbour; ties go to the lower row. At most one of several keypoints at the same
// position is in such a pair.
func EnterRepeatability(p *record.Pair, h, inverse keypoints.Homography, a, b []keypoints.Keypoint) {
	sharedA, indexA := reduce(a, h, [2]int{int(p.WidthK), int(p.HeightK)})
	sharedB, indexB := reduce(b, inverse, [2]int{int(p.Width1), int(p.Height1)})
	enter(p, search(sharedA, indexB), search(sharedB, indexA))
}

// EnterRepeatabilityInK writes into the record of a pair the counts of the repeated
// keypoints among a of image 1 and b of image K, all of which lie in the shared region.
// Unlike EnterRepeatability it measures all distances in image K: the keypoints of image 1
// are projected for both directions, as compute_repeatability of rpautrat/SuperPoint does.
func EnterRepeatabilityInK(p *record.Pair, h keypoints.Homography, a, b []keypoints.Keypoint) {
	pointsA, pointsB := make([]projection, len(a)), make([]projection, len(b))
	for i, k := range a {
		pointsA[i].x, pointsA[i].y = h.Apply(float64(k.X), float64(k.Y))
	}
	for i, k := range b {
		pointsB[i] = projection{float64(k.X), float64(k.Y)}
	}
	index := func(points []projection) *keypoints.Index {
		return keypoints.NewIndex(TolerancePx, len(points), func(row int) (x, y float64) { return points[row].x, points[row].y })
	}
	enter(p, search(pointsA, index(pointsB)), search(pointsB, index(pointsA)))
}

// enter writes the counts of keypoints with these neighbours.
func enter(p *record.Pair, nearestA, nearestB []neighbour) {
	p.Shared1, p.Repeated1, p.RepeatErrorSum1 = sum(nearestA)
	p.SharedK, p.RepeatedK, p.RepeatErrorSumK = sum(nearestB)
	p.RepeatedOnce = 0
	for row, n := range nearestA {
		if n.row >= 0 && int(nearestB[n.row].row) == row {
			p.RepeatedOnce++
		}
	}
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

// A projection is the position of a keypoint in the other image, or NaN if the
// keypoint is not in the shared region.
type projection struct{ x, y float64 }

func (p projection) shared() bool { return !math.IsNaN(p.x) }

// reduce returns, row by row, the projections of the keypoints by h into an image of
// the given size. It also returns an index of the keypoints in the shared region by
// their original positions.
func reduce(points []keypoints.Keypoint, h keypoints.Homography, size [2]int) ([]projection, *keypoints.Index) {
	out := make([]projection, len(points))
	for i, k := range points {
		x, y := h.Apply(float64(k.X), float64(k.Y))
		if !inside(x, y, size) {
			x, y = math.NaN(), math.NaN()
		}
		out[i] = projection{x, y}
	}
	return out, keypoints.NewIndex(TolerancePx, len(points), func(row int) (x, y float64) {
		if !out[row].shared() {
			return math.NaN(), math.NaN() // not in the index
		}
		return float64(points[row].X), float64(points[row].Y)
	})
}

// inside reports whether a point lies in an image of the given width and height.
func inside(x, y float64, size [2]int) bool {
	return x >= 0 && x <= float64(size[0]-1) && y >= 0 && y <= float64(size[1]-1)
}

// A neighbour is the keypoint nearest to the projection of another keypoint.
type neighbour struct {
	shared     bool  // the projected keypoint is in the shared region
	row        int32 // of the neighbour; -1 if none is within the tolerance
	distancePx float64
}

func search(from []projection, in *keypoints.Index) []neighbour {
	out := make([]neighbour, len(from))
	for i, p := range from {
		out[i].shared = p.shared()
		out[i].row, out[i].distancePx = in.Nearest(p.x, p.y)
	}
	return out
}

func sum(neighbours []neighbour) (shared, repeated int32, errorSum float64) {
	for _, n := range neighbours {
		if n.shared {
			shared++
		}
		if n.row >= 0 {
			repeated++
			errorSum += n.distancePx
		}
	}
	return shared, repeated, errorSum
}
