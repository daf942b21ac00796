package matching

import (
	"slices"

	"descbench/eval/record"
	"descbench/eval/scope"
)

// An Accumulator computes metrics from the records of one descriptor, added pair by
// pair. It keeps counts per pair, but not the queries.
//
// Its results are bit-identical for any order in which the pairs are added. It is
// not safe for concurrent use.
type Accumulator struct {
	matcher     Matcher
	tolerancePx float64
	estimators  map[bool][]string // by whether a pair has cameras, those of its estimates, the same in all pairs
	ledger      *scope.Ledger[*pairTally]
	limits      *Limits // that Result is confined to; nil: it returns all metrics
}

// Limits are the largest errors that count: of matches and of corners in px, of poses in degrees.
type Limits struct{ Matches, Corners, Poses []float64 }

// At confines Result to mean matching accuracy, accuracy and AUC at these limits, before any pair is
// added. Those of corners and poses need no queries.
func (a *Accumulator) At(l Limits) { a.limits = &l }

// NewAccumulator returns an accumulator without pairs of a descriptor under a
// matcher. A match, or a nearest
// neighbour in the ratio test, is correct within the tolerance, which is 0 to
// scope.MaxTolerancePx. Matching score, localization error and metrics with a
// tolerance in their name use fixed tolerances instead.
func NewAccumulator(descriptor string, matcher Matcher, tolerancePx float64) *Accumulator {
	return &Accumulator{matcher: matcher, tolerancePx: tolerancePx, estimators: make(map[bool][]string), ledger: scope.NewLedger[*pairTally](descriptor)}
}

// Add adds the records of one image pair. It does not keep the queries. It fails,
// and adds nothing, if the pair belongs to another descriptor, was added before, or
// does not have the same estimators as all other pairs.
func (a *Accumulator) Add(r record.Records) error {
	p := &r.Pair
	matches := a.matcher.Match(r.Queries)
	t := newPairTally(r, matches, a.tolerancePx)
	if a.limits != nil {
		t.withinLimits = withinLimits(r.Queries, matches, a.limits.Matches)
	}
	kind, estimators := p.Cameras != "", t.estimators()
	if want, known := a.estimators[kind]; known && !slices.Equal(want, estimators) {
		return scope.Errorf(a.ledger.Descriptor, p.Scene, int(p.K), "errors of estimators %q, want %q as in other pairs", estimators, want)
	}
	err := a.ledger.Enter(p.Descriptor, p.Scene, int(p.K), t)
	if err == nil {
		a.estimators[kind] = estimators
	}
	return err
}
