package matching

import (
	"math"

	"descbench/keypoints"
)

// Counts holds the sums from which the repeatability and the localization error of
// the keypoints of an image pair are computed. They do not depend on descriptors.
type Counts struct {
	Shared1   int32 // keypoints of image 1 in the shared region
	SharedK   int32 // keypoints of image K in the shared region
	Repeated1 int32 // keypoints of Shared1 with a neighbour among SharedK
	RepeatedK int32 // keypoints of SharedK with a neighbour among Shared1
	OneToOne  int32 // pairs of keypoints that are each other's nearest neighbour

	ErrorSum1 float64 // sum of the distances of Repeated1 to their neighbours, px in image K
	ErrorSumK float64 // sum of the distances of RepeatedK to their neighbours, px in image 1
}

// Repeatability counts the repeated keypoints among a of image 1 and b of image K.
// h maps image 1 to image K, and inverse maps image K to image 1. Sizes are width
// and height in pixels.
//
// Only keypoints in the shared region are considered. A keypoint is repeated if the
// keypoint of the other image nearest to its projection is within the tolerance, in
// pixels of the other image. Several keypoints may have the same neighbour (DeTone
// et al. 2018). OneToOne counts the pairs of keypoints that are each other's
// neighbour; ties go to the lower row. At most one of several keypoints at the same
// position is in such a pair.
func Repeatability(h, inverse keypoints.Homography, a, b []keypoints.Keypoint, size1, sizeK [2]int, tolerancePx float64) Counts {
	sharedA, indexA := reduce(a, h, sizeK, tolerancePx)
	sharedB, indexB := reduce(b, inverse, size1, tolerancePx)
	return count(search(sharedA, indexB), search(sharedB, indexA))
}

// RepeatabilityInK counts the repeated keypoints among a of image 1 and b of image K,
// all of which lie in the shared region. Unlike Repeatability it measures all distances
// in image K: the keypoints of image 1 are projected for both directions, as
// compute_repeatability of rpautrat/SuperPoint does.
func RepeatabilityInK(h keypoints.Homography, a, b []keypoints.Keypoint, tolerancePx float64) Counts {
	pointsA, pointsB := make([]projection, len(a)), make([]projection, len(b))
	for i, k := range a {
		pointsA[i].x, pointsA[i].y = h.Apply(float64(k.X), float64(k.Y))
	}
	for i, k := range b {
		pointsB[i] = projection{float64(k.X), float64(k.Y)}
	}
	index := func(points []projection) *keypoints.Index {
		return keypoints.NewIndex(tolerancePx, len(points), func(row int) (x, y float64) { return points[row].x, points[row].y })
	}
	return count(search(pointsA, index(pointsB)), search(pointsB, index(pointsA)))
}

// count returns the counts of keypoints with these neighbours.
func count(nearestA, nearestB []neighbour) (c Counts) {
	c.Shared1, c.Repeated1, c.ErrorSum1 = sum(nearestA)
	c.SharedK, c.RepeatedK, c.ErrorSumK = sum(nearestB)
	for row, n := range nearestA {
		if n.row >= 0 && int(nearestB[n.row].row) == row {
			c.OneToOne++
		}
	}
	return c
}

// Share returns the repeatability: the share of repeated keypoints among those in
// the shared region, pooled over both images. It is NaN without such keypoints.
func (c Counts) Share() float64 {
	return mean(float64(c.Repeated1+c.RepeatedK), int(c.Shared1+c.SharedK))
}

// OneToOneShare returns the share of these keypoints that are in a pair of mutual
// nearest neighbours. It is at most Share. It is NaN without such keypoints.
func (c Counts) OneToOneShare() float64 {
	return mean(2*float64(c.OneToOne), int(c.Shared1+c.SharedK))
}

// LocalizationErrorPx returns the mean distance of the repeated keypoints of
// both images to their neighbours. It is NaN without repeated keypoints.
func (c Counts) LocalizationErrorPx() float64 {
	return mean(c.ErrorSum1+c.ErrorSumK, int(c.Repeated1+c.RepeatedK))
}

// A projection is the position of a keypoint in the other image, or NaN if the
// keypoint is not in the shared region.
type projection struct{ x, y float64 }

func (p projection) shared() bool { return !math.IsNaN(p.x) }

// reduce returns, row by row, the projections of the keypoints by h into an image of
// the given size. It also returns an index of the keypoints in the shared region by
// their original positions.
func reduce(points []keypoints.Keypoint, h keypoints.Homography, size [2]int, radius float64) ([]projection, *keypoints.Index) {
	out := make([]projection, len(points))
	for i, k := range points {
		x, y := h.Apply(float64(k.X), float64(k.Y))
		if !inside(x, y, size) {
			x, y = math.NaN(), math.NaN()
		}
		out[i] = projection{x, y}
	}
	return out, keypoints.NewIndex(radius, len(points), func(row int) (x, y float64) {
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
