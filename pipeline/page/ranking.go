package page

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"descbench/eval/catalogue"
	"descbench/eval/matching"
	"descbench/eval/scope"
	"descbench/pipeline/charts"
	"descbench/pipeline/compare"
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
// its authors, and mAP, or the usual ones.
func columns(runs *fold.Runs) (list []report.Selected) {
	var all []report.Selected
	if p := runs.Runs[0].Config.Preset(); p != nil {
		all = append(compare.PresetColumns(p), report.MetricColumns([]string{catalogue.MAP})...)
	} else {
		names := []string{catalogue.MAP, catalogue.MicroMAP, "precision_at_1", "mma@3"}
		for _, r := range runs.Runs {
			homographies, poses := matching.ByKind(r.Config.Evaluation.Estimators)
			for _, e := range homographies {
				names = append(names, catalogue.With(catalogue.HomographyAccuracy, e, 3))
			}
			for _, e := range poses {
				names = append(names, catalogue.With(catalogue.PoseAUC, e, 10))
			}
		}
		all = report.MetricColumns(append(names, "keypoint_verification_ap", "keypoint_retrieval_ap", "bojanic_verification_ap", "bojanic_matching_map", "bojanic_retrieval_map", "repeatability@3", "coverage", "known"))
	}
	for _, c := range all {
		if c.Title = cmp.Or(c.Title, c.Short); !slices.ContainsFunc(list, func(o report.Selected) bool { return o.Metric == c.Metric }) {
			list = append(list, c)
		}
	}
	return list
}

// A ranking is the table of all systems over each group of scenes.
type ranking struct {
	Groups  int    // of systems that share their keypoints
	Drawn   string // what resamples draw: scenes, or groups of them
	Matches string // what the matches are, if they differ
	Scopes  []scopeRanking
}

// A scopeRanking holds the rows of the ranking over a group of scenes: by keypoint set, best
// first.
type scopeRanking struct {
	Name, Title string
	Intervals   bool // whether a value has one
	Narrow      int  // the number of scenes if intervals over them are too narrow
	Rows        []rankingRow
}

// A rankingRow holds the metrics of one system.
type rankingRow struct {
	*fold.System
	Keypoints  string        // the keypoint set, if the systems have several
	Scenes     int           // behind the ranking metric
	Requested  int           // scenes
	Cells      []table.Shown // by column
	Difference table.Shown   // from the baseline
	Test       string        // what its test found
}

// newRanking returns the ranking with the scopes that have values.
func newRanking(r *results) ranking {
	sets, groups := fold.KeypointSets(r.Systems)
	out, intervals := ranking{Groups: groups, Drawn: report.Drawn(r.Runs.Runs[0])}, charts.Intervals(r.Systems, "")
	legend := compare.NewLegend(r.Systems)
	var metrics []*catalogue.Metric
	for _, c := range r.Columns {
		metrics = append(metrics, c.Metric)
	}
	if legend.MatchesDiffer(metrics...) {
		out.Matches = table.Sentences(legend.Matches(metrics...)...)
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
		t := &table.Table{Intervals: intervals}
		for _, c := range r.Columns {
			t.Columns = append(t.Columns, table.Column{Unit: report.UnitOf(c.Metric), Better: c.Metric.Better, Unmarked: legend.MatchesDiffer(c.Metric)})
		}
		t.Columns = append(t.Columns, table.Column{Unit: table.Points})
		for _, d := range r.Systems {
			behind := scenesIn(d, s.name, slices.Sorted(maps.Keys(d.Summary.Scenes)))
			row := rankingRow{System: d, Scenes: len(behind), Requested: len(scenesIn(d, s.name, d.Run.Summary.SceneNames()))}
			if ranked, there := d.Metric(s.name, catalogue.MAP); there { // matches are not ranked
				row.Scenes = ranked.N
			}
			if groups > 1 {
				row.Keypoints = d.Set
			}
			var difference table.Cell
			difference, row.Test = r.difference(d, s.name)
			one.Rows = append(one.Rows, row)
			var cells []table.Cell
			for _, c := range r.Columns {
				m, there := d.Metric(s.name, c.Metric.Name)
				if !there {
					m.Value = math.NaN()
				}
				cells = append(cells, table.Between(m.Value, m.Low, m.High))
			}
			t.AddTo(fmt.Sprint(sets[d], behind), append(cells, difference)...)
		}
		if n := report.FewestScenes(s.name, r.Runs.Runs...)[scope.All]; report.TooNarrow(n) {
			one.Narrow = n
		}
		for c := range r.Columns {
			for i, cell := range t.Shown(c) {
				one.Intervals = one.Intervals || cell.Tail() != ""
				one.Rows[i].Cells = append(one.Rows[i].Cells, cell)
			}
		}
		for i, cell := range t.Shown(len(r.Columns)) {
			one.Rows[i].Difference = cell
		}
		slices.SortStableFunc(one.Rows, func(a, b rankingRow) int {
			return cmp.Or(cmp.Compare(sets[a.System], sets[b.System]), cmp.Compare(b.Cells[0].Value(), a.Cells[0].Value()))
		})
		out.Scopes = append(out.Scopes, one)
	}
	return out
}

// scenesIn returns those of the scenes of a system's run that are in a scope.
func scenesIn(s *fold.System, in string, scenes []string) []string {
	return slices.DeleteFunc(scenes, func(scene string) bool { return !s.Run.Covers(in, scene) })
}
