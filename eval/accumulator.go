package eval

import (
	"fmt"
	"math"
	"slices"

	"descbench/eval/scope"
)

// Options say how records are judged.
type Options struct {
	TolerancePx float64 // a truth this near makes its query processed, a match this near is correct; 0 to scope.MaxTolerancePx
	Ties        TieRule
	Cutoffs     []int // the K of precision_at_K and recall_at_K, ascending
	// FixedGallery says that the records have ranks in a fixed gallery.
	FixedGallery bool

	// Queries with a truth that count as excluded all the same, as protocols
	// other than ours have it.
	ExcludeInvalid  bool    // those whose own descriptor is invalid
	ExcludeBeyondPx float64 // those projected to |x| or |y| beyond it; 0: none
}

func (o Options) check() error {
	if err := scope.CheckTolerance(o.TolerancePx); err != nil {
		return err
	}
	if o.Ties > Workbench {
		return fmt.Errorf("unknown rule for ties: %v", o.Ties)
	}
	for i, k := range o.Cutoffs {
		if k < 1 || i > 0 && k <= o.Cutoffs[i-1] {
			return fmt.Errorf("cut-offs %v, want whole numbers from 1, ascending", o.Cutoffs)
		}
	}
	return nil
}

// excludes reports whether a query is excluded whatever its truth.
func (o Options) excludes(q *Query) bool {
	if o.ExcludeInvalid && q.Invalid {
		return true
	}
	far := math.Max(math.Abs(q.ProjectedX), math.Abs(q.ProjectedY))
	return o.ExcludeBeyondPx > 0 && far > o.ExcludeBeyondPx
}

// An Accumulator sums up the records of one descriptor, pair by pair. It keeps
// a few numbers and a histogram of each pair, not its queries.
//
// What it yields depends on the set of pairs alone, bit by bit, not on the order
// in which they were added. It may be used by one goroutine at a time.
type Accumulator struct {
	opt    Options
	ledger *scope.Ledger[*pairTally]
}

// NewAccumulator returns an accumulator without pairs. It fails if options make
// no sense.
func NewAccumulator(descriptor string, opt Options) (*Accumulator, error) {
	if err := opt.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", descriptor, err)
	}
	opt.Cutoffs = slices.Clone(opt.Cutoffs)
	return &Accumulator{opt, scope.NewLedger[*pairTally](descriptor)}, nil
}

// Add adds the records of one image pair, of which it keeps no query. It fails,
// and adds nothing, if the pair is of another descriptor, was added before, or
// has another image 1 than the other pairs of its scene.
func (a *Accumulator) Add(r Records) error {
	return a.ledger.Enter(r.Pair.Descriptor, r.Pair.Scene, int(r.Pair.K), newPairTally(r, a.opt), func(other scope.Part[*pairTally]) error {
		return r.Pair.SameScene(&other.Tally.pair)
	})
}

// Fail records that the scene could not be evaluated. Its pairs, added before
// or later, then count nowhere.
func (a *Accumulator) Fail(scene, reason string) { a.ledger.Fail(scene, reason) }

// RunningMAP returns the micro mAP of the pairs so far, for progress. It is not
// ok while no query was processed.
func (a *Accumulator) RunningMAP() (micro float64, ok bool) {
	t := total(a.ledger.Scenes())
	return t.trueMAP().Value(), t.processed > 0
}
