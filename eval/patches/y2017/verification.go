package y2017

import (
	"context"
	"math"
	"slices"

	"descbench/descriptors"
	"descbench/eval/fact"
	"descbench/eval/internal/radix"
	"descbench/eval/patches"
	"descbench/eval/patches/internal/pairwise"
	"descbench/eval/patches/internal/rank"
)

// verify runs patch verification: it measures whether positives are nearer than
// negatives. To save memory it evaluates one noise level after the other.
func (e *evaluation) verify(ctx context.Context) error {
	var placed [3]placedPairs
	for l, pairs := range [...][]Pair{positive: e.in.Positive, inter: e.in.Inter, intra: e.in.Intra} {
		placed[l] = newPlacedPairs(pairs, len(e.in.Sequences))
	}
	for _, noise := range Noises() {
		if err := e.comparePairs(ctx, noise, placed); err != nil {
			return err
		}
		var counted [3]*histogram // of kinds of negatives
		for _, negatives := range []int{inter, intra} {
			counted[negatives] = newHistogram(len(e.in.Sequences), placed[positive].distances, placed[negatives].distances)
			e.histograms = append(e.histograms, counted[negatives])
		}
		err := patches.Each(ctx, e.opt.Workers, len(e.parts), func(i int) error {
			s := e.parts[i]
			ranked := ranking{lists: placed, member: s.member, sorted: map[leading][]float64{}}
			var both rates
			for _, negatives := range []int{inter, intra} {
				r, near, far := ranked.rates(e.opt.Protocol, negatives)
				s.addRates(noise+[...]string{inter: "_inter", intra: "_intra"}[negatives], r)
				both.plus(r, 2)
				s.rates.plus(r, 6)
				if h := counted[negatives]; s.sequence >= 0 {
					h.positives[s.sequence], h.negatives[s.sequence] = h.count(near), h.count(far)
				}
			}
			s.addRates(noise, both)
			return nil
		})
		if err != nil {
			return err
		}
	}
	for _, s := range e.parts {
		s.addRates("mean", s.rates)
	}
	e.warnAboutPairs()
	return nil
}

// The lists: the positive pairs and both kinds of negatives.
const (
	positive = iota
	inter
	intra
)

// placedPairs are the pairs of a list by the sequences of both patches: pairs that
// follow each other have their rows in the same few matrices, which the cache holds.
type placedPairs struct {
	index     []int32            // in the list
	rows      []pairwise.RowPair // in images
	ends      []int              // of the pairs whose first patch is in a sequence
	distances []float64          // at the current noise level
}

func newPlacedPairs(pairs []Pair, sequences int) placedPairs {
	placed := placedPairs{make([]int32, len(pairs)), make([]pairwise.RowPair, len(pairs)), make([]int, sequences), make([]float64, len(pairs))}
	group := func(p Pair) int { return int(p.A.Sequence)*sequences + int(p.B.Sequence) }
	next := make([]int32, sequences*sequences+1) // place of the next pair of a group
	for _, p := range pairs {
		next[group(p)+1]++
	}
	for g := 1; g < len(next); g++ {
		next[g] += next[g-1]
	}
	for i, p := range pairs {
		g := group(p)
		k := next[g]
		next[g]++
		placed.index[k] = int32(i)
		placed.rows[k] = pairwise.RowPair{MatrixA: indexOfImage(p.A), RowA: p.A.Index, MatrixB: indexOfImage(p.B), RowB: p.B.Index}
	}
	for s := range placed.ends {
		placed.ends[s] = int(next[(s+1)*sequences-1])
	}
	return placed
}

// images returns the matrices at a noise level in the order of placedPairs.rows.
func (e *evaluation) images(noise string) []*descriptors.Matrix {
	var images []*descriptors.Matrix
	for _, sequence := range e.in.Sequences {
		for k := range 1 + patches.ImagesPerNoise {
			images = append(images, e.set.Image(sequence.Name, patches.ImageName(noise, k)))
		}
	}
	return images
}

// indexOfImage returns the index in images of the image of a patch.
func indexOfImage(p Patch) int32 {
	return int32(p.Sequence)*(1+patches.ImagesPerNoise) + int32(p.Image)
}

// comparePairs sets the distances of all pairs at a noise level.
func (e *evaluation) comparePairs(ctx context.Context, noise string, lists [3]placedPairs) error {
	images := e.images(noise)
	// The Python code compares pairs in the type of its descriptors: float32 as read,
	// float64 after PCA.
	rounded := e.opt.Protocol == P17 && !e.opt.PCAPowerLaw
	for _, pairs := range lists {
		err := patches.EachBlock(ctx, e.opt.Workers, len(pairs.rows), pairwise.BlockPairs, func(start, end int) error {
			out := pairs.distances[start:end]
			e.measure.PairKeys(out, images, pairs.rows[start:end])
			if rounded {
				for k, key := range out {
					out[k] = float64(float32(e.measure.Distance(key)))
				}
			}
			return ctx.Err()
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// leading are the first pairs of a list.
type leading struct{ list, pairs int }

// A ranking sorts the distances of the sequences of a scope, each list once.
type ranking struct {
	lists  [3]placedPairs
	member []bool // per sequence
	sorted map[leading][]float64

	keys, scratch []uint64 // buffers; keys are in the order of the distances, which are not negative
}

// distances returns those of the leading pairs whose first patch is in the scope, in
// ascending order.
func (r *ranking) distances(which leading) []float64 {
	if v, ok := r.sorted[which]; ok {
		return v
	}
	pairs, keys := r.lists[which.list], r.keys[:0]
	start := 0
	for s, end := range pairs.ends {
		for k := start; k < end && r.member[s]; k++ {
			if int(pairs.index[k]) < which.pairs {
				keys = append(keys, math.Float64bits(pairs.distances[k]))
			}
		}
		start = end
	}
	r.keys, r.scratch = keys, slices.Grow(r.scratch[:0], len(keys))[:len(keys)]
	radix.Sort(keys, r.scratch)
	v := make([]float64, len(keys))
	for i, k := range keys {
		v[i] = math.Float64frombits(k)
	}
	r.sorted[which] = v
	return v
}

// rates measure how well distances separate positives from negatives.
type rates struct {
	auc, ap              float64 // balanced: all pairs; imbalanced: a fifth of the positives, all negatives
	balanced, imbalanced int     // numbers of pairs
}

// rates returns those of the positives against a kind of negatives, and the distances of both in the
// imbalanced variant.
func (r *ranking) rates(protocol Protocol, negatives int) (c rates, near, far []float64) {
	all, others := len(r.lists[positive].rows), len(r.lists[negatives].rows)
	p, n := protocol.balanced(all, others)
	near, far = r.distances(leading{positive, p}), r.distances(leading{negatives, n})
	c.balanced, c.auc = len(near)+len(far), protocol.auc(rank.Classes{Positive: near, Negative: far})
	p, n = protocol.imbalanced(all, others)
	near, far = r.distances(leading{positive, p}), r.distances(leading{negatives, n})
	c.imbalanced, c.ap = len(near)+len(far), protocol.classAP(rank.Classes{Positive: near, Negative: far})
	return c, near, far
}

// plus adds one of the cells whose mean r will be.
func (r *rates) plus(c rates, cells float64) {
	r.auc, r.ap = r.auc+c.auc/cells, r.ap+c.ap/cells
	r.balanced, r.imbalanced = r.balanced+c.balanced, r.imbalanced+c.imbalanced
}

func (p *part) addRates(name string, r rates) {
	p.add(Verification, name+"_balanced_auc", r.auc, r.balanced)
	p.add(Verification, name+"_imbalanced_ap", r.ap, r.imbalanced)
}

// warnAboutPairs warns about unusual properties of the lists of pairs.
func (e *evaluation) warnAboutPairs() {
	for _, l := range []struct {
		name  string
		pairs []Pair
	}{{"inter", e.in.Inter}, {"intra", e.in.Intra}} {
		if len(l.pairs) != len(e.in.Positive) {
			e.tell(fact.New(fact.UnequalPairs).Of("verification").With("positives", float64(len(e.in.Positive))).With("negatives", float64(len(l.pairs))).Naming("list", l.name))
		}
	}
	sequence, place := 0, 0
	for _, p := range e.in.Inter {
		if p.A.Sequence == p.B.Sequence {
			sequence++
			if p.A.Index == p.B.Index {
				place++
			}
		}
	}
	if sequence > 0 {
		e.tell(fact.New(fact.InterSameSequence).Of("verification").Counting(sequence, len(e.in.Inter)).With("place", float64(place)))
	}
}
