package matching

import (
	"fmt"
	"slices"

	"descbench/eval"
	"descbench/eval/scope"
)

// An Accumulator sums up the records of one descriptor, pair by pair. It keeps
// counts of each pair, not its queries.
//
// What it yields depends on the set of pairs alone, bit by bit, not on the order
// in which they were added. It may be used by one goroutine at a time.
type Accumulator struct {
	tolerancePx float64
	estimators  []string // with a corner error: the same in all pairs
	ledger      *scope.Ledger[*pairTally]
}

// NewAccumulator returns an accumulator without pairs. A match, or in the ratio
// test a nearest neighbour, is an inlier within the tolerance, 0 to
// scope.MaxTolerancePx. Figures whose name has a tolerance, and the matching
// score, have their own.
func NewAccumulator(descriptor string, tolerancePx float64) (*Accumulator, error) {
	if err := scope.CheckTolerance(tolerancePx); err != nil {
		return nil, fmt.Errorf("%s: %w", descriptor, err)
	}
	return &Accumulator{tolerancePx: tolerancePx, ledger: scope.NewLedger[*pairTally](descriptor)}, nil
}

// Add adds the records of one image pair, of which it keeps no query. It fails,
// and adds nothing, if the pair is of another descriptor, was added before, has
// another image 1 than the other pairs of its scene or other estimators than all
// others, or if its facts contradict its queries.
func (a *Accumulator) Add(r eval.Records) error {
	p := &r.Pair
	facts := factsOf(p)
	fail := func(err error) error { return scope.Errorf(a.ledger.Descriptor, p.Scene, int(p.K), "%w", err) }
	if err := facts.check(r); err != nil {
		return fail(err)
	}
	t := newPairTally(r, facts, a.tolerancePx)
	estimators := t.estimators()
	if a.estimators != nil && !slices.Equal(a.estimators, estimators) {
		return fail(fmt.Errorf("corner errors of estimators %q, other pairs have those of %q", estimators, a.estimators))
	}
	err := a.ledger.Enter(p.Descriptor, p.Scene, int(p.K), t, func(other scope.Part[*pairTally]) error {
		return p.SameScene(&other.Tally.pair)
	})
	if err == nil {
		a.estimators = estimators
	}
	return err
}

// Fail records that the scene could not be evaluated. Its pairs, added before
// or later, then count nowhere.
func (a *Accumulator) Fail(scene string) { a.ledger.Fail(scene, "") }
