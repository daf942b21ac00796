package eval

import (
	"math"
	"slices"
)

// A tally is what the figures of a pair, a scene or a scope are made of.
// Tallies of disjoint pairs add up.
type tally struct {
	images    int
	keypoints int // of these images
	invalid   int // of these keypoints, those whose row describes nothing

	queries    int
	processed  int     // of these, those with a truth within the tolerance
	ap         float64 // sum over the processed queries
	candidates int     // sum over the processed queries
	tied       int     // processed queries with a candidate as near as the truth
	matches    int     // queries with a nearest neighbour

	inGallery    int     // processed queries with a fixed gallery
	galleryAP    float64 // sum over these
	galleryPairs int     // image pairs with processed queries but no fixed gallery

	pairs     int     // image pairs with queries
	precision float64 // sum over these pairs of the share of correct nearest neighbours
}

func (t *tally) add(u tally) {
	t.images += u.images
	t.keypoints += u.keypoints
	t.invalid += u.invalid
	t.queries += u.queries
	t.processed += u.processed
	t.ap += u.ap
	t.candidates += u.candidates
	t.tied += u.tied
	t.matches += u.matches
	t.inGallery += u.inGallery
	t.galleryAP += u.galleryAP
	t.galleryPairs += u.galleryPairs
	t.pairs += u.pairs
	t.precision += u.precision
}

func (t tally) trueMAP() fraction               { return fraction{t.ap, t.processed} }
func (t tally) trueMAPIncludingZeros() fraction { return fraction{t.ap, t.queries} }
func (t tally) meanPrecision() fraction         { return fraction{t.precision, t.pairs} }
func (t tally) coverage() fraction              { return fraction{float64(t.processed), t.queries} }
func (t tally) gallery() fraction               { return fraction{float64(t.candidates), t.processed} }
func (t tally) fixedGalleryMAP() fraction       { return fraction{t.galleryAP, t.inGallery} }

// A fraction is a figure as what it is a mean of: a sum over n queries or pairs.
type fraction struct {
	sum float64
	n   int
}

// value returns the mean, NaN if n is 0.
func (f fraction) value() float64 {
	if f.n == 0 {
		return math.NaN()
	}
	return f.sum / float64(f.n)
}

// A pairTally sums up one image pair. It is never modified, so accumulators may
// share it.
type pairTally struct {
	pair  Pair
	tally tally       // images and keypoints are those of image K alone
	ranks []rankCount // of the processed queries, ascending
}

// A rankCount is one bar of a histogram of ranks.
type rankCount struct {
	rank    int32 // ⌈rank⌉
	queries int32
}

// newPairTally sums up the queries, which must be in the order of rows, for
// sums in floating point depend on the order.
func newPairTally(pair Pair, queries []Query, opt Options) *pairTally {
	t := tally{
		images: 1, keypoints: int(pair.KeypointsK), invalid: int(pair.InvalidK),
		queries: len(queries),
	}
	correct := 0
	var ranks []int32
	for i := range queries {
		q := &queries[i]
		if q.Nearest >= 0 {
			t.matches++
			if q.NearestError <= opt.TolerancePx {
				correct++
			}
		}
		if q.Truth < 0 || q.TruthError > opt.TolerancePx || opt.excludes(q) {
			continue
		}
		rank := Rank(q.Less, q.Equal, opt.Ties)
		t.processed++
		t.ap += 1 / rank
		t.candidates += int(q.Candidates)
		if q.Equal > 0 {
			t.tied++
		}
		ranks = append(ranks, int32(math.Ceil(rank)))
		if q.GalleryLess >= 0 {
			t.inGallery++
			t.galleryAP += 1 / Rank(q.GalleryLess, q.GalleryEqual, opt.Ties)
		}
	}
	if t.processed > 0 && t.inGallery == 0 {
		t.galleryPairs = 1
	}
	if t.queries > 0 {
		t.pairs, t.precision = 1, float64(correct)/float64(t.queries)
	}
	return &pairTally{pair: pair, tally: t, ranks: histogram(ranks)}
}

// histogram counts equal ranks. It sorts them in place.
func histogram(ranks []int32) []rankCount {
	slices.Sort(ranks)
	var bars []rankCount
	for _, r := range ranks {
		if len(bars) == 0 || bars[len(bars)-1].rank != r {
			bars = append(bars, rankCount{rank: r})
		}
		bars[len(bars)-1].queries++
	}
	return slices.Clip(bars)
}

// hits returns the number of processed queries with rank ≤ k. As k is whole,
// that is ⌈rank⌉ ≤ k.
func (p *pairTally) hits(k int) int {
	n := 0
	for _, bar := range p.ranks {
		if int(bar.rank) > k {
			break
		}
		n += int(bar.queries)
	}
	return n
}

// hits returns the share of processed queries with rank ≤ k.
func (s sceneTally) hits(k int) fraction {
	var f fraction
	for _, p := range s.pairs {
		f.sum += float64(p.hits(k))
		f.n += p.tally.processed
	}
	return f
}

// A sceneTally is one scene, or some pairs of it.
type sceneTally struct {
	name  string
	pairs []*pairTally // by K
}

// tally adds up the pairs, counting image 1 once.
func (s sceneTally) tally() tally {
	first := s.pairs[0].pair
	t := tally{images: 1, keypoints: int(first.Keypoints1), invalid: int(first.Invalid1)}
	for _, p := range s.pairs {
		t.add(p.tally)
	}
	return t
}
