package y2016

import (
	"fmt"
	"io"

	"descbench/eval/patches"
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
		if err := exists(set, b.File, 1, image); err != nil {
			return nil, err
		}
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

// RetrievalDigests returns the digests of a retrieval benchmark and of its rankings.
func RetrievalDigests(b *RetrievalBenchmark, clusters, rankings [][]patches.Signature) (asked, answered string) {
	asked = patches.SHA256(func(w io.Writer) {
		fmt.Fprintln(w, b.Pool)
		for q, cluster := range clusters {
			fmt.Fprintln(w, b.Queries[q], cluster)
		}
	})
	return asked, patches.SHA256(func(w io.Writer) { _ = WriteRankings(w, b, rankings) })
}
