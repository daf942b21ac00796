package matching

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"descbench/eval/spelling"
)

// The types of estimators. dlt fits a homography to all matches; the others are robust against
// wrong ones. Those with usac in their names are methods of OpenCV's USAC framework, as is
// magsac. Those that begin with essential estimate an essential matrix, which gives the relative
// pose of two cameras; the others estimate homographies.
const (
	DLT    = "dlt"
	Magsac = "magsac"
	Ransac = "ransac"

	UsacAccurate = "usac_accurate"
	UsacDefault  = "usac_default"
	UsacFast     = "usac_fast"
	UsacProsac   = "usac_prosac"

	Essential             = "essential"
	EssentialMagsac       = "essential_magsac"
	EssentialUsacAccurate = "essential_usac_accurate"
	EssentialUsacDefault  = "essential_usac_default"
	EssentialUsacFast     = "essential_usac_fast"

	// Functions of the user, whose names follow: own_pose_mine.
	OwnHomography = "own_homography"
	OwnPose       = "own_pose"
)

// HomographyTypes returns the types of estimators of homographies that OpenCV has.
func HomographyTypes() []string {
	return []string{DLT, Ransac, Magsac, UsacDefault, UsacFast, UsacAccurate, UsacProsac}
}

// PoseTypes returns the types of estimators of relative poses that OpenCV has.
func PoseTypes() []string {
	return []string{Essential, EssentialMagsac, EssentialUsacDefault, EssentialUsacFast, EssentialUsacAccurate}
}

// EstimatorTypes returns the types of estimators that OpenCV has.
func EstimatorTypes() []string { return append(HomographyTypes(), PoseTypes()...) }

// DefaultThresholdPx is the inlier threshold of a robust estimator of homographies whose name
// states none.
const DefaultThresholdPx = 3

// MaxThresholdPx is the largest inlier threshold of a robust estimator.
const MaxThresholdPx = 100

// MaxIterations is the largest number of samples of a robust estimator.
const MaxIterations = 10_000_000

// MaxRepetitions is the largest number of repetitions, and of draws.
const MaxRepetitions = 100

// ScaleSide is the length in px of the short side of an image in whose units scaled
// thresholds and errors are.
const ScaleSide = 480

// An Estimator is a way to estimate a homography or the relative pose of the cameras from the
// matches of an image pair and to measure the error of the estimate.
type Estimator struct {
	Type        string
	Own         string  // name of the user's function, of OwnHomography and OwnPose; "" of others
	ThresholdPx float64 // maximum reprojection error of an inlier, in image K, of a pose distance from its epipolar line; of dlt not used
	// ScaledThreshold says that the threshold is in units of image K scaled to a short
	// side of ScaleSide px.
	ScaledThreshold bool
	Iterations      int     // maximum number of samples of four matches, of a pose five; 0 for dlt and own functions, and for poses by USAC, which always takes 1000
	Confidence      float64 // at which sampling may stop earlier; 0 for dlt and own functions
	// Repetitions is the number of estimates of a draw, each from the matches in another
	// random order, whose errors count like those of as many pairs; 0: one estimate.
	Repetitions int
	// OpenCV says that a robust estimate is OpenCV's homography as it is; else
	// OpenCV's inliers are fitted again: see package estimate.
	OpenCV bool
	// Weighted says that dlt weights matches by their scores. Nearest neighbours have
	// none: their weights are equal.
	Weighted bool
	// System says that dlt solves AᵀA·h = (1, …, 1) instead of taking the eigenvector
	// of the smallest eigenvalue of AᵀA, like find_homography_dlt of kornia/kornia.
	System bool
	// OuterCorners says that the corner error is that of the corners (0, 0) to
	// (w, h) of an image instead of the centres of its corner pixels, (0, 0) to
	// (w−1, h−1).
	OuterCorners bool
	// ScaledError says that the corner error is in units of image K scaled to a short
	// side of ScaleSide px.
	ScaledError bool
	// SuperGlueFocal says that the threshold of a pose is divided by the mean of fx of image 1
	// and fy of image K, as in magicleap/SuperGluePretrainedNetwork, instead of all four.
	SuperGlueFocal bool
	// OriginalPixels says that the threshold of a pose is in px of the images before they were
	// resized: the focal length is theirs.
	OriginalPixels bool
}

// NewEstimator returns the estimator of a type with its default parameters: those of
// OpenCV's findHomography for ransac and USAC, more samples for magsac. With confidence
// 0.995, 2000 samples include one without outliers if at least 23 % of the matches are
// inliers. magsac abandons bad samples early and needs about a hundredth of the time per
// sample; with 10 % inliers, it fails with OpenCV's defaults, and succeeds with these. Its
// threshold only decides when to stop: OpenCV weights residuals up to its own limit of 8 px.
// For poses the parameters are those of SuperGlue's evaluation.
func NewEstimator(typ string) Estimator {
	e := Estimator{Type: typ, ThresholdPx: DefaultThresholdPx}
	switch typ {
	case DLT:
	case OwnHomography:
		e.OpenCV = true // it is taken as it is
	case OwnPose:
		e.ThresholdPx, e.OpenCV = 1, true
	case Essential:
		e.ThresholdPx, e.Iterations, e.Confidence, e.OpenCV = 1, 1000, 0.99999, true
	case EssentialMagsac, EssentialUsacDefault, EssentialUsacFast, EssentialUsacAccurate:
		e.ThresholdPx, e.Confidence, e.OpenCV = 1, 0.99999, true
	case Magsac:
		e.Iterations, e.Confidence, e.OpenCV = 100_000, 0.99999, true
	case Ransac:
		e.Iterations, e.Confidence = 2000, 0.995
	default:
		e.Iterations, e.Confidence, e.OpenCV = 2000, 0.995, true
	}
	return e
}

// String returns the name of the estimator: its type, the name of an own function, and after
// underscores what differs from NewEstimator:
//
//	0.5px    threshold
//	3px480   threshold in an image with a short side of 480 px
//	3000it   iterations
//	0.9999c  confidence
//	5x       estimates of a draw
//	opencv   OpenCV's homography as it is
//	refit    OpenCV's inliers fitted again
//	scored   matches weighted by their scores
//	system   solution of a system of equations instead of an eigenvector
//	wh       corner error of the corners (0, 0) to (w, h)
//	e480     corner error in an image with a short side of 480 px
//	superglue  threshold divided by the focal lengths that SuperGlue's code takes
//	original   threshold in px of the images before they were resized
//
// Two estimators with the same name are equal.
func (e Estimator) String() string {
	standard := NewEstimator(e.Type)
	number := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	words := []string{e.Type}
	add := func(differs bool, word string) {
		if differs {
			words = append(words, word)
		}
	}
	add(e.Own != "", e.Own)
	if e.ScaledThreshold {
		add(true, number(e.ThresholdPx)+"px"+strconv.Itoa(ScaleSide))
	} else {
		add(e.ThresholdPx != standard.ThresholdPx, number(e.ThresholdPx)+"px")
	}
	add(e.Iterations != standard.Iterations, strconv.Itoa(e.Iterations)+"it")
	add(e.Confidence != standard.Confidence, number(e.Confidence)+"c")
	add(e.Repetitions != 0, strconv.Itoa(e.Repetitions)+"x")
	add(e.OpenCV && !standard.OpenCV, "opencv")
	add(!e.OpenCV && standard.OpenCV, "refit")
	add(e.Weighted, "scored")
	add(e.System, "system")
	add(e.OuterCorners, "wh")
	add(e.ScaledError, "e"+strconv.Itoa(ScaleSide))
	add(e.SuperGlueFocal, "superglue")
	add(e.OriginalPixels, "original")
	return strings.Join(words, "_")
}

// Robust reports whether the estimator tolerates wrong matches.
func (e Estimator) Robust() bool { return e.Type != DLT }

// Pose reports whether the estimator estimates relative poses instead of homographies.
func (e Estimator) Pose() bool { return e.Type == OwnPose || slices.Contains(PoseTypes(), e.Type) }

// IsOwn reports whether the estimator is a function of the user.
func (e Estimator) IsOwn() bool { return e.Type == OwnPose || e.Type == OwnHomography }

// OwnName matches the names that functions of the user may have in those of estimators.
var OwnName = regexp.MustCompile(`^[a-z][a-z0-9]*$`)

// Draws are the numbers of draws of the samples of estimators of homographies and of poses.
type Draws struct{ Homographies, Poses int }

// Estimates returns the number of estimates for a pair in so many draws of samples: one if
// the estimator draws none.
func (e Estimator) Estimates(draws Draws) int {
	switch {
	case !e.Robust():
		return 1
	case e.Pose():
		return draws.Poses * max(1, e.Repetitions)
	}
	return draws.Homographies * max(1, e.Repetitions)
}

// errEstimator says what a name of an estimator is.
var errEstimator = errors.New("want dlt, ransac, magsac, usac_default, usac_fast, usac_accurate or usac_prosac for homographies, essential, essential_magsac, essential_usac_default, essential_usac_fast or essential_usac_accurate for poses, own_homography_NAME or own_pose_NAME for evaluation.own_estimators[NAME], or one with parameters, such as ransac_0.5px")

// ParseEstimator returns the estimator of a name that String has returned. The error
// says what is wanted.
func ParseEstimator(name string) (Estimator, error) {
	typ, rest := "", ""
	for _, t := range append(EstimatorTypes(), OwnHomography, OwnPose) {
		if after, ok := strings.CutPrefix(name, t); ok && (after == "" || after[0] == '_') {
			typ, rest = t, after
		}
	}
	if typ == "" {
		before, _, _ := strings.Cut(name, "_")
		return Estimator{}, fmt.Errorf("%w%s", errEstimator, spelling.Hint(before, EstimatorTypes()))
	}
	e, words := NewEstimator(typ), strings.Split(rest, "_")[1:]
	if e.IsOwn() && len(words) > 0 {
		e.Own, words = words[0], words[1:]
	}
	for _, word := range words {
		if err := e.read(word); err != nil {
			return Estimator{}, err
		}
	}
	if err := e.Check(); err != nil {
		return Estimator{}, err
	}
	if e.String() != name {
		return Estimator{}, fmt.Errorf("want %s, the only name of this estimator", e)
	}
	return e, nil
}

// ByKind returns the names of estimators of homographies and those of poses.
func ByKind(names []string) (homographies, poses []string) {
	for _, name := range names {
		if e, _ := ParseEstimator(name); e.Pose() {
			poses = append(poses, name)
		} else {
			homographies = append(homographies, name)
		}
	}
	return homographies, poses
}

// read sets what a word of a name states.
func (e *Estimator) read(word string) (err error) {
	number, unit := word, ""
	if i := strings.IndexFunc(word, func(r rune) bool { return r != '.' && (r < '0' || r > '9') }); i >= 0 {
		number, unit = word[:i], word[i:]
	}
	flags := map[string]*bool{"scored": &e.Weighted, "system": &e.System, "wh": &e.OuterCorners, "e480": &e.ScaledError, "superglue": &e.SuperGlueFocal, "original": &e.OriginalPixels}
	switch {
	case unit == "px" || unit == "px480":
		e.ScaledThreshold = unit == "px480"
		e.ThresholdPx, err = strconv.ParseFloat(number, 64)
	case unit == "it":
		e.Iterations, err = strconv.Atoi(number)
	case unit == "x":
		e.Repetitions, err = strconv.Atoi(number)
	case unit == "c":
		e.Confidence, err = strconv.ParseFloat(number, 64)
	case word == "opencv" || word == "refit":
		e.OpenCV = word == "opencv"
	case flags[word] != nil:
		*flags[word] = true
	default:
		err = errEstimator
	}
	if err != nil && number == word {
		return fmt.Errorf("%q has no unit, as 3px has, %w", word, errEstimator)
	} else if err != nil {
		return fmt.Errorf("cannot read %q, %w", word, errEstimator)
	}
	return nil
}

// Misplaced says which images the estimator is for, when they are others.
func (e Estimator) Misplaced() string {
	if e.Pose() {
		return e.String() + " is for images with cameras, not with homographies: a plane does not determine a pose"
	}
	return e.String() + " is for images with homographies, not with cameras; want essential or another estimator of poses"
}

// Check returns an error that says what is wanted if the estimator cannot be.
func (e Estimator) Check() error {
	robust, usac := e.Robust() && !e.IsOwn(), e.Pose() && e.Type != Essential && !e.IsOwn()
	switch {
	case e.IsOwn() && !OwnName.MatchString(e.Own):
		return fmt.Errorf("want the name of an own function after %s_: a lower-case letter, then such letters and digits", e.Type)
	case !e.IsOwn() && (e.Own != "" || !slices.Contains(EstimatorTypes(), e.Type)):
		return errEstimator
	case e.IsOwn() && (e.Iterations != 0 || e.Confidence != 0 || !e.OpenCV || e.Weighted || e.System || e.SuperGlueFocal):
		return errors.New("want no parameters of an own function but a threshold, repetitions and, for homographies, px480, wh and e480, for poses original")
	case !(e.ThresholdPx > 0 && e.ThresholdPx <= MaxThresholdPx):
		return fmt.Errorf("want a threshold above 0 and up to %d px", MaxThresholdPx)
	case usac && e.Iterations != 0:
		return errors.New("want no iterations for poses by USAC, of which OpenCV always takes 1000")
	case robust && !usac && !(e.Iterations > 0 && e.Iterations <= MaxIterations):
		return fmt.Errorf("want 1 to %d iterations", MaxIterations)
	case robust && !(e.Confidence > 0 && e.Confidence < 1):
		return errors.New("want a confidence above 0 and below 1")
	case !(e.Repetitions >= 0 && e.Repetitions <= MaxRepetitions):
		return fmt.Errorf("want 0 to %d repetitions", MaxRepetitions)
	case e.Pose() && (!e.OpenCV || e.Weighted || e.System || e.OuterCorners || e.ScaledError || e.ScaledThreshold):
		return errors.New("want refit, scored, system, wh, e480 and px480 for homographies only")
	case !e.Pose() && (e.SuperGlueFocal || e.OriginalPixels):
		return errors.New("want superglue and original for poses only")
	case robust && (e.Weighted || e.System):
		return errors.New("want scored and system for dlt only")
	case e.Type == DLT && (e.Iterations != 0 || e.Confidence != 0 || e.Repetitions != 0 || e.OpenCV || e.ScaledThreshold || e.ThresholdPx != DefaultThresholdPx):
		return errors.New("want no threshold, iterations, confidence, repetitions or opencv for dlt, which fits all matches")
	}
	return nil
}
