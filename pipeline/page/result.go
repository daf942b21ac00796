package page

import (
	"math"

	"descbench/eval/scope"
	"descbench/pipeline/fold"
	"descbench/pipeline/report"
	"descbench/pipeline/report/table"
)

// A leader is what the page says first: which system of a keypoint set is the best by the metric of
// the ranking, and by how much.
type leader struct {
	System    *fold.System
	Keypoints string // the keypoint set, if the systems have several
	Value     string
	Next      *fold.System // the second best; nil if the system is alone
	Ahead     string       // by how much the system is ahead of Next, on the scenes of both unless it is not ahead there; "" if they are equal
	Others    bool         // whether more than Next are equal
	Verdict   string       // of the test of this difference, as in a report.ComparisonRow; "" without one
	P         string       // of that test, corrected
}

// mostLeaders is the number of keypoint sets up to which the page says what is best on each: a
// ranking of more must not be pushed down.
const mostLeaders = 3

// leaders returns the best system of each keypoint set of a ranking, nil for more than mostLeaders.
func (r *results) leaders(all ranking) (out []leader, err error) {
	if len(all.Scopes) == 0 {
		return nil, nil
	}
	sets, n := fold.KeypointSets(r.Systems)
	if n > mostLeaders {
		return nil, nil
	}
	rows := all.Scopes[0].Rows
	for i, row := range rows {
		if !row.Cells[0].Defined() || i > 0 && sets[rows[i-1].System] == sets[row.System] {
			continue
		}
		best := leader{System: row.System, Keypoints: row.Keypoints, Value: row.Cells[0].Head}
		if i+1 < len(rows) && sets[rows[i+1].System] == sets[row.System] && rows[i+1].Cells[0].Defined() {
			best.Next = rows[i+1].System
			ahead := math.Abs(row.Cells[0].Value() - rows[i+1].Cells[0].Value())
			if r.with != nil {
				c, err := r.with(best.Next)
				if err != nil {
					return nil, err
				}
				if test := c.Row(best.System.Name, scope.All); test != nil {
					best.Verdict, best.P = test.Verdict, table.P.Format(test.PHolm)
					if test.Difference >= 0 {
						ahead = test.Difference // over the scenes of both
					}
				}
			}
			const equalWithin = 1e-6 // for compare, too
			if ahead > equalWithin {
				unit := report.UnitOf(r.Columns[0].Metric)
				if best.Ahead = unit.Format(ahead); best.Ahead == unit.Format(0) {
					best.Ahead = "less than " + unit.Format(1e-4)
				}
			} else if i+2 < len(rows) && sets[rows[i+2].System] == sets[row.System] {
				best.Others = row.Cells[0].Value()-rows[i+2].Cells[0].Value() <= equalWithin
			}
		}
		out = append(out, best)
	}
	return out, nil
}
