package matching

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"descbench/eval/spelling"
)

// The estimators of homographies. dlt fits all matches; the others are robust
// against wrong ones.
const (
	DLT    = "dlt"
	Magsac = "magsac"
	Ransac = "ransac"
)

// DefaultThresholdPx is the inlier threshold of a robust estimator whose name states
// none.
const DefaultThresholdPx = 3

// MaxThresholdPx is the largest inlier threshold of a robust estimator.
const MaxThresholdPx = 100

// ParseEstimator splits the name of an estimator, such as ransac or ransac_0.5px,
// into the method and its inlier threshold in pixels, which dlt does not use. Each estimator has
// one name: that of the default threshold does not state it. The error says what is
// wanted.
func ParseEstimator(name string) (method string, thresholdPx float64, err error) {
	method, suffix, given := strings.Cut(name, "_")
	if method == DLT && !given {
		return DLT, DefaultThresholdPx, nil
	}
	if !slices.Contains([]string{Magsac, Ransac}, method) {
		return "", 0, fmt.Errorf("want dlt, ransac or magsac, or the latter two with an inlier threshold, such as ransac_0.5px%s", spelling.Hint(method, []string{DLT, Magsac, Ransac}))
	}
	if !given {
		return method, DefaultThresholdPx, nil
	}
	number, inPx := strings.CutSuffix(suffix, "px")
	t, err := strconv.ParseFloat(number, 64)
	switch {
	case err != nil || !inPx || strconv.FormatFloat(t, 'f', -1, 64) != number:
		return "", 0, fmt.Errorf("want the threshold as a plain decimal with px, such as %s_0.5px", method)
	case !(t > 0 && t <= MaxThresholdPx):
		return "", 0, fmt.Errorf("want a threshold above 0 and up to %d px", MaxThresholdPx)
	case t == DefaultThresholdPx:
		return "", 0, fmt.Errorf("want %s, whose threshold is %d px", method, DefaultThresholdPx)
	}
	return method, t, nil
}
