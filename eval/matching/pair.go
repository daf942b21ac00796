package matching

import (
	"cmp"
	"encoding/json"
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

// CornerErrors returns the corner errors in the record of a pair, one per requested
// estimator or one per repetition, sorted by name. It leaves out damaged values of the
// column corner_errors.
func CornerErrors(p *record.Pair) []CornerError {
	var corners []CornerError
	for _, e := range estimates(p) {
		if *e.failed {
			corners = append(corners, CornerError{e.estimator, math.Inf(1)})
		} else if !math.IsNaN(*e.px) {
			corners = append(corners, CornerError{e.estimator, *e.px})
		}
	}
	var others map[string]cornerErrorsOf
	if p.CornerErrors != "" && json.Unmarshal([]byte(p.CornerErrors), &others) == nil {
		for estimator, all := range others {
			for _, px := range all {
				if px == nil {
					px = new(float64)
					*px = math.Inf(1)
				}
				corners = append(corners, CornerError{estimator, *px})
			}
		}
	}
	slices.SortStableFunc(corners, func(a, b CornerError) int { return cmp.Compare(a.Estimator, b.Estimator) })
	return corners
}

// EnterCornerErrors writes the corner errors of all requested estimators into the
// record of their pair.
func EnterCornerErrors(p *record.Pair, corners []CornerError) {
	for _, e := range estimates(p) {
		*e.px, *e.failed = math.NaN(), false
	}
	others := make(map[string]cornerErrorsOf)
	for _, c := range corners {
		failed := math.IsInf(c.Px, 1)
		at := slices.IndexFunc(estimates(p), func(e estimate) bool { return e.estimator == c.Estimator })
		switch {
		case at < 0 && failed:
			others[c.Estimator] = append(others[c.Estimator], nil)
		case at < 0:
			others[c.Estimator] = append(others[c.Estimator], &c.Px)
		case failed:
			*estimates(p)[at].failed = true
		default:
			*estimates(p)[at].px = c.Px
		}
	}
	p.CornerErrors = ""
	if len(others) > 0 {
		text, err := json.Marshal(others) // sorted by estimator
		if err != nil {
			panic(err) // of finite numbers
		}
		p.CornerErrors = string(text)
	}
}

// cornerErrorsOf is the value of an estimator in the column corner_errors: px, null if the
// estimation failed, or a list of both if it was repeated.
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

// An estimate is the columns of an estimator that has its own in the record of a pair.
type estimate struct {
	estimator string
	px        *float64
	failed    *bool
}

// estimates returns the columns of these estimators.
func estimates(p *record.Pair) []estimate {
	return []estimate{
		{Magsac, &p.MagsacCornerError, &p.MagsacFailed},
		{Ransac, &p.RansacCornerError, &p.RansacFailed},
	}
}
