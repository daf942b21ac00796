package estimate

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"gocv.io/x/gocv"

	"descbench/eval/matching"
	"descbench/keypoints"
	"descbench/keypoints/detect"
)

// methods are the values of OpenCV's findHomography that gocv does not define, except
// RANSAC.
var methods = map[string]gocv.HomographyMethod{
	matching.Ransac:       gocv.HomographyMethodRANSAC,
	matching.UsacDefault:  32,
	matching.UsacFast:     35,
	matching.UsacAccurate: 36,
	matching.UsacProsac:   37,
	matching.Magsac:       38,
}

// leastOfHomography is the number of matches that determine a homography.
const leastOfHomography = 4

// A Point is a position in pixels, in the precision that OpenCV uses.
type Point struct{ X, Y float32 }

// Matches are pairs of points in the two images: Src[i] and Dst[i] match.
type Matches struct {
	Src, Dst  []Point
	Distances []float64 // by which PROSAC prefers matches; nil: all are equal
	Weights   []float64 // of a weighted DLT; nil: all are equal
}

// Homography estimates the homography that maps Src[i] to Dst[i] for correct
// matches i.
//
// ok is false, without an error, if there are fewer than four matches, if no
// homography was found, or if its inliers do not determine it, for example
// because they are collinear.
//
// Equal arguments give equal results, independent of earlier and concurrent
// calls: OpenCV reseeds the random numbers of its estimators in every call, and
// does not use its per-thread generator. Unless the estimator takes OpenCV's
// homography as it is, results do not depend on the BLAS library: OpenCV uses it
// only to refine RANSAC's result, which this package does itself.
func Homography(m Matches, e matching.Estimator) (h keypoints.Homography, ok bool, err error) {
	if _, known := methods[e.Type]; !known && e.Robust() {
		return h, false, fmt.Errorf("estimator %q, want one of %s", e.Type, strings.Join(matching.HomographyTypes(), ", "))
	}
	if err := m.check(); err != nil {
		return h, false, fmt.Errorf("estimate a homography: %w", err)
	}
	if len(m.Src) < leastOfHomography {
		return h, false, nil
	}
	if !e.Robust() {
		h, ok = m.direct(e)
		return h, ok, nil
	}
	ordered := m
	if e.Type == matching.UsacProsac && m.Distances != nil {
		ordered = m.sorted(func(i, j int) int { return cmp.Compare(m.Distances[i], m.Distances[j]) })
	}
	h, ok, err = find(ordered.Src, ordered.Dst, e)
	if err != nil {
		return h, false, fmt.Errorf("estimate a homography from %d matches with %s: %w", len(m.Src), e, err)
	}
	// OpenCV's own marks are not used: with RANSAC they belong to the
	// homography before refinement.
	if !ok || !determined(m.Src, m.Dst, Within(h, m.Src, m.Dst, e.ThresholdPx)) {
		return keypoints.Homography{}, false, nil
	}
	return h, true, nil
}

func (m Matches) check() error {
	src, dst := m.Src, m.Dst
	if len(src) != len(dst) {
		return fmt.Errorf("%d source and %d destination points, want equal numbers", len(src), len(dst))
	}
	for i := range src {
		if !src[i].finite() || !dst[i].finite() {
			return fmt.Errorf("match %d is (%v, %v) to (%v, %v), want finite coordinates", i, src[i].X, src[i].Y, dst[i].X, dst[i].Y)
		}
	}
	return nil
}

func (p Point) finite() bool {
	sum := float64(p.X) + float64(p.Y) // the sum of two float32 never overflows float64
	return !math.IsNaN(sum) && !math.IsInf(sum, 0)
}

// Within marks the matches whose points h maps to within distance of each other,
// in pixels.
func Within(h keypoints.Homography, src, dst []Point, distance float64) []bool {
	marked := make([]bool, len(src))
	for i := range src {
		x, y := h.Apply(float64(src[i].X), float64(src[i].Y))
		marked[i] = math.Hypot(x-float64(dst[i].X), y-float64(dst[i].Y)) <= distance
	}
	return marked
}

// find returns OpenCV's homography, or the fit to its inliers. ok is false if
// there is none.
func find(src, dst []Point, e matching.Estimator) (h keypoints.Homography, ok bool, err error) {
	from, err := matOf(src)
	if err != nil {
		return h, false, err
	}
	defer from.Close()
	to, err := matOf(dst)
	if err != nil {
		return h, false, err
	}
	defer to.Close()
	var wrong error
	err = detect.Call(func() bool {
		mask := gocv.NewMat()
		defer mask.Close()
		mat := gocv.FindHomography(from, to, methods[e.Type], e.ThresholdPx, &mask, e.Iterations, e.Confidence)
		defer mat.Close()
		wrong = nil
		if mat.Empty() {
			return false // OpenCV threw an exception or found no homography
		}
		if e.OpenCV {
			var values []float64
			if values, wrong = mat.DataPtrFloat64(); wrong == nil {
				var singular error
				h, singular = keypoints.Homography(values).Normalized()
				ok = singular == nil
			}
			return wrong == nil
		}
		var inliers []uint8
		if inliers, wrong = mask.DataPtrUint8(); wrong == nil {
			h, ok = fit(src, dst, marksOf(inliers))
		}
		return wrong == nil
	})
	if err == nil {
		err = wrong
	}
	return h, ok, err
}

// matOf converts points to an OpenCV matrix. The caller must close it.
func matOf(points []Point) (gocv.Mat, error) {
	elements, _ := binary.Append(nil, binary.NativeEndian, points) // fails for other types only
	return gocv.NewMatFromBytes(len(points), 2, gocv.MatTypeCV32FC1, elements)
}

// marksOf returns which matches OpenCV has marked as inliers.
func marksOf(inliers []uint8) []bool {
	marked := make([]bool, len(inliers))
	for i, v := range inliers {
		marked[i] = v != 0
	}
	return marked
}
