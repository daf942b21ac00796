package y2017

import (
	"context"
	"fmt"
	"math"

	"descbench/descriptors"
	"descbench/eval/fact"
	"descbench/eval/nearest"
	"descbench/eval/patches"
	"descbench/eval/patches/internal/pairwise"
)

// PoolSizes returns the sizes of the pools in which the counterparts of a query are
// searched. A pool of size k contains the five counterparts and the first k−5
// distractors from sequences other than the query's, or all of them if the file has
// fewer.
func PoolSizes() []int { return []int{100, 500, 1000, 5000, 10000, 15000, 20000} }

// firstDistractors is the number of lines that the MATLAB code reads from the
// distractor file by default.
const firstDistractors = 2000

// retrieve runs patch retrieval: it ranks the counterparts of a query at a noise level
// among distractors. One pass over the distractors serves all noise levels and pool
// sizes.
func (e *evaluation) retrieve(ctx context.Context) error {
	distractors := e.in.Distractors
	pool, err := pairwise.NewCandidates(e.measure, pairwise.Gather(e.set.Type, e.set.Dim, len(distractors), func(k int) (*descriptors.Matrix, int) {
		return e.reference(distractors[k]), int(distractors[k].Index)
	}))
	if err != nil {
		return err
	}
	var images []*descriptors.Matrix
	for _, noise := range Noises() {
		images = append(images, e.images(noise)...)
	}
	pools := e.pools()
	perQuery := make([][3][]float64, len(e.in.Queries))
	err = patches.EachBlock(ctx, e.opt.Workers, len(e.in.Queries), pairwise.BlockQueries, func(start, end int) error {
		e.rankBlock(pool, pools, images, e.in.Queries[start:end], perQuery[start:end])
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	for _, p := range e.parts {
		e.addRetrieval(p, perQuery)
	}
	e.result.Queries = perQuery
	e.warnAboutPools(pools)
	return nil
}

func (e *evaluation) reference(p Patch) *descriptors.Matrix {
	return e.set.Image(e.in.Sequences[p.Sequence].Name, patches.Reference)
}

// pools describes the pools of the queries of one sequence.
type pools struct {
	// ends are the numbers of leading distractors in the pools, including those of
	// the sequence itself, in the order of PoolSizes. With M17 there is an additional
	// pool of the first lines of the file.
	ends  []int
	sizes []int // actual numbers of patches, including the counterparts
}

func (e *evaluation) pools() []pools {
	list := make([]pools, len(e.in.Sequences))
	for s := range list {
		p := &list[s]
		var others []int // distractors
		for i, d := range e.in.Distractors {
			if int(d.Sequence) != s {
				others = append(others, i)
			}
		}
		for _, size := range PoolSizes() {
			n, end := min(size-patches.ImagesPerNoise, len(others)), len(e.in.Distractors)
			if n < len(others) {
				end = others[n]
			}
			p.ends, p.sizes = append(p.ends, end), append(p.sizes, n+patches.ImagesPerNoise)
		}
		if e.opt.Protocol == M17 {
			p.ends = append(p.ends, min(firstDistractors, len(e.in.Distractors)))
		}
	}
	return list
}

// rankBlock sets the average precisions of queries per noise level and pool.
// images are those of all noise levels.
func (e *evaluation) rankBlock(pool *pairwise.Candidates, pools []pools, images []*descriptors.Matrix, queries []Patch, out [][3][]float64) {
	rows := pairwise.Gather(e.set.Type, e.set.Dim, len(queries), func(k int) (*descriptors.Matrix, int) {
		return e.reference(queries[k]), int(queries[k].Index)
	})
	const counterpartsPerQuery = 3 * patches.ImagesPerNoise
	pairs := make([]pairwise.RowPair, 0, len(queries)*counterpartsPerQuery)
	for _, query := range queries {
		for n := range Noises() {
			reference := int32(n*len(e.in.Sequences)*(1+patches.ImagesPerNoise)) + indexOfImage(query)
			for k := range int32(patches.ImagesPerNoise) {
				pairs = append(pairs, pairwise.RowPair{
					MatrixA: reference, RowA: query.Index, MatrixB: reference + 1 + k, RowB: query.Index,
				})
			}
		}
	}
	keys := make([]float64, len(pairs))
	e.measure.PairKeys(keys, images, pairs)
	tallies, limits := make([]*tally, len(queries)), make([]float64, len(queries))
	for q, query := range queries {
		tallies[q] = newTally(keys[q*counterpartsPerQuery:][:counterpartsPerQuery], pools[query.Sequence].ends, query.Sequence, e.in.Distractors)
		limits[q] = tallies[q].limit()
	}
	pool.Scan(rows, limits, func(q int, near []nearest.Near, slack float64) {
		tallies[q].count(near, slack, func(row int) float64 { return pool.Key(rows, q, row) })
	})
	for q, t := range tallies {
		t.accumulate()
		for n := range Noises() {
			out[q][n] = make([]float64, len(t.cuts))
			for c := range t.cuts {
				out[q][n][c] = e.opt.Protocol.poolAP(t.pool(n, c))
			}
		}
	}
}

// addRetrieval adds the means over the queries of a part.
func (e *evaluation) addRetrieval(p *part, perQuery [][3][]float64) {
	mean := func(cut int) (means [3]float64) {
		count := 0
		for i, q := range e.in.Queries {
			if p.member[q.Sequence] {
				count++
				for n := range means {
					means[n] += perQuery[i][n][cut]
				}
			}
		}
		for n := range means {
			means[n] /= float64(count)
		}
		p.items[Retrieval] = count
		return means
	}
	var ofPools [3]float64
	overall := 0.0
	for c, size := range PoolSizes() {
		means := mean(c)
		p.addMeans(Retrieval, fmt.Sprintf("map_%d", size), means, 3*p.items[Retrieval])
		for n, m := range means {
			ofPools[n] += m
		}
		overall += (means[0] + means[1] + means[2]) / 3
	}
	for n, noise := range Noises() {
		p.add(Retrieval, "mean_map_"+noise, ofPools[n]/float64(len(PoolSizes())), p.items[Retrieval])
	}
	p.add(Retrieval, "mean_map", overall/float64(len(PoolSizes())), 3*p.items[Retrieval])
	if e.opt.Protocol == M17 { // as the MATLAB code reports by default
		p.addMeans(Retrieval, "map_first_2000", mean(len(PoolSizes())), 3*p.items[Retrieval])
	}
}

// warnAboutPools warns about pools that are smaller than their nominal size.
func (e *evaluation) warnAboutPools(list []pools) {
	var facts []fact.Fact // one for each span of numbers of patches
	for c, size := range PoolSizes() {
		least, most := math.MaxInt, 0
		for _, q := range e.in.Queries {
			n := list[q.Sequence].sizes[c]
			least, most = min(least, n), max(most, n)
		}
		if least < size {
			f := fact.New(fact.ShortPool).Of("retrieval").With("least", float64(least)).With("most", float64(most)).With("first", float64(size))
			if n := len(facts); n > 0 && facts[n-1].Numbers["least"] == float64(least) && facts[n-1].Numbers["most"] == float64(most) {
				f, facts = facts[n-1], facts[:n-1]
			}
			facts = append(facts, f.With("last", float64(size)))
		}
	}
	for _, f := range facts {
		e.tell(f)
	}
}
