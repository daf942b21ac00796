package page

import (
	"slices"

	"descbench/pipeline/compare"
	"descbench/pipeline/report"
)

// A verdict says which of the systems that share their keypoints is best in a scope,
// and which others are not distinguishable from it.
type verdict struct {
	Best  int // index of the system
	Value string
	// On names the keypoints, if the systems do not all have the same.
	On string
	// Behind are the systems significantly behind the best one, Level those that are
	// not, and Untested those whose difference is not tested.
	Behind, Level, Untested []int
	Why                     string // the untested are not tested
}

// verdicts returns a verdict for each group of at least two systems that were
// evaluated on the same keypoints.
func (r *results) verdicts(scope string) []verdict {
	if r.Comparisons == nil {
		return nil
	}
	var out []verdict
	groups := r.sharingKeypoints()
	for _, group := range groups {
		best := -1
		for _, i := range group {
			m, defined := r.Systems[i].Metrics[scope][headline]
			if defined && (best < 0 || m.Value > r.Systems[best].Metrics[scope][headline].Value) {
				best = i
			}
		}
		if best < 0 || len(group) < 2 {
			continue
		}
		v := verdict{Best: best, Value: percent(r.Systems[best].Metrics[scope][headline].Value)}
		if len(groups) > 1 {
			v.On = r.Systems[best].Keypoints
		}
		for _, i := range group {
			switch row := r.comparison(best, i, scope); {
			case row == nil:
			case !row.Tested:
				v.Untested = append(v.Untested, i)
			case row.Verdict == worse:
				v.Behind = append(v.Behind, i)
			default:
				v.Level = append(v.Level, i)
			}
		}
		if len(v.Behind)+len(v.Level)+len(v.Untested) == 0 {
			continue
		}
		v.Why = "too few scenes; " + r.Comparisons[best].Needs()
		out = append(out, v)
	}
	return out
}

// The verdicts of report.ComparisonRow.
const worse = "worse"

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

// sharingKeypoints groups the systems that were evaluated on the same keypoints, in
// their order. Systems without a common scene do not share keypoints.
func (r *results) sharingKeypoints() [][]int {
	var groups [][]int
next:
	for i := range r.Systems {
		for g, group := range groups {
			if !slices.ContainsFunc(group, func(other int) bool { return !compare.SameKeypoints(r.Systems[other].Digests, r.Systems[i].Digests) }) {
				groups[g] = append(group, i)
				continue next
			}
		}
		groups = append(groups, []int{i})
	}
	return groups
}
