package estimate

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gocv.io/x/gocv"

	"descbench/keypoints"
	"descbench/keypoints/detect"
)

// What every estimator is given. Iterations and confidence are OpenCV's
// defaults, with which papers print their figures: 2000 samples of four find
// one without outliers with this confidence if at least 23 % of the matches
// are inliers.
const (
	ThresholdPx   = 3.0   // greatest reprojection error of an inlier, in the second image
	MaxIterations = 2000  // samples drawn at most
	Confidence    = 0.995 // with which sampling may end sooner
)

// estimators holds OpenCV's estimators by their names in results.
var estimators = map[string]gocv.HomographyMethod{
	// Fischler, Bolles: Random Sample Consensus, CACM 1981; then a least-squares
	// fit to the inliers.
	"ransac": gocv.HomographyMethodRANSAC,
	// Barath et al.: MAGSAC++, CVPR 2020 (cv::USAC_MAGSAC). It weights residuals
	// up to a limit of its own, 8 px; the threshold decides only which matches it
	// calls inliers and when it stops.
	"magsac": 38,
}

// Estimators returns the names of the estimators in alphabetical order.
func Estimators() []string {
	names := make([]string, 0, len(estimators))
	for name := range estimators {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// A Point is a position in pixels, in the precision in which OpenCV computes.
type Point struct{ X, Y float32 }

// Homography estimates the homography that maps src[i] to dst[i] where match i
// is right, with the named one of Estimators. inliers has an element per match:
// whether the estimate maps src[i] to within ThresholdPx of dst[i].
//
// ok is false, and that is no error, if there are fewer than four matches, if no
// homography was found, or if its inliers do not determine it, as when they
// lie on a line.
//
// Equal arguments give equal results, whatever was estimated before or is
// being estimated beside: OpenCV seeds the generators of both estimators anew
// in every call, and does not touch the one that the thread's calls share.
func Homography(src, dst []Point, estimator string) (h keypoints.Homography, inliers []bool, ok bool, err error) {
	method, known := estimators[estimator]
	if !known {
		return h, nil, false, fmt.Errorf("estimator %q, want one of %s", estimator, strings.Join(Estimators(), ", "))
	}
	if len(src) != len(dst) {
		return h, nil, false, fmt.Errorf("estimate a homography: %d points and %d that they match, want as many", len(src), len(dst))
	}
	for i := range src {
		if !src[i].finite() || !dst[i].finite() {
			return h, nil, false, fmt.Errorf("estimate a homography: match %d is (%v, %v) to (%v, %v), want finite coordinates",
				i, src[i].X, src[i].Y, dst[i].X, dst[i].Y)
		}
	}
	if len(src) < 4 {
		return h, nil, false, nil
	}
	found, inliers, err := findHomography(src, dst, method)
	if err != nil {
		return h, nil, false, fmt.Errorf("estimate a homography from %d matches with %s: %w", len(src), estimator, err)
	}
	if found == nil || !determined(src, dst, inliers) {
		return h, nil, false, nil
	}
	h, err = keypoints.Homography(found).Normalized()
	if err != nil { // not finite, or singular
		return keypoints.Homography{}, nil, false, nil
	}
	return h, inliers, true, nil
}

func (p Point) finite() bool {
	sum := float64(p.X) + float64(p.Y) // of two float32 never overflows
	return !math.IsNaN(sum) && !math.IsInf(sum, 0)
}

// findHomography returns OpenCV's nine numbers, or none if it found nothing,
// and its inliers.
func findHomography(src, dst []Point, method gocv.HomographyMethod) (h []float64, inliers []bool, err error) {
	from, err := matOf(src)
	defer from.Close()
	if err != nil {
		return nil, nil, err
	}
	to, err := matOf(dst)
	defer to.Close()
	if err != nil {
		return nil, nil, err
	}
	var wrong error
	err = detect.Call(func() bool {
		mask := gocv.NewMat()
		defer mask.Close()
		mat := gocv.FindHomography(from, to, method, ThresholdPx, &mask, MaxIterations, Confidence)
		defer mat.Close()
		h, inliers, wrong = nil, nil, nil
		if mat.Empty() {
			return false // an exception, or no homography
		}
		h, inliers, wrong = contents(mat, mask, len(src))
		return wrong == nil
	})
	if err == nil {
		err = wrong
	}
	return h, inliers, err
}

// matOf returns points as OpenCV has them. The caller closes the matrix, also
// after an error.
func matOf(points []Point) (gocv.Mat, error) {
	mat := gocv.NewMatWithSize(len(points), 2, gocv.MatTypeCV32FC1)
	values, err := mat.DataPtrFloat32()
	if err == nil && len(values) != 2*len(points) {
		err = errors.New("no memory")
	}
	if err != nil {
		return mat, fmt.Errorf("a matrix of %d points: %w", len(points), err)
	}
	for i, p := range points {
		values[2*i], values[2*i+1] = p.X, p.Y
	}
	return mat, nil
}

// contents copies what OpenCV returned for n matches, after checking its shape.
func contents(mat, mask gocv.Mat, n int) (h []float64, inliers []bool, err error) {
	if mat.Rows() != 3 || mat.Cols() != 3 || mat.Type() != gocv.MatTypeCV64F {
		return nil, nil, fmt.Errorf("OpenCV gave %d×%d numbers of type %v, want 3×3 of type %v", mat.Rows(), mat.Cols(), mat.Type(), gocv.MatTypeCV64F)
	}
	if mask.Total() != n || mask.Type() != gocv.MatTypeCV8U {
		return nil, nil, fmt.Errorf("OpenCV marked %d matches in type %v, want %d in type %v", mask.Total(), mask.Type(), n, gocv.MatTypeCV8U)
	}
	values, err := mat.DataPtrFloat64()
	if err != nil {
		return nil, nil, fmt.Errorf("OpenCV's homography: %w", err)
	}
	marks, err := mask.DataPtrUint8()
	if err != nil {
		return nil, nil, fmt.Errorf("OpenCV's inliers: %w", err)
	}
	inliers = make([]bool, n)
	for i, m := range marks {
		inliers[i] = m != 0
	}
	return slices.Clone(values), inliers, nil
}
