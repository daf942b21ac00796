package matching

import (
	"encoding/json"
	"maps"
	"math"
	"slices"

	"descbench/eval/record"
)

// A CornerError is the error of a homography estimated from the matches of a pair:
// the mean distance of the four corners of image 1, mapped by it, from their true
// positions.
type CornerError struct {
	Estimator string
	Px        float64 // in image K; +Inf if the estimation failed
}

// CornerErrors returns the corner errors in the record of a pair, one per estimate: sorted by
// estimator, and within it in the order of draws and their repetitions. It leaves out a damaged
// column.
func CornerErrors(p *record.Pair) []CornerError {
	var all map[string]cornerErrorsOf
	if p.CornerErrors == "" || json.Unmarshal([]byte(p.CornerErrors), &all) != nil {
		return nil
	}
	var corners []CornerError
	for _, estimator := range slices.Sorted(maps.Keys(all)) {
		for _, px := range all[estimator] {
			c := CornerError{estimator, math.Inf(1)}
			if px != nil {
				c.Px = *px
			}
			corners = append(corners, c)
		}
	}
	return corners
}

// EnterCornerErrors writes the corner errors of all requested estimators into the
// record of their pair.
func EnterCornerErrors(p *record.Pair, corners []CornerError) {
	all := make(map[string]cornerErrorsOf)
	for _, c := range corners {
		px := &c.Px
		if math.IsInf(c.Px, 1) {
			px = nil
		}
		all[c.Estimator] = append(all[c.Estimator], px)
	}
	p.CornerErrors = ""
	if len(all) > 0 {
		text, err := json.Marshal(all) // sorted by estimator
		if err != nil {
			panic(err) // of finite numbers
		}
		p.CornerErrors = string(text)
	}
}

// A PoseError is the error of a relative pose estimated from the matches of a pair, in degrees:
// of the rotation, and of the direction of the translation, whose sign is left open. Both are +Inf
// if the estimation failed.
type PoseError struct {
	Estimator             string
	Rotation, Translation float64
}

// PoseErrors returns the errors of poses in the record of a pair, in the order of CornerErrors.
func PoseErrors(p *record.Pair) []PoseError {
	var all map[string][]*[2]float64
	if p.PoseErrors == "" || json.Unmarshal([]byte(p.PoseErrors), &all) != nil {
		return nil
	}
	var errors []PoseError
	for _, estimator := range slices.Sorted(maps.Keys(all)) {
		for _, degrees := range all[estimator] {
			e := PoseError{estimator, math.Inf(1), math.Inf(1)}
			if degrees != nil {
				e.Rotation, e.Translation = degrees[0], degrees[1]
			}
			errors = append(errors, e)
		}
	}
	return errors
}

// EnterPoseErrors writes the errors of the poses of all requested estimators into the record of
// their pair.
func EnterPoseErrors(p *record.Pair, errors []PoseError) {
	all := make(map[string][]*[2]float64)
	for _, e := range errors {
		degrees := &[2]float64{e.Rotation, e.Translation}
		if math.IsInf(e.Rotation, 1) {
			degrees = nil
		}
		all[e.Estimator] = append(all[e.Estimator], degrees)
	}
	p.PoseErrors = ""
	if len(all) > 0 {
		text, err := json.Marshal(all) // sorted by estimator
		if err != nil {
			panic(err) // of finite numbers
		}
		p.PoseErrors = string(text)
	}
}

// cornerErrorsOf is the value of an estimator in the column corner_errors: px, null if the
// estimation failed, or a list of both if there are several estimates.
type cornerErrorsOf []*float64

func (c cornerErrorsOf) MarshalJSON() ([]byte, error) {
	if len(c) == 1 {
		return json.Marshal(c[0])
	}
	return json.Marshal([]*float64(c))
}

func (c *cornerErrorsOf) UnmarshalJSON(text []byte) error {
	if text[0] == '[' {
		return json.Unmarshal(text, (*[]*float64)(c))
	}
	*c = make(cornerErrorsOf, 1)
	return json.Unmarshal(text, &(*c)[0])
}
