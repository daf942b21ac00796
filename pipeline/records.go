package pipeline

import (
	"fmt"

	"descbench/eval"
	"descbench/pipeline/config"
	"descbench/pipeline/store"
)

// Protocol says what the figures of a run mean.
func Protocol(e config.Evaluation) string {
	return fmt.Sprintf("protocol r1: truth within %g px, ties %s, relevance %s", e.TolerancePx, e.Ties, e.Relevance)
}

// newAccumulator returns the accumulator that an evaluation section asks for.
func newAccumulator(descriptor string, e config.Evaluation) (*eval.Accumulator, error) {
	ties, err := eval.ParseTieRule(e.Ties)
	if err != nil {
		return nil, err
	}
	return eval.NewAccumulator(descriptor, eval.Options{
		TolerancePx: e.TolerancePx, Ties: ties, Cutoffs: e.Cutoffs,
		ExcludeInvalid: e.ExcludeInvalid, ExcludeBeyondPx: e.ExcludeBeyondPx,
	}), nil
}

// addUnit adds the records of one scene, whose queries stand in the order of
// the pairs.
func addUnit(acc *eval.Accumulator, unit store.EvalUnit) error {
	queries := unit.Queries
	for _, pair := range unit.Pairs {
		n := 0
		for n < len(queries) && queries[n].Scene == pair.Scene && queries[n].K == pair.K {
			n++
		}
		if err := acc.Add(pair, queries[:n]); err != nil {
			return err
		}
		queries = queries[n:]
	}
	if len(queries) > 0 {
		return fmt.Errorf("%d query records belong to no pair", len(queries))
	}
	return nil
}
