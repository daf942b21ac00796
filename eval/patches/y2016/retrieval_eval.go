package y2016

import (
	"context"
	"fmt"
	"slices"

	"descbench/descriptors"
	"descbench/eval/fact"
	"descbench/eval/patches"
	"descbench/eval/patches/internal/pairwise"
)

// EvaluateRetrieval evaluates the rankings of a benchmark's queries against its clusters, by the 50
// patches after the query. For images, every patch of the cluster's images is relevant; for patches,
// only those of the cluster. Both are divided by the number of relevant patches among the 50, as in
// the benchmark of 2016. It adds chance levels if set, which has the images of the pool, is not nil.
func EvaluateRetrieval(b *RetrievalBenchmark, clusters, rankings [][]patches.Signature, set *patches.Set) (*Result, error) {
	r := &Result{Figures: []Figure{{Metric: "patch_retrieve_image_map", Curve: "images"}, {Metric: "patch_retrieve_patch_map", Curve: "patches"}}}
	for q, cluster := range clusters {
		images, places := relevantRanks(cluster, rankings[q])
		r.Figures[0].add(images, len(images))
		r.Figures[1].add(places, len(places))
		r.Sequences = append(r.Sequences, b.Queries[q].Sequence)
	}
	r.setMeans()
	chance, err := b.chance(clusters, set)
	r.Figures = append(r.Figures, chance...)
	return r, err
}

// relevantRanks returns the ranks after the query of patches from the cluster's images,
// and of patches from the cluster.
func relevantRanks(cluster, ranking []patches.Signature) (images, places []int) {
	relevant := make(map[patches.Signature]bool, 2*len(cluster))
	for _, s := range cluster {
		relevant[s] = true
		relevant[s.Whole()] = true
	}
	for i, s := range ranking[1:] {
		if relevant[s] {
			places = append(places, i+1)
		}
		if relevant[s.Whole()] {
			images = append(images, i+1)
		}
	}
	return images, places
}

// chance returns the chance levels, the share of relevant patches in the pool without the query, if
// the descriptors are known.
func (b *RetrievalBenchmark) chance(clusters [][]patches.Signature, set *patches.Set) ([]Figure, error) {
	if set == nil {
		return nil, nil
	}
	pool := -1
	for _, image := range b.Pool {
		pool += set.Image(image.Sequence, image.Image).Rows
	}
	if pool < 1 {
		return nil, &patches.Fault{File: b.File, Line: 1, Reason: fmt.Sprintf("the pool has %d patches, want at least 2", pool+1)}
	}
	images, places := 0.0, 0.0
	for _, cluster := range clusters {
		seen := make(map[patches.Signature]bool, len(cluster))
		relevant := -1
		for _, s := range cluster {
			if image := s.Whole(); !seen[image] {
				seen[image] = true
				relevant += set.Image(image.Sequence, image.Image).Rows
			}
		}
		images += float64(relevant) / float64(pool)
		places += float64(len(cluster)-1) / float64(pool)
	}
	n := float64(len(clusters))
	return []Figure{{Metric: "patch_retrieve_chance_image", Mean: images / n}, {Metric: "patch_retrieve_chance_patch", Mean: places / n}}, nil
}

// Retrieve returns, for each query, the ListLength nearest patches of the pool. The
// query itself always comes first; other ties keep the order of the pool. A warning
// counts the queries that have the same descriptor as an earlier patch.
func Retrieve(ctx context.Context, set *patches.Set, b *RetrievalBenchmark, d patches.Distance, workers int) (lists [][]patches.Signature, facts []fact.Fact, err error) {
	var members []patches.Signature // of the pool, in its order
	place := make(map[patches.Signature]int)
	for _, s := range b.Pool {
		for s.Index = range set.Patches(s.Sequence) {
			place[s] = len(members)
			members = append(members, s)
		}
	}
	if len(members) < ListLength {
		return nil, nil, &patches.Fault{File: b.File, Line: 1, Reason: fmt.Sprintf("the pool has %d patches, want at least %d", len(members), ListLength)}
	}
	for i, q := range b.Queries {
		if err := checkIndex(set, b.File, i+2, q); err != nil {
			return nil, nil, err
		}
	}
	gather := func(list []patches.Signature) *descriptors.Matrix {
		return pairwise.Gather(set.Type, set.Dim, len(list), func(k int) (*descriptors.Matrix, int) {
			return set.Image(list[k].Sequence, list[k].Image), list[k].Index
		})
	}
	pool, err := pairwise.NewCandidates(pairwise.Measure(d), gather(members))
	if err != nil {
		return nil, nil, err
	}
	lists = make([][]patches.Signature, len(b.Queries))
	repaired := make([]bool, len(b.Queries))
	err = patches.EachBlock(ctx, workers, len(b.Queries), pairwise.BlockQueries, func(start, end int) error {
		queries, own := b.Queries[start:end], make([]int, end-start)
		for q, query := range queries {
			own[q] = place[query]
		}
		for q, near := range pool.Nearest(gather(queries), ListLength-1, own) {
			list := []patches.Signature{queries[q]}
			for _, n := range near {
				list = append(list, members[n.Row])
			}
			lists[start+q] = list
			repaired[start+q] = near[0].Key == 0 && near[0].Row < own[q]
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, nil, err
	}
	if i := slices.Index(repaired, true); i >= 0 { // queries had to be put first
		count := len(slices.DeleteFunc(slices.Clone(repaired), func(is bool) bool { return !is }))
		facts = append(facts, fact.New(fact.QueryNotFirst).Counting(count, len(repaired)).Naming("first", b.Queries[i].String()).Naming("equal", lists[i][1].String()))
	}
	return lists, facts, nil
}
