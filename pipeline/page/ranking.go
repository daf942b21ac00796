package page

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"descbench/eval/catalogue"
	"descbench/eval/scope"
	"descbench/pipeline/charts"
	"descbench/pipeline/fold"
	"descbench/pipeline/report"
	"descbench/pipeline/report/table"
)

// scopes are the groups of scenes that the ranking can be switched between.
var scopes = []struct{ name, title string }{
	{scope.All, "All scenes"}, {scope.Viewpoint, "Viewpoint"}, {scope.Illumination, "Illumination"}, {scope.Other, "Other"},
	{"subset:108", "108 of HPatches"},
}

// columns returns the metrics of the ranking: those of a preset of a paper, with the titles of
// its authors, and mAP, or the usual ones. Metrics that no system has are left out.
func columns(runs *fold.Runs) (list []column) {
	add := func(metric, title string) {
		if !slices.ContainsFunc(list, func(c column) bool { return c.Metric == metric }) {
			_, definition, _ := catalogue.Lookup(metric) // known
			list = append(list, column{cmp.Or(title, catalogue.Short(metric)), metric, definition})
		}
	}
	if p := runs.Runs[0].Config.Preset(); p != nil {
		for _, m := range p.Metrics {
			add(m.Name, m.Title)
		}
		add(catalogue.MAP, "")
		return list
	}
	names := []string{catalogue.MAP, catalogue.MicroMAP, "precision_at_1", "mma@3"}
	for _, r := range runs.Runs {
		for _, e := range r.Config.Evaluation.Estimators {
			names = append(names, e+"_homography_accuracy@3")
		}
	}
	for _, name := range append(names, "keypoint_verification_ap", "keypoint_retrieval_ap", "bojanic_verification_ap", "bojanic_matching_map", "bojanic_retrieval_map", "repeatability@3", "coverage") {
		add(name, "")
	}
	return list
}

// A ranking is the table of all systems over each group of scenes.
type ranking struct {
	Groups    int    // of systems that share their keypoints
	Intervals bool   // whether a value has one
	Narrow    string // why intervals over all scenes are too narrow, if they are
	Columns   []column
	Main      int // the column of mAP, by which rows are sorted and compared
	Scopes    []scopeRanking
}

// A column is one metric of the ranking.
type column struct {
	Title      string // the short name, or that of a preset's authors
	Metric     string
	Definition catalogue.Definition
}

// A scopeRanking holds the rows of the ranking over a group of scenes: by keypoint set, best
// first.
type scopeRanking struct {
	Name, Title string
	Rows        []rankingRow
}

// A rankingRow holds the metrics of one system.
type rankingRow struct {
	*fold.System
	Index     int
	Keypoints string // the keypoint set, if the systems have several
	Scenes    int    // behind the ranking metric
	Requested int    // scenes
	Fewer     bool   // than requested
	Cells     []cell // by column
	Dimension int
}

// A cell is one number of the ranking.
type cell struct {
	Defined bool
	table.Cell
	Value float64 // by which rows are sorted
	Text  string  // shares in per cent
	Range string  // of the interval; "" without one
	Best  bool    // the highest of its column
}

// newRanking returns the ranking with the columns and scopes that have values.
func newRanking(r *results) ranking {
	groups := r.sharingKeypoints()
	set := func(row rankingRow) int {
		return slices.IndexFunc(groups, func(group []int) bool { return slices.Contains(group, row.Index) })
	}
	out := ranking{Groups: len(groups), Intervals: charts.Intervals(r.Systems, ""), Narrow: charts.TooNarrow(r.Runs, scope.All)}
	for _, c := range columns(r.Runs) {
		if c.Metric == catalogue.MAP {
			out.Main = len(out.Columns)
		} else if !slices.ContainsFunc(r.Systems, func(s *fold.System) bool { _, there := s.Metric(scope.All, c.Metric); return there }) {
			continue
		}
		out.Columns = append(out.Columns, c)
	}
	for _, s := range scopes {
		if !slices.ContainsFunc(r.Systems, func(d *fold.System) bool {
			for m := range d.Metrics() {
				if m.Scope == s.name {
					return true
				}
			}
			return false
		}) {
			continue
		}
		one := scopeRanking{Name: s.name, Title: s.title}
		for i, d := range r.Systems {
			one.Rows = append(one.Rows, r.row(i, d, s.name, out.Columns, len(groups) > 1))
		}
		for _, group := range groups {
			for _, comparable := range r.sharingScenes(group, s.name) {
				one.markBest(comparable, out.Columns)
			}
		}
		one.format(out.Columns, out.Intervals)
		slices.SortStableFunc(one.Rows, func(a, b rankingRow) int {
			return cmp.Or(cmp.Compare(set(a), set(b)), cmp.Compare(b.Cells[out.Main].Value, a.Cells[out.Main].Value))
		})
		out.Scopes = append(out.Scopes, one)
	}
	return out
}

// format formats the numbers as a table with intervals does, or one without.
func (s *scopeRanking) format(columns []column, intervals bool) {
	for _, row := range s.Rows {
		for c := range row.Cells {
			if one := &row.Cells[c]; one.Defined {
				unit := report.UnitOf(columns[c].Metric)
				value, low, high := unit.Rounded(one.Cell, unit.Decimals(intervals))
				if one.Text = value; low != "" {
					one.Range = low + "–" + high
				}
			}
		}
	}
}

func (r *results) row(i int, d *fold.System, scope string, columns []column, several bool) rankingRow {
	row := rankingRow{Index: i, System: d, Dimension: d.Summary.Dimension, Scenes: len(scenesIn(d, scope)), Requested: requested(d, scope)}
	if ranked, there := d.Metric(scope, catalogue.MAP); there { // matches are not ranked
		row.Scenes = ranked.N
	}
	row.Fewer = row.Scenes < row.Requested
	if several {
		row.Keypoints = d.Keypoints
	}
	for _, c := range columns {
		m, there := d.Metric(scope, c.Metric)
		if !there {
			row.Cells = append(row.Cells, cell{Value: math.Inf(-1)})
			continue
		}
		row.Cells = append(row.Cells, cell{Defined: true, Cell: table.Between(m.Value, m.Low, m.High), Value: m.Value})
	}
	return row
}

// requested returns the number of scenes of the system's run that were requested in
// a scope, or 0 for the scope of a subset.
func requested(s *fold.System, in string) int {
	if in == scope.All {
		return s.Run.Summary.ScenesRequested
	}
	return len(scope.OfCategory(s.Run.Summary.SceneNames(), in))
}

// sharingKeypoints returns the indices of the systems that were evaluated on the same
// keypoints.
func (r *results) sharingKeypoints() [][]int {
	groups := make([][]int, len(fold.ByKeypoints(r.Systems)))
	for i, group := range fold.ByKeypoints(r.Systems) {
		for _, s := range group {
			groups[i] = append(groups[i], slices.Index(r.Systems, s))
		}
	}
	return groups
}

// sharingScenes divides a group of systems into those with results for the same scenes
// of a scope.
func (r *results) sharingScenes(group []int, in string) [][]int {
	var out [][]int
	place := make(map[string]int)
	for _, i := range group {
		key := strings.Join(scenesIn(r.Systems[i], in), "\x00")
		if _, known := place[key]; !known {
			place[key] = len(out)
			out = append(out, nil)
		}
		out[place[key]] = append(out[place[key]], i)
	}
	return out
}

// scenesIn returns the scenes of a scope for which a system has results.
func scenesIn(s *fold.System, in string) []string {
	scenes := slices.Sorted(maps.Keys(s.Summary.Scenes))
	if in == scope.Viewpoint || in == scope.Illumination || in == scope.Other {
		scenes = scope.OfCategory(scenes, in)
	}
	return scenes
}

// markBest marks the highest value of each column among the systems of a group, or the lowest
// if that is better, unless all are equal.
func (s *scopeRanking) markBest(group []int, columns []column) {
	for c := range columns {
		best, worst := math.Inf(-1), math.Inf(1)
		for _, i := range group {
			if s.Rows[i].Cells[c].Defined {
				best, worst = max(best, s.Rows[i].Cells[c].Value), min(worst, s.Rows[i].Cells[c].Value)
			}
		}
		for _, i := range group {
			one := &s.Rows[i].Cells[c]
			better := map[string]float64{"higher": best, "lower": worst}[columns[c].Definition.Better]
			one.Best = one.Defined && one.Value == better && best > worst
		}
	}
}
