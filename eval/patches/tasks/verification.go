package tasks

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"descbench/descriptors"
	"descbench/eval/nearest"
	"descbench/eval/patches"
	"descbench/eval/patches/internal/pairwise"
	"descbench/eval/patches/internal/rank"
)

// pairsPerChunk is the number of pairs that a worker compares at a time.
const pairsPerChunk = 1 << 14

// verify runs patch verification: it measures whether positives are nearer than
// negatives. To save memory it evaluates one noise level after the other.
func (e *evaluation) verify(ctx context.Context) error {
	lists := pairLists{e.in.Positive, e.in.Inter, e.in.Intra}
	var distances [len(lists)][]float64
	for i, pairs := range lists {
		distances[i] = make([]float64, len(pairs))
	}
	rankings := make([]*ranking, len(e.parts))
	order := newPairOrder(lists, len(e.in.Sequences.Names))
	for i, s := range e.parts {
		s.figures.Verification = &VerificationFigures{}
		rankings[i] = &ranking{part: s, lists: lists, order: order, distances: distances, buffers: map[[2]int][]float64{}}
	}
	visits := lists.byPlace(len(e.in.Sequences.Names))
	for n, noise := range Noises() {
		if err := e.comparePairs(ctx, noise, lists, visits, distances); err != nil {
			return err
		}
		var g errgroup.Group
		g.SetLimit(patches.Workers(e.opt.Workers))
		for _, r := range rankings {
			g.Go(func() error {
				r.sorted = map[[2]int][]float64{}
				*r.part.figures.Verification.noise(n) = VerificationNoise{
					Inter: r.cell(e.opt.Protocol, inter),
					Intra: r.cell(e.opt.Protocol, intra),
				}
				return nil
			})
		}
		_ = g.Wait()
	}
	for _, s := range e.parts {
		s.figures.VerificationMean = s.figures.Verification.mean()
	}
	e.warnAboutPairs()
	return nil
}

// pairLists are the positive pairs and both kinds of negatives.
type pairLists [3][]Pair

const (
	positive = iota
	inter
	intra
)

// byPlace returns, for each list, the indices of its pairs by the sequences of both
// patches and the index of the first: pairs that follow each other have their rows
// close together, where the cache still holds them.
func (lists pairLists) byPlace(sequences int) (order [3][]int32) {
	for l, pairs := range lists {
		indices := int32(0)
		all := make([]int32, len(pairs))
		for i, p := range pairs {
			indices = max(indices, p.A.Index+1)
			all[i] = int32(i)
		}
		all = countingSort(all, int(indices), func(i int32) int { return int(pairs[i].A.Index) })
		order[l] = countingSort(all, sequences*sequences, func(i int32) int {
			return int(pairs[i].A.Sequence)*sequences + int(pairs[i].B.Sequence)
		})
	}
	return order
}

// countingSort returns the items in the order of their groups, of which there are n;
// those of a group keep their order.
func countingSort(items []int32, n int, group func(int32) int) []int32 {
	next := make([]int32, n+1) // place of the next item of a group
	for _, item := range items {
		next[group(item)+1]++
	}
	for g := 1; g < len(next); g++ {
		next[g] += next[g-1]
	}
	sorted := make([]int32, len(items))
	for _, item := range items {
		g := group(item)
		sorted[next[g]] = item
		next[g]++
	}
	return sorted
}

// comparePairs sets the distances of all pairs of all lists at a noise level. It takes
// them in the order of visits.
func (e *evaluation) comparePairs(ctx context.Context, noise string, lists pairLists, visits [3][]int32, distances [3][]float64) error {
	var images []*descriptors.Matrix // by sequence, and then by image
	for _, sequence := range e.in.Sequences.Names {
		for k := range 1 + imagesPerNoise {
			images = append(images, e.set.Image(sequence, imageName(noise, k)))
		}
	}
	matrix := func(p Patch) int32 { return int32(p.Sequence)*(1+imagesPerNoise) + int32(p.Image) }
	all := pairwise.NewPairs(e.measure, images)
	defer all.Close()
	// The Python code compares pairs in the type of its descriptors: float32 as read,
	// float64 after PCA.
	rounded := e.opt.Protocol == P17 && !e.opt.PCAPowerLaw
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(patches.Workers(e.opt.Workers))
	for l, pairs := range lists {
		for which := range slices.Chunk(visits[l], pairsPerChunk) {
			g.Go(func() error {
				if err := ctx.Err(); err != nil {
					return err
				}
				rows, keys := make([]nearest.RowPair, len(which)), make([]float64, len(which))
				for k, i := range which {
					p := &pairs[i]
					rows[k] = nearest.RowPair{MatrixA: matrix(p.A), RowA: p.A.Index, MatrixB: matrix(p.B), RowB: p.B.Index}
				}
				all.Keys(keys, rows)
				for k, i := range which {
					if rounded {
						keys[k] = float64(float32(e.measure.Distance(keys[k])))
					}
					distances[l][i] = keys[k]
				}
				return nil
			})
		}
	}
	return g.Wait()
}

// A pairOrder holds the pairs of each list by the sequence of their first patch, so
// that the scope of a single sequence does not need to visit all pairs.
type pairOrder [3][][]int32

func newPairOrder(lists pairLists, sequences int) *pairOrder {
	var o pairOrder
	for l, pairs := range lists {
		counts := make([]int, sequences)
		for _, p := range pairs {
			counts[p.A.Sequence]++
		}
		o[l] = make([][]int32, sequences)
		for s, n := range counts {
			o[l][s] = make([]int32, 0, n)
		}
		for i, p := range pairs {
			o[l][p.A.Sequence] = append(o[l][p.A.Sequence], int32(i))
		}
	}
	return &o
}

// A ranking sorts the distances of the pairs of a scope, each list once. A pair
// belongs to the sequence of its first patch.
type ranking struct {
	part      *part
	lists     pairLists
	order     *pairOrder
	distances [3][]float64
	// By list and number of leading pairs. Buffers are reused for all noise levels.
	sorted, buffers map[[2]int][]float64
	scratch         []float64
}

// first returns, in ascending order, the distances of the pairs in the scope among
// the first n pairs of a list.
func (r *ranking) first(list, n int) []float64 {
	key := [2]int{list, n}
	if s, ok := r.sorted[key]; ok {
		return s
	}
	var leading [][]int32
	count := 0
	for s, pairs := range r.order[list] {
		if r.part.member[s] {
			end, _ := slices.BinarySearch(pairs, int32(n))
			leading = append(leading, pairs[:end])
			count += end
		}
	}
	s := slices.Grow(r.buffers[key], count)
	for _, pairs := range leading {
		for _, i := range pairs {
			s = append(s, r.distances[list][i])
		}
	}
	r.scratch = slices.Grow(r.scratch[:0], count)
	sortAscending(s, r.scratch[:count])
	r.sorted[key], r.buffers[key] = s, s[:0]
	return s
}

func (r *ranking) cell(protocol Protocol, negatives int) VerificationCell {
	var c VerificationCell
	count := len(r.lists[negatives])

	p, n := protocol.balanced(len(r.lists[positive]), count)
	near, far := r.first(positive, p), r.first(negatives, n)
	c.BalancedPairs = len(near) + len(far)
	c.BalancedAUC = protocol.auc(rank.Classes{Positive: near, Negative: far})

	p, n = protocol.imbalanced(len(r.lists[positive]), count)
	near, far = r.first(positive, p), r.first(negatives, n)
	c.ImbalancedPairs = len(near) + len(far)
	c.ImbalancedAP = protocol.classAP(rank.Classes{Positive: near, Negative: far})
	return c
}

// warnAboutPairs warns about unusual properties of the lists of pairs.
func (e *evaluation) warnAboutPairs() {
	for _, l := range []struct {
		name  string
		pairs []Pair
	}{{"inter", e.in.Inter}, {"intra", e.in.Intra}} {
		if len(l.pairs) != len(e.in.Positive) {
			e.warn("unequal-pairs", fmt.Sprintf("%d positive pairs, but %d negative pairs (%s): each pair keeps its label here; the public Python code derives labels from the number of positives and would crash or mislabel pairs", len(e.in.Positive), len(l.pairs), l.name))
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
		e.warn("inter-same-sequence", fmt.Sprintf("%d of %d negative pairs between sequences have both patches in the same sequence, %d of them at the same place; the benchmark's own files contain such pairs, and they count as negatives", sequence, len(e.in.Inter), place))
	}
}
