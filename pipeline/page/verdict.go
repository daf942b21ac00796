package page

import (
	"math"
	"slices"

	"descbench/eval/catalogue"
	"descbench/pipeline/fold"
	"descbench/pipeline/report"
)

// A verdict says which of the systems that share their keypoints is best in a scope,
// and which others are not distinguishable from it.
type verdict struct {
	Best  int    // index of the system
	Value string // as in the ranking
	// On names the keypoints, if the systems do not all have the same.
	On string
	// Equal are the systems with the same mAP in every scene, such as one descriptor
	// under several matchers.
	Equal []int
	// Behind are the systems significantly behind the best one, Level those that are
	// not, and Untested those whose difference is not tested.
	Behind, Level, Untested []int
	Why                     string // the untested are not tested
	// Apart are systems with results for other scenes than all others on the keypoints.
	// No mAP is compared with theirs; a verdict about them alone has no best system.
	Apart []int
	Over  int // scenes of the systems compared; 0 if all on the keypoints have the same
}

// verdicts returns a verdict for each group of at least two systems that were
// evaluated on the same keypoints of the same scenes, and one for those on the same
// keypoints that share their scenes with no other.
func (r *results) verdicts(scope string) []verdict {
	if r.Comparisons == nil {
		return nil
	}
	var out []verdict
	groups := r.sharingKeypoints()
	for _, group := range groups {
		on := ""
		if len(groups) > 1 {
			on = r.Systems[group[0]].Keypoints
		}
		var apart []int
		parts := r.sharingScenes(group, scope)
		for _, part := range parts {
			if len(part) == 1 && len(parts) > 1 {
				apart = append(apart, part...)
			} else if v, ok := r.verdict(part, scope); ok {
				v.On = on
				if len(parts) > 1 {
					best, _ := r.Systems[v.Best].Metric(scope, catalogue.MAP)
					v.Over = best.N
				}
				out = append(out, v)
			}
		}
		if apart != nil {
			out = append(out, verdict{On: on, Apart: apart})
		}
	}
	return out
}

// verdict returns the verdict on systems that share keypoints and scenes. ok is false
// if there is nothing to compare.
func (r *results) verdict(group []int, scope string) (v verdict, ok bool) {
	v.Best = -1
	for _, i := range group {
		value := r.Systems[i].Value(scope, catalogue.MAP)
		if !math.IsNaN(value) && (v.Best < 0 || value > r.Systems[v.Best].Value(scope, catalogue.MAP)) {
			v.Best = i
		}
	}
	if v.Best < 0 {
		return v, false
	}
	for _, i := range group {
		switch row := r.comparison(v.Best, i, scope); {
		case row == nil:
		case row.Ties > 0 && row.Wins+row.Losses == 0:
			v.Equal = append(v.Equal, i)
		case !row.Tested:
			v.Untested = append(v.Untested, i)
		case row.Verdict == "worse":
			v.Behind = append(v.Behind, i)
		default:
			v.Level = append(v.Level, i)
		}
	}
	v.Why = "too few scenes; " + r.Comparisons[v.Best].Needs()
	return v, len(v.Equal)+len(v.Behind)+len(v.Level)+len(v.Untested) > 0
}

// comparison returns the comparison of a system with a baseline, or nil if there is
// none.
func (r *results) comparison(baseline, i int, scope string) *report.ComparisonRow {
	for k := range r.Comparisons[baseline].Rows {
		if row := &r.Comparisons[baseline].Rows[k]; row.Descriptor == r.Systems[i].Name && row.Scope == scope {
			return row
		}
	}
	return nil
}

// Tested reports whether any difference is tested.
func (r *results) Tested() bool {
	return slices.ContainsFunc(r.Comparisons, func(c *report.Comparison) bool {
		return slices.ContainsFunc(c.Rows, func(row report.ComparisonRow) bool { return row.Tested })
	})
}

// sharingKeypoints returns the indices of the systems that were evaluated on the same
// keypoints.
func (r *results) sharingKeypoints() [][]int {
	var groups [][]int
	for _, group := range fold.ByKeypoints(r.Systems) {
		var indices []int
		for _, s := range group {
			indices = append(indices, slices.Index(r.Systems, s))
		}
		groups = append(groups, indices)
	}
	return groups
}
