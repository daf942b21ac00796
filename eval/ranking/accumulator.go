// Package ranking computes how high descriptors rank the ground truths of queries, from
// the records of image pairs: average precisions, hit rates and reciprocal ranks. It is
// pure Go, needs no images, and keeps no state outside its accumulators.
package ranking

import (
	"math"
	"slices"

	"descbench/eval/record"
	"descbench/eval/scope"
)

// Options configure how metrics are computed from records. Excluded queries count as
// such even if they have a ground truth.
type Options struct {
	TolerancePx float64   `json:"tolerance_px"`      // largest error of a ground truth and of a correct match, above 0 to scope.MaxTolerancePx
	Ties        TieRule   `json:"ties"`              // rank of a ground truth among equal distances: mean, strict or workbench
	Relevance   Relevance `json:"relevance"`         // which candidates are answers: nearest, position or identity
	Cutoffs     []int     `json:"cutoffs,omitempty"` // K of precision_at_K and recall_at_K, ranks, ascending

	ExcludeInvalid       bool    `json:"exclude_invalid"`        // queries with an invalid descriptor are excluded
	ExcludeInvalidTruths bool    `json:"exclude_invalid_truths"` // queries whose ground truth has an invalid descriptor are excluded
	ExcludeBeyondPx      float64 `json:"exclude_beyond_px"`      // queries projected to an |x| or |y| above it are excluded, px; 0: no limit
	// FixedGallery indicates that the records have ranks in a fixed gallery.
	FixedGallery bool `json:"-"`
}

// Relevance defines which candidates are relevant to a query.
type Relevance string

// The values of Relevance.
const (
	NearestRelevant  Relevance = "nearest"  // the ground truth alone
	PositionRelevant Relevance = "position" // all that lie where it does
	IdentityRelevant Relevance = "identity" // the projection of the query itself
)

// Processes reports whether the average precision of a query of the pair counts: it
// has a ground truth within the tolerance, and no rule excludes it.
func (o Options) Processes(q *record.Query, pair *record.Pair) bool {
	return q.Truth >= 0 && q.TruthError <= o.TolerancePx && !o.excludes(q, pair)
}

// excludes reports whether a rule excludes a query even if it has a ground truth.
func (o Options) excludes(q *record.Query, pair *record.Pair) bool {
	return q.Invalid && o.ExcludeInvalid || o.ExcludeInvalidTruths && q.TruthInvalid(pair.InvalidK) || o.beyond(q)
}

// beyond reports whether a query is projected beyond the limit.
func (o Options) beyond(q *record.Query) bool {
	far := math.Max(math.Abs(q.ProjectedX), math.Abs(q.ProjectedY))
	return o.ExcludeBeyondPx > 0 && far > o.ExcludeBeyondPx
}

// An Accumulator computes metrics from the records of one descriptor, added pair by
// pair. It keeps a few numbers and a histogram per pair, but not the queries.
//
// Its results are bit-identical for any order in which the pairs are added. It is
// not safe for concurrent use.
type Accumulator struct {
	opt    Options
	ledger *scope.Ledger[*pairTally]
	failed map[string]string // reason by scene
}

// NewAccumulator returns an accumulator without pairs.
func NewAccumulator(descriptor string, opt Options) *Accumulator {
	opt.Cutoffs = slices.Clone(opt.Cutoffs)
	return &Accumulator{opt, scope.NewLedger[*pairTally](descriptor), make(map[string]string)}
}

// Add adds the records of one image pair. It does not keep the queries. It fails,
// and adds nothing, if the pair belongs to another descriptor or was added before.
func (a *Accumulator) Add(r record.Records) error {
	return a.ledger.Enter(r.Pair.Descriptor, r.Pair.Scene, int(r.Pair.K), newPairTally(r, a.opt))
}

// Fail records that a scene, of which no pair is added, could not be evaluated.
func (a *Accumulator) Fail(scene, reason string) { a.failed[scene] = reason }

// TrueMAP returns the micro mAP of the pairs added so far: the sum of the average
// precisions of the processed queries, and their number.
func (a *Accumulator) TrueMAP() scope.Fraction { return total(a.ledger.Scenes()).trueMAP() }
