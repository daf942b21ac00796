package estimate

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gocv.io/x/gocv"

	"descbench/eval/matching"
	"descbench/keypoints"
	"descbench/keypoints/detect"
)

// An Estimator is a method to estimate a homography from matches. All but dlt are
// robust against wrong ones.
type Estimator struct {
	Name          string  // name in configs and results
	ThresholdPx   float64 // maximum reprojection error of an inlier, in the second image
	MaxIterations int     // maximum number of samples of four matches
	Confidence    float64 // confidence at which sampling may stop earlier
	Source        string  // author, title, venue
	method        gocv.HomographyMethod
	fitInliers    bool // fit the homography to OpenCV's inliers instead of using OpenCV's homography
}

// Estimators returns all methods with their default thresholds.
//
// dlt fits all matches by linear equations, without weights and without refinement.
//
// ransac uses OpenCV's default number of iterations and confidence, as published
// results do: with this confidence, 2000 samples include one without outliers if
// at least 23 % of the matches are inliers. magsac abandons bad samples early and
// needs about a hundredth of the time per sample. With 10 % inliers, it fails
// with OpenCV's defaults but succeeds with these settings.
func Estimators() []Estimator {
	return []Estimator{
		{
			Name: matching.Ransac, ThresholdPx: matching.DefaultThresholdPx, MaxIterations: 2000, Confidence: 0.995,
			Source: "Fischler, Bolles, Random Sample Consensus, CACM 1981; OpenCV's RANSAC; " +
				"fit to its inliers by the normalised DLT and Levenberg-Marquardt: Hartley, Zisserman, Multiple View Geometry, 2nd edition",
			method: gocv.HomographyMethodRANSAC, fitInliers: true,
		},
		{
			// The threshold only decides when to stop. OpenCV weights
			// residuals up to its own limit of 8 px.
			Name: matching.Magsac, ThresholdPx: matching.DefaultThresholdPx, MaxIterations: 100_000, Confidence: 0.99999,
			Source: "Barath, Noskova, Ivashechkin, Matas, MAGSAC++, CVPR 2020; OpenCV's USAC_MAGSAC",
			method: 38, // cv::USAC_MAGSAC, which gocv does not define
		},
		{
			Name: matching.DLT, ThresholdPx: matching.DefaultThresholdPx,
			Source: "normalised DLT on all matches: Hartley, Zisserman, Multiple View Geometry, 2nd edition, algorithm 4.2",
		},
	}
}

func estimatorNamed(name string) (Estimator, error) {
	method, threshold, err := matching.ParseEstimator(name)
	for _, e := range Estimators() {
		if err == nil && e.Name == method {
			e.Name, e.ThresholdPx = name, threshold
			return e, nil
		}
	}
	return Estimator{}, fmt.Errorf("estimator %q, %w", name, err)
}

// A Point is a position in pixels, in the precision that OpenCV uses.
type Point struct{ X, Y float32 }

// Homography estimates, with the named estimator, the homography that maps src[i]
// to dst[i] for correct matches i. The name may state a threshold; see
// matching.ParseEstimator. inliers has one element per match: whether the estimate
// maps src[i] to within the estimator's threshold of dst[i].
//
// ok is false, without an error, if there are fewer than four matches, if no
// homography was found, or if its inliers do not determine it, for example
// because they are collinear.
//
// Equal arguments give equal results, independent of earlier and concurrent
// calls: OpenCV reseeds the random numbers of both estimators in every call, and
// does not use its per-thread generator. Results do not depend on the BLAS
// library: OpenCV uses it only to refine RANSAC's result, which this package does
// itself.
func Homography(src, dst []Point, estimator string) (h keypoints.Homography, inliers []bool, ok bool, err error) {
	e, err := estimatorNamed(estimator)
	if err != nil {
		return h, nil, false, fmt.Errorf("estimate a homography: %w", err)
	}
	if err := checkMatches(src, dst); err != nil {
		return h, nil, false, fmt.Errorf("estimate a homography: %w", err)
	}
	if len(src) < 4 {
		return h, nil, false, nil
	}
	if e.Name == matching.DLT {
		if h, ok = direct(src, dst, slices.Repeat([]bool{true}, len(src))); !ok {
			return h, nil, false, nil
		}
		return h, within(h, src, dst, e.ThresholdPx), true, nil
	}
	h, ok, err = e.find(src, dst)
	if err != nil {
		return h, nil, false, fmt.Errorf("estimate a homography from %d matches with %s: %w", len(src), estimator, err)
	}
	if !ok {
		return h, nil, false, nil
	}
	// OpenCV's own marks are not used: with RANSAC they belong to the
	// homography before refinement.
	inliers = within(h, src, dst, e.ThresholdPx)
	if !determined(src, dst, inliers) {
		return keypoints.Homography{}, nil, false, nil
	}
	return h, inliers, true, nil
}

func checkMatches(src, dst []Point) error {
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

// within marks the matches whose points h maps to within distance of each other,
// in pixels.
func within(h keypoints.Homography, src, dst []Point, distance float64) []bool {
	marked := make([]bool, len(src))
	for i := range src {
		x, y := h.Apply(float64(src[i].X), float64(src[i].Y))
		marked[i] = math.Hypot(x-float64(dst[i].X), y-float64(dst[i].Y)) <= distance
	}
	return marked
}

// find returns OpenCV's homography, or the fit to its inliers. ok is false if
// there is none.
func (e Estimator) find(src, dst []Point) (h keypoints.Homography, ok bool, err error) {
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
		mat := gocv.FindHomography(from, to, e.method, e.ThresholdPx, &mask, e.MaxIterations, e.Confidence)
		defer mat.Close()
		wrong = nil
		if mat.Empty() {
			return false // OpenCV threw an exception or found no homography
		}
		if !e.fitInliers {
			h, ok, wrong = homographyOf(mat)
			return wrong == nil
		}
		var marked []bool
		if marked, wrong = marksOf(mask, len(src)); wrong == nil {
			h, ok = fit(src, dst, marked)
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
	mat := gocv.NewMatWithSize(len(points), 2, gocv.MatTypeCV32FC1)
	values, err := mat.DataPtrFloat32()
	if err == nil && len(values) != 2*len(points) {
		err = errors.New("OpenCV returned no matrix")
	}
	if err != nil {
		mat.Close()
		return gocv.Mat{}, fmt.Errorf("matrix of %d points: %w", len(points), err)
	}
	for i, p := range points {
		values[2*i], values[2*i+1] = p.X, p.Y
	}
	return mat, nil
}

// homographyOf returns the homography in a matrix. ok is false if it is not
// finite or is singular.
func homographyOf(mat gocv.Mat) (h keypoints.Homography, ok bool, err error) {
	if mat.Rows() != 3 || mat.Cols() != 3 || mat.Type() != gocv.MatTypeCV64F {
		return h, false, fmt.Errorf("OpenCV returned %d×%d numbers of type %v, want 3×3 of type %v", mat.Rows(), mat.Cols(), mat.Type(), gocv.MatTypeCV64F)
	}
	values, err := mat.DataPtrFloat64()
	if err != nil {
		return h, false, fmt.Errorf("OpenCV's homography: %w", err)
	}
	h, err = keypoints.Homography(values).Normalized()
	return h, err == nil, nil
}

// marksOf returns which of the n matches OpenCV has marked as inliers.
func marksOf(mask gocv.Mat, n int) ([]bool, error) {
	values, err := mask.DataPtrUint8()
	if err == nil && len(values) != n {
		err = fmt.Errorf("%d marks, want %d", len(values), n)
	}
	if err != nil {
		return nil, fmt.Errorf("OpenCV's inliers: %w", err)
	}
	marked := make([]bool, n)
	for i, v := range values {
		marked[i] = v != 0
	}
	return marked, nil
}
