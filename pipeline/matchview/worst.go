package matchview

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"descbench/eval/catalogue"
	"descbench/eval/matching"
	"descbench/eval/scope"
	"descbench/pipeline/compare"
	"descbench/pipeline/config"
	"descbench/pipeline/fold"
	"descbench/pipeline/report"
	"descbench/pipeline/report/table"
)

// A badPair is an image pair of a system with its figures.
type badPair struct {
	system *fold.System
	scene  string
	k      int
	loss   float64 // by which pairs are sorted, the largest first
	cells  []table.Cell
}

// Worst returns a table of n pairs of systems in a scope, of variants of one type each pair once, with the worst of
// them: those that are worst by a metric or, if that is nil,
// those with the lowest mean average precision or, if all systems are judged by poses, with the
// largest errors of these. It returns an error if the systems' runs have different protocols or data.
func Worst(systems []*fold.System, in string, by *catalogue.Metric, n int) (*table.Table, error) {
	if err := together(systems, in); err != nil {
		return nil, err
	}
	list, order := rankedPairs(catalogue.MicroMAP), "with the lowest mAP"
	columns := []table.Column{
		table.Titled("descriptor", table.Words, 0), table.Titled("scene", table.Words, 0), table.Titled("k", table.Count, 0),
		{Name: "map", Title: "map", Full: "mAP", Unit: table.Share}, table.Titled("queries", table.Count, 0),
	}
	if by != nil {
		metric := cmp.Or(by.Scene, by.Name)
		if list, order = rankedPairs(metric), "with the worst "+by.Short; metric != catalogue.MicroMAP {
			columns = append(columns[:3], table.Titled(by.Short, report.UnitOf(by), 0))
		}
	} else if !slices.ContainsFunc(systems, func(s *fold.System) bool { return poseEstimator(s) == "" }) {
		list, order = posedPairs, "with the largest pose errors ("+poseEstimator(systems[0])+")"
		columns = append(columns[:3],
			table.Column{Name: "rotation_error", Title: "rotation (°)", Unit: table.Measure}, table.Column{Name: "translation_error", Title: "translation (°)", Unit: table.Measure},
			table.Titled("matches", table.Count, 0))
	}
	var pairs []badPair
	for _, s := range systems {
		of, err := list(s)
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, of...)
	}
	id := scope.Parse(in)
	pairs = slices.DeleteFunc(pairs, func(p badPair) bool { return id.K > 0 && id.K != p.k || !p.system.Run.Covers(in, p.scene) })
	slices.SortStableFunc(pairs, func(a, b badPair) int { return cmp.Compare(b.loss, a.loss) })
	type place struct {
		run                *fold.Run
		entry, kind, scene string
		k                  int
	}
	all, seen := len(pairs), make(map[place]bool)
	pairs = slices.DeleteFunc(pairs, func(p badPair) bool {
		d := p.system.Run.Config.Named(p.system.Descriptor)
		if d.Variant == nil {
			return false
		}
		at := place{p.system.Run, d.Variant.Name, d.Type, p.scene, p.k}
		again := seen[at]
		seen[at] = true
		return again
	})
	t := table.New(columns...)
	t.Keys = 3
	for _, p := range pairs[:min(n, len(pairs))] {
		t.Add(append([]table.Cell{table.Text(p.system.Name), table.Text(p.scene), table.Integer(p.k)}, p.cells...)...)
	}
	switch {
	case len(t.Rows) > 0:
	case in == scope.All && by != nil:
		return nil, &config.Error{File: "--sort " + by.Short, Msg: "no pair has a value of its own"}
	case in == scope.All:
		return nil, &config.Error{File: "--worst", Msg: "no pair to list: matches of programs and files, and images without keypoints, have no mAP"}
	default:
		return nil, &config.Error{File: "--scope " + in, Msg: "no pair to list; want a category, k:2, a scene or a pair that has one"}
	}
	what := "pairs"
	if len(systems) > 1 { // each is counted once per descriptor
		what = "results (pair × descriptor)"
	}
	if in != scope.All {
		order += ", " + report.ScopeWords(in) + ","
	}
	t.Title = fmt.Sprintf("%d of %d %s %s", len(t.Rows), len(pairs), what, order)
	if len(pairs) < all {
		t.Note("of variants of one type, each pair is listed once, with the worst")
	}
	if slices.ContainsFunc(pairs[:len(t.Rows)], func(p badPair) bool { return math.IsInf(p.loss, 1) }) {
		t.Note("undefined: no pose was found, which is worse than any")
	}
	return t, nil
}

// together returns an error if systems cannot be in one list, or a run lacks the scope.
func together(systems []*fold.System, in string) error {
	var runs []*fold.Run
	for _, s := range systems {
		if !slices.Contains(runs, s.Run) {
			runs = append(runs, s.Run)
			if err := s.Run.ReadScope(in); err != nil {
				return err
			}
		}
	}
	return compare.Together(runs, "list each run on its own")
}

// rankedPairs returns a function that returns the pairs of a system with their values of a metric and, of
// mAP, their number of queries.
func rankedPairs(metric string) func(*fold.System) ([]badPair, error) {
	return func(s *fold.System) (pairs []badPair, err error) {
		err = s.Run.EachMetric(func(descriptor string, m scope.Metric) {
			if id := scope.Parse(m.Scope); id.Kind == scope.OnePair && descriptor == s.Descriptor && m.Name == metric && !math.IsNaN(m.Value) {
				p := badPair{s, id.Scene, id.K, -m.Value, []table.Cell{table.Number(m.Value)}}
				if catalogue.Of(metric).Lower() {
					p.loss = m.Value
				}
				if metric == catalogue.MicroMAP {
					p.cells = append(p.cells, table.Integer(m.N))
				}
				pairs = append(pairs, p)
			}
		})
		return pairs, err
	}
}

// poseEstimator returns the first estimator of poses of a system's run, "" without one.
func poseEstimator(s *fold.System) string {
	if _, poses := matching.ByKind(s.Run.Config.Evaluation.Estimators); poses != nil {
		return poses[0]
	}
	return ""
}

// posedPairs returns the pairs of a system with the errors of rotation and translation, in degrees, of the
// pose that the first estimator of the run finds, means of several estimates, and the number of
// matches. Errors are undefined without a pose.
func posedPairs(s *fold.System) (pairs []badPair, err error) {
	matches := make(map[string]float64)
	err = s.Run.EachMetric(func(descriptor string, m scope.Metric) {
		if descriptor == s.Descriptor && m.Name == "matches_per_pair" {
			matches[m.Scope] = m.Value
		}
	})
	if err != nil {
		return nil, err
	}
	records, err := s.Run.PairRecords()
	for i := range records {
		p, n := &records[i], 0.0
		if p.Descriptor != s.Descriptor {
			continue
		}
		var rotation, translation float64
		for _, e := range matching.EstimateErrors(p) {
			if e.Estimator == poseEstimator(s) {
				rotation, translation, n = rotation+e.Rotation, translation+e.Translation, n+1
			}
		}
		rotation, translation = rotation/n, translation/n
		loss := max(rotation, translation)
		if math.IsInf(loss, 1) {
			rotation, translation = math.NaN(), math.NaN()
		}
		pairs = append(pairs, badPair{s, p.Scene, int(p.K), loss, []table.Cell{table.Number(rotation), table.Number(translation), table.Number(matches[scope.PairName(p.Scene, int(p.K))])}})
	}
	return pairs, err
}
