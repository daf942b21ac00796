package ranking

import (
	"math"
	"slices"

	"descbench/eval/record"
	"descbench/eval/scope"
)

// mrrTolerancesPx are the K of mrr@K.
var mrrTolerancesPx = [...]int{1, 2, 3, 5, scope.MaxTolerancePx}

// A tally holds the sums from which the metrics of a pair, a scene or a scope are
// computed. Tallies of disjoint pairs can be added.
type tally struct {
	images    int
	keypoints int // in these images
	invalid   int // keypoints whose row is invalid

	queries    int        // whose state is not unknown
	unknown    int        // the other ones
	missing    int        // queries that failed because image 1 has no keypoints: see withMissing
	reach      [4]float64 // how far queries are from the right, lower, left and upper edge at most, as shares of the sides
	processed  int        // queries with a ground truth within the tolerance
	ap         float64    // sum over the processed queries
	chance     float64    // sum over the processed queries of what a random order has on average
	hamming    bool       // the rows are bits
	candidates int        // sum over the processed queries
	tied       int        // processed queries with a candidate that ties with the ground truth for first place, or nearly
	tiedApart  int        // those of them whose nearest neighbour is at another position than the ground truth
	ties       int        // such candidates, a sum over the processed queries
	samePlace  int        // processed queries whose nearest neighbour is another candidate at the position of the ground truth
	matches    int        // queries with a nearest neighbour

	reciprocal [len(mrrTolerancesPx)]scope.Fraction // 1 / rank over the queries with a ground truth within each tolerance

	// AP of the queries with a ground truth: all of them, whatever invalid rows
	// the options exclude, and those whose row and ground truth are valid.
	withInvalid, withoutInvalid scope.Fraction

	inGallery    int     // processed queries with a fixed gallery
	galleryAP    float64 // sum over queries in a fixed gallery
	galleryPairs int     // image pairs with processed queries but no fixed gallery

	pairs     int     // image pairs with queries
	precision float64 // sum over these pairs of the share of correct nearest neighbours
}

func (t *tally) add(u tally) {
	t.images += u.images
	t.keypoints += u.keypoints
	t.invalid += u.invalid
	t.queries += u.queries
	t.unknown += u.unknown
	t.missing += u.missing
	for i, reach := range u.reach {
		t.reach[i] = max(t.reach[i], reach)
	}
	t.processed += u.processed
	t.ap += u.ap
	t.chance += u.chance
	t.hamming = t.hamming || u.hamming
	t.candidates += u.candidates
	t.tied += u.tied
	t.tiedApart += u.tiedApart
	t.ties += u.ties
	t.samePlace += u.samePlace
	t.matches += u.matches
	for i, f := range u.reciprocal {
		t.reciprocal[i] = t.reciprocal[i].Plus(f)
	}
	t.withInvalid = t.withInvalid.Plus(u.withInvalid)
	t.withoutInvalid = t.withoutInvalid.Plus(u.withoutInvalid)
	t.inGallery += u.inGallery
	t.galleryAP += u.galleryAP
	t.galleryPairs += u.galleryPairs
	t.pairs += u.pairs
	t.precision += u.precision
}

func (t tally) trueMAP() scope.Fraction               { return mean(t.ap, t.processed) }
func (t tally) trueMAPIncludingZeros() scope.Fraction { return mean(t.ap, t.queries+t.missing) }
func (t tally) meanPrecision() scope.Fraction         { return mean(t.precision, t.pairs) }
func (t tally) coverage() scope.Fraction              { return mean(float64(t.processed), t.queries+t.missing) }
func (t tally) gallery() scope.Fraction               { return mean(float64(t.candidates), t.processed) }
func (t tally) fixedGalleryMAP() scope.Fraction       { return mean(t.galleryAP, t.inGallery) }

// concerned returns the number of queries with a ground truth whose row or ground
// truth is invalid.
func (t tally) concerned() int { return t.withInvalid.N - t.withoutInvalid.N }

func mean(sum float64, n int) scope.Fraction { return scope.Fraction{Sum: sum, N: n} }

// A pairTally summarises one image pair. It is never modified, so accumulators can
// share it.
type pairTally struct {
	pair  record.Pair
	tally tally // images and keypoints include only image K
	ranks []Bar // of the processed queries, ascending
}

// newPairTally summarises the records of a pair. It adds floating-point numbers in
// the order of the rows, so that the sums are reproducible.
func newPairTally(r record.Records, opt Options) *pairTally {
	t := tally{
		images: 1, keypoints: int(r.Pair.KeypointsK), invalid: int(r.Pair.InvalidK),
		hamming: r.Pair.RowBytes < r.Pair.Dimension,
	}
	correct := 0
	var ranks []int
	for i := range r.Queries {
		q := &r.Queries[i]
		x, y := (float64(q.X)+0.5)/float64(r.Pair.Width1), (float64(q.Y)+0.5)/float64(r.Pair.Height1)
		for i, reach := range [...]float64{1 - x, 1 - y, x, y} {
			t.reach[i] = max(t.reach[i], reach)
		}
		if q.Unknown() {
			t.unknown++
			continue
		}
		t.queries++
		if q.Nearest >= 0 {
			t.matches++
			if q.NearestError <= opt.TolerancePx {
				correct++
			}
		}
		if q.Truth < 0 || opt.beyond(q) {
			continue
		}
		rank := Rank(q.Less, q.Equal, opt.Ties)
		ap := mean(1/rank, 1)
		if q.TruthError <= opt.TolerancePx {
			t.withInvalid = t.withInvalid.Plus(ap)
			if !q.Invalid && !q.TruthInvalid(r.Pair.InvalidK) {
				t.withoutInvalid = t.withoutInvalid.Plus(ap)
			}
		}
		if opt.excludes(q, &r.Pair) {
			continue
		}
		for i, px := range mrrTolerancesPx {
			if q.TruthError <= float64(px) {
				t.reciprocal[i] = t.reciprocal[i].Plus(ap)
			}
		}
		if !opt.Processes(q, &r.Pair) {
			continue
		}
		t.processed++
		t.ap += 1 / rank
		t.chance += RandomAP(float64(q.Candidates))
		t.candidates += int(q.Candidates)
		t.ties += int(q.Equal)
		// At the position of a ground truth that is first, the second may be the same answer.
		forFirst := q.Less == 1 || q.Less == 0 && opt.Relevance != PositionRelevant
		samePlace := q.NearestX == q.TruthX && q.NearestY == q.TruthY
		if q.Less == 0 && q.Equal > 0 || forFirst && q.SecondDistance <= q.NearestDistance*(1+nearTie) {
			if t.tied++; !samePlace {
				t.tiedApart++
			}
		}
		if q.Less > 0 && samePlace {
			t.samePlace++
		}
		ranks = append(ranks, int(math.Ceil(rank)))
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
	return &pairTally{pair: r.Pair, tally: t, ranks: histogram(ranks)}
}

// RandomAP returns the mean AP over all orders of n candidates, (1 + 1/2 + … + 1/n) / n, by
// Euler's constant: to 1 % of it, 1 for n below 1.
func RandomAP(n float64) float64 {
	n = max(n, 1)
	return min(1, (math.Log(n+0.5)+0.5772)/n)
}

// histogram counts equal ranks. It sorts ranks in place.
func histogram(ranks []int) []Bar {
	slices.Sort(ranks)
	var bars []Bar
	for _, r := range ranks {
		if len(bars) == 0 || bars[len(bars)-1].Rank != r {
			bars = append(bars, Bar{Rank: r})
		}
		bars[len(bars)-1].Queries++
	}
	return slices.Clip(bars)
}

// hits returns the number of processed queries with rank ≤ k. As k is an integer,
// this is equivalent to ⌈rank⌉ ≤ k.
func (p *pairTally) hits(k int) int {
	n := 0
	for _, bar := range p.ranks {
		if bar.Rank > k {
			break
		}
		n += bar.Queries
	}
	return n
}

// A sceneTally is one scene or some of its pairs.
type sceneTally = scope.Scene[*pairTally]

// sum returns the sum of a scene's pairs. It counts image 1 once.
func sum(s sceneTally) tally {
	first := s.Parts[0].Tally.pair
	t := tally{images: 1, keypoints: int(first.Keypoints1), invalid: int(first.Invalid1)}
	for _, p := range s.Parts {
		t.add(p.Tally.tally)
	}
	return t
}

// withMissing returns the scenes with missing queries in each pair without any, as many as
// the other pairs have on average: a detector that finds nothing in image 1 has failed there,
// as it has with keypoints that image K lacks.
func withMissing(scenes []sceneTally) []sceneTally {
	t := total(scenes)
	missing := max(1, (t.queries+t.pairs/2)/max(1, t.pairs))
	out := slices.Clone(scenes)
	for i, s := range out {
		out[i].Parts = slices.Clone(s.Parts)
		for k, p := range s.Parts {
			if p.Tally.tally.queries+p.Tally.tally.unknown == 0 {
				failed := *p.Tally
				failed.tally.missing = missing
				out[i].Parts[k].Tally = &failed
			}
		}
	}
	return out
}

// total returns the sum of all scenes.
func total(scenes []sceneTally) tally {
	var t tally
	for _, s := range scenes {
		t.add(sum(s))
	}
	return t
}
