package matching

import (
	"math"

	"descbench/eval"
)

// The names of the estimators whose corner errors have a column in eval.Pair.
const (
	magsac = "magsac"
	ransac = "ransac"
)

// factsOf returns the facts in the record of a pair.
func factsOf(p *eval.Pair) Facts {
	return Facts{
		Repeatability: Counts{
			Shared1: p.Shared1, SharedK: p.SharedK,
			Repeated1: p.Repeated1, RepeatedK: p.RepeatedK, OneToOne: p.RepeatedOnce,
			ErrorSum1: p.RepeatErrorSum1, ErrorSumK: p.RepeatErrorSumK,
		},
		CorrectSharedK: p.CorrectSharedK,
		Spread1:        p.Spread1, SpreadK: p.SpreadK,
		Corners: CornerErrors(p),
	}
}

// CornerErrors returns the corner errors in the record of a pair, one per requested
// estimator, sorted by name.
func CornerErrors(p *eval.Pair) []CornerError {
	var corners []CornerError
	for _, e := range estimates(p) {
		if *e.failed {
			corners = append(corners, CornerError{e.estimator, math.Inf(1)})
		} else if !math.IsNaN(*e.px) {
			corners = append(corners, CornerError{e.estimator, *e.px})
		}
	}
	return corners
}

// Enter writes the facts into the record of their pair. It leaves out the corner
// errors of estimators for which the record has no column.
func (f *Facts) Enter(p *eval.Pair) {
	c := f.Repeatability
	p.Shared1, p.SharedK = c.Shared1, c.SharedK
	p.Repeated1, p.RepeatedK, p.RepeatedOnce = c.Repeated1, c.RepeatedK, c.OneToOne
	p.RepeatErrorSum1, p.RepeatErrorSumK = c.ErrorSum1, c.ErrorSumK
	p.CorrectSharedK = f.CorrectSharedK
	p.Spread1, p.SpreadK = f.Spread1, f.SpreadK
	for _, e := range estimates(p) {
		*e.px, *e.failed = math.NaN(), false
		for _, c := range f.Corners {
			if c.Estimator != e.estimator {
				continue
			}
			if *e.failed = math.IsInf(c.Px, 1); !*e.failed {
				*e.px = c.Px
			}
		}
	}
}

// An estimate is the columns of one estimator in the record of a pair.
type estimate struct {
	estimator string
	px        *float64
	failed    *bool
}

// estimates returns the columns of all estimators, sorted by name.
func estimates(p *eval.Pair) []estimate {
	return []estimate{
		{magsac, &p.MagsacCornerError, &p.MagsacFailed},
		{ransac, &p.RansacCornerError, &p.RansacFailed},
	}
}
