package matching

import (
	"encoding/json"
	"maps"
	"math"
	"slices"

	"descbench/eval/record"
)

// An EstimateError is the error of what an estimator found from the matches of a pair, +Inf if it
// found nothing.
type EstimateError struct {
	Estimator string
	// Px is that of a homography: the mean distance in image K of the four corners of image 1, mapped by
	// it, from their true positions.
	Px float64
	// Rotation and Translation are those of a relative pose, in degrees: of the rotation, and of the
	// direction of the translation, whose sign is left open.
	Rotation, Translation float64
}

// Degrees returns the error of a pose: the larger of both angles.
func (e EstimateError) Degrees() float64 { return max(e.Rotation, e.Translation) }

// EstimateErrors returns the errors in the record of a pair, one per estimate, those of homographies
// first: sorted by estimator, and within it in the order of draws and their repetitions. It leaves
// out a damaged column.
func EstimateErrors(p *record.Pair) (errors []EstimateError) {
	eachEstimate[cornerErrors](p.CornerErrors, func(estimator string, px *float64) {
		e := EstimateError{Estimator: estimator, Px: math.Inf(1)}
		if px != nil {
			e.Px = *px
		}
		errors = append(errors, e)
	})
	eachEstimate[[]*[2]float64](p.PoseErrors, func(estimator string, degrees *[2]float64) {
		e := EstimateError{Estimator: estimator, Rotation: math.Inf(1), Translation: math.Inf(1)}
		if degrees != nil {
			e.Rotation, e.Translation = degrees[0], degrees[1]
		}
		errors = append(errors, e)
	})
	return errors
}

// eachEstimate reads a column, the values of estimates by estimator, nil if nothing was found.
func eachEstimate[L ~[]*V, V any](column string, visit func(estimator string, value *V)) {
	var all map[string]L
	if column == "" || json.Unmarshal([]byte(column), &all) != nil {
		return
	}
	for _, estimator := range slices.Sorted(maps.Keys(all)) {
		for _, value := range all[estimator] {
			visit(estimator, value)
		}
	}
}

// EnterEstimateErrors writes the errors of all requested estimators into the record of their pair.
func EnterEstimateErrors(p *record.Pair, errors []EstimateError) {
	corners, poses := make(map[string]cornerErrors), make(map[string][]*[2]float64)
	for _, e := range errors {
		px, degrees := &e.Px, &[2]float64{e.Rotation, e.Translation}
		if math.IsInf(e.Px, 1) || math.IsInf(e.Rotation, 1) {
			px, degrees = nil, nil
		}
		if parsed, _ := ParseEstimator(e.Estimator); parsed.Pose() {
			poses[e.Estimator] = append(poses[e.Estimator], degrees)
		} else {
			corners[e.Estimator] = append(corners[e.Estimator], px)
		}
	}
	p.CornerErrors, p.PoseErrors = columnOf(corners), columnOf(poses)
}

func columnOf[L any](all map[string]L) string {
	if len(all) == 0 {
		return ""
	}
	text, err := json.Marshal(all) // sorted by estimator
	if err != nil {
		panic(err) // of finite numbers
	}
	return string(text)
}

// cornerErrors is the value of an estimator in the column corner_errors: px, null if the
// estimation failed, or a list of both if there are several estimates.
type cornerErrors []*float64

func (c cornerErrors) MarshalJSON() ([]byte, error) {
	if len(c) == 1 {
		return json.Marshal(c[0])
	}
	return json.Marshal([]*float64(c))
}

func (c *cornerErrors) UnmarshalJSON(text []byte) error {
	if text[0] == '[' {
		return json.Unmarshal(text, (*[]*float64)(c))
	}
	*c = make(cornerErrors, 1)
	return json.Unmarshal(text, &(*c)[0])
}
