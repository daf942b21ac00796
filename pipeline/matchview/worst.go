package matchview

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"descbench/eval/catalogue"
	"descbench/eval/ranking"
	"descbench/eval/record"
	"descbench/eval/scope"
	"descbench/pipeline/compare"
	"descbench/pipeline/config"
	"descbench/pipeline/fold"
	"descbench/pipeline/report"
	"descbench/pipeline/report/table"
)

// WorstOf says what a list of the worst is made of.
type WorstOf struct {
	By      string         // pair, scene or query
	In      string         // scope: all, a category, k:2, a scene or a pair
	Systems []*fold.System // those to list
	N       int            // length of the list
}

// Worst returns a table of the pairs or scenes with the lowest mean average precision,
// of the processed queries with the worst ranks, those with a wrong match first, or, of images with
// cameras, of the pairs with the largest errors of poses. It returns
// an error if the systems' runs have different protocols or data.
func Worst(ctx context.Context, w WorstOf) (*table.Table, error) {
	if err := w.together(); err != nil {
		return nil, err
	}
	list := worstScopes
	switch {
	case w.ofPoses():
		list = worstPoses
	case w.By == "query":
		list = worstQueries
	}
	t, err := list(ctx, w)
	if err == nil && len(t.Rows) == 0 && w.In != scope.All {
		err = &config.Error{File: "--scope " + w.In, Msg: "no " + w.By + " to list; want a category, k:2, a scene or a pair that has one"}
	}
	return t, err
}

// together returns an error if the systems cannot be in one list, or a run lacks the scope.
func (w WorstOf) together() error {
	var runs []*fold.Run
	for _, s := range w.Systems {
		if !slices.Contains(runs, s.Run) {
			runs = append(runs, s.Run)
			if err := s.Run.ReadScope(w.In); err != nil {
				return err
			}
		}
	}
	return compare.Together(runs, "list each run on its own")
}

// covers reports whether the list has image k of a scene of a system, or with k 0 the whole scene.
func (w WorstOf) covers(s *fold.System, name string, k int) bool {
	id := scope.Parse(w.In)
	return (id.K == 0 || id.K == k) && s.Run.Covers(w.In, name)
}

// A place is a pair or a scene with the figures of a system.
type place struct {
	system  *fold.System
	scene   string
	k       int // 0 for a scene
	value   float64
	queries int
}

func worstScopes(_ context.Context, w WorstOf) (*table.Table, error) {
	var places []place
	for _, s := range w.Systems {
		err := s.Run.EachMetric(func(descriptor string, m scope.Metric) {
			id := scope.Parse(m.Scope)
			if !id.IsOne() || (id.K > 0) != (w.By == "pair") || descriptor != s.Descriptor || m.Name != catalogue.MicroMAP || math.IsNaN(m.Value) {
				return
			}
			if w.covers(s, id.Scene, id.K) {
				places = append(places, place{s, id.Scene, id.K, m.Value, m.N})
			}
		})
		if err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(places, func(a, b place) int { return cmp.Compare(a.value, b.value) })
	columns := []table.Column{table.Titled("descriptor", table.Words, 0), table.Titled("scene", table.Words, 0), table.Titled("k", table.Count, 0)}
	if w.By == "scene" {
		columns = columns[:2]
	}
	t := table.New(append(columns, table.Column{Name: "map", Title: "map", Full: "mAP", Unit: table.Share}, table.Titled("queries", table.Count, 0))...)
	t.Keys = len(columns)
	for _, p := range places[:min(w.N, len(places))] {
		cells := []table.Cell{table.Text(p.system.Name), table.Text(p.scene)}
		if w.By == "pair" {
			cells = append(cells, table.Number(float64(p.k)))
		}
		t.Add(append(cells, table.Number(p.value), table.Number(float64(p.queries)))...)
	}
	t.Title = w.title(len(t.Rows), len(places), "with the lowest mAP")
	return t, nil
}

// title says what the list shows.
func (w WorstOf) title(shown, of int, order string) string {
	what := map[string]string{"pair": "pairs", "scene": "scenes", "query": "queries"}[w.By]
	if len(w.Systems) > 1 { // each is counted once per descriptor
		what = fmt.Sprintf("results (%s × descriptor)", w.By)
	}
	if w.In != scope.All {
		order += ", " + report.ScopeWords(w.In) + ","
	}
	return fmt.Sprintf("%d of %d %s %s", shown, of, what, order)
}

// A failure is a query with the ranks of its ground truth.
type failure struct {
	record.Query
	system      *fold.System
	rank, wrong float64 // wrong: the rank if the match is wrong, else 0
}

func worstQueries(ctx context.Context, w WorstOf) (*table.Table, error) {
	var worst []failure
	total, near := 0, 0
	keep := func() {
		slices.SortStableFunc(worst, func(a, b failure) int { return cmp.Or(cmp.Compare(b.wrong, a.wrong), cmp.Compare(b.rank, a.rank)) })
		worst = worst[:min(w.N, len(worst))]
	}
	for _, s := range w.Systems {
		for _, scene := range s.Run.Scenes() {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			records, err := s.Records(scene)
			if err != nil {
				return nil, err
			}
			for _, r := range records {
				if !w.covers(s, scene, int(r.Pair.K)) {
					continue
				}
				for row := range r.Queries {
					q := &r.Queries[row]
					if !s.Rules.Processes(q, &r.Pair) {
						continue
					}
					f := failure{Query: *q, system: s, rank: rank(s, q)}
					if math.IsNaN(f.rank) {
						continue // imported matches have no rank
					}
					total++
					if classOf(q, s.Rules.TolerancePx) != Correct {
						f.wrong = f.rank
					} else if f.rank > 1 && f.Nearest != f.Truth {
						near++
					}
					worst = append(worst, f)
				}
				keep()
			}
		}
	}
	t := table.New(
		table.Titled("descriptor", table.Words, 0), table.Titled("scene", table.Words, 0), table.Titled("k", table.Count, 0), table.Titled("row", table.Count, 0),
		table.Titled("x", table.Pixels, 0), table.Titled("y", table.Pixels, 0), table.Titled("rank", table.Digits(6), 0), table.Titled("candidates", table.Count, 2),
		table.Titled("match_x", table.Pixels, 1), table.Titled("match_y", table.Pixels, 1), table.Titled("match_error", table.Pixels, 0),
	)
	t.Columns[9].Paired = true // with match_x
	t.Keys = 4
	for _, f := range worst {
		if f.Nearest < 0 {
			f.NearestError = math.NaN()
		}
		t.Add(
			table.Text(f.system.Name), table.Text(f.Scene), table.Number(float64(f.K)), table.Number(float64(f.Row)),
			table.Number(float64(f.X)), table.Number(float64(f.Y)), table.Number(f.rank),
			table.Number(float64(f.Candidates)), table.Number(float64(f.NearestX)), table.Number(float64(f.NearestY)), table.Number(f.NearestError),
		)
	}
	t.Title = w.title(len(t.Rows), total, "with the worst ranks of the ground truth, wrong matches first")
	if near > 0 {
		text, rules := "%d of %d matched another keypoint within %g px of the correct position and come last; see evaluation.relevance: position", w.Systems[0].Rules
		if rules.Relevance == ranking.PositionRelevant {
			text = "%d of %d matched a neighbour within %g px, at another position, and come last"
		}
		t.Note(text, near, total, rules.TolerancePx)
	}
	return t, nil
}
