package fold

import (
	"context"
	"fmt"
	"slices"

	"descbench/eval"
	"descbench/eval/matching"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// Protocol says what the figures of a run mean.
func Protocol(e config.Evaluation) string {
	return fmt.Sprintf("protocol r1: truth within %g px, ties %s, relevance %s", e.TolerancePx, e.Ties, e.Relevance)
}

// A judge turns the records of one descriptor into its figures: ranking,
// matching quality, and binary classification.
type judge struct {
	ranking  *eval.Accumulator
	matching *matching.Accumulator
	nearest  *nearestPairs
	large    bool // there are scenes that the subset of 108 leaves out
}

// newJudge returns the judge that an evaluation section asks for.
func newJudge(descriptor string, e config.Evaluation) (*judge, error) {
	ranking, err := NewAccumulator(descriptor, e)
	if err != nil {
		return nil, err
	}
	return &judge{
		ranking:  ranking,
		matching: matching.NewAccumulator(descriptor, matching.Options{TolerancePx: e.TolerancePx}),
		nearest:  newNearestPairs(e.TolerancePx),
	}, nil
}

// NewAccumulator returns the accumulator of ranks that an evaluation section
// asks for.
func NewAccumulator(descriptor string, e config.Evaluation) (*eval.Accumulator, error) {
	return eval.NewAccumulator(descriptor, eval.Options{
		TolerancePx: e.TolerancePx, Ties: e.Ties, Cutoffs: e.Cutoffs, FixedGallery: e.FixedGallery != nil,
		ExcludeInvalid: e.ExcludeInvalid, ExcludeBeyondPx: e.ExcludeBeyondPx,
	}), nil
}

// add adds the records of one scene.
func (j *judge) add(unit store.EvalUnit) error {
	j.nearest.add(unit.Queries)
	return EachPair(unit, func(pair eval.Pair, queries []eval.Query) error {
		if !dataset.In108(pair.Scene) {
			j.large = true
		}
		if err := j.ranking.Add(pair, queries); err != nil {
			return err
		}
		return j.matching.Add(pair, queries, matching.FactsOf(&pair))
	})
}

// EachPair calls do for the pairs of a unit, whose queries stand in the order
// of the pairs.
func EachPair(unit store.EvalUnit, do func(pair eval.Pair, queries []eval.Query) error) error {
	queries := unit.Queries
	for _, pair := range unit.Pairs {
		n := 0
		for n < len(queries) && queries[n].Scene == pair.Scene && queries[n].K == pair.K {
			n++
		}
		if err := do(pair, queries[:n]); err != nil {
			return err
		}
		queries = queries[n:]
	}
	if len(queries) > 0 {
		return fmt.Errorf("%d query records belong to no pair", len(queries))
	}
	return nil
}

// fail records that a scene could not be evaluated.
func (j *judge) fail(scene, reason string) {
	j.ranking.Fail(scene, reason)
	j.matching.Fail(scene)
}

// close lets go of what is large. No records can be added after it.
func (j *judge) close(ctx context.Context) error { return j.nearest.close(ctx) }

// result returns every figure of the records so far, and closes the judge.
func (j *judge) result(ctx context.Context, f plan.Folder, p *plan.Plan) (eval.Result, error) {
	if err := j.close(ctx); err != nil {
		return eval.Result{}, err
	}
	r := j.ranking.Result()
	var subsets []matching.Subset
	if j.large {
		subsets = append(subsets, matching.Subset{Name: "108", Contains: dataset.In108})
	}
	quality := j.matching.Result(subsets...)
	tasks, taskWarnings, err := foldTasks(ctx, f, p, r.Descriptor)
	if err != nil {
		return eval.Result{}, err
	}
	r.Metrics = inScopes(r.Metrics, quality.Metrics, sweepMetrics(quality.Sweeps), j.nearest.metrics, tasks)
	r.Warnings = slices.Concat(r.Warnings, quality.Warnings, j.nearest.warnings, taskWarnings)
	return r, nil
}

// sweepMetrics returns the ratio test of all pairs and of the categories at
// every threshold; other scopes have it at one.
func sweepMetrics(sweeps []matching.Sweep) []eval.Metric {
	var out []eval.Metric
	for _, s := range sweeps {
		if !slices.Contains([]string{"all", eval.Viewpoint, eval.Illumination, eval.Other}, s.Scope) {
			continue
		}
		out = append(out, s.Metrics()...)
	}
	return out
}

// inScopes joins lists of metrics, scope by scope in the order in which the
// scopes first occur, and within a scope list by list. Of metrics of one scope
// and name the first stays.
func inScopes(lists ...[]eval.Metric) []eval.Metric {
	type key struct{ scope, name string }
	var order []string
	byScope := make(map[string][]eval.Metric)
	seen := make(map[key]bool)
	for _, m := range slices.Concat(lists...) {
		if seen[key{m.Scope, m.Name}] {
			continue
		}
		seen[key{m.Scope, m.Name}] = true
		if byScope[m.Scope] == nil {
			order = append(order, m.Scope)
		}
		byScope[m.Scope] = append(byScope[m.Scope], m)
	}
	var out []eval.Metric
	for _, scope := range order {
		out = append(out, byScope[scope]...)
	}
	return out
}
