package y2016

import (
	"fmt"
	"slices"

	"descbench/eval/patches"
	"descbench/eval/patches/internal/rank"
)

// RetrievalMean holds means of average precisions over the 50 patches after the query.
// For images, every patch of the cluster's images is relevant; for patches, only the
// patches of the cluster. Both are divided by the number of relevant patches among the
// 50, as in the benchmark of 2016.
type RetrievalMean struct {
	ImageMAP float64 `json:"image_map"`
	PatchMAP float64 `json:"patch_map"`
}

// retrievalFigures are the means of retrieval.
var retrievalFigures = []figure[RetrievalResult]{
	{"patch_retrieve_image_map", func(r *RetrievalResult) *float64 { return &r.ImageMAP }, func(r *RetrievalResult, q int) float64 { return r.ImageAP[q] }},
	{"patch_retrieve_patch_map", func(r *RetrievalResult) *float64 { return &r.PatchMAP }, func(r *RetrievalResult, q int) float64 { return r.PatchAP[q] }},
}

// MeanRetrieval returns the mean over benchmarks, with equal weights.
func MeanRetrieval(list []*RetrievalResult) RetrievalMean {
	return meanOf(retrievalFigures, list).RetrievalMean
}

// RetrievalResult holds the metrics of a retrieval benchmark, which are means over its
// queries.
type RetrievalResult struct {
	Queries int `json:"queries"`
	RetrievalMean
	// Expected values of a random order; nil if the descriptors are unknown.
	ChanceImage *float64 `json:"chance_image,omitempty"`
	ChancePatch *float64 `json:"chance_patch,omitempty"`

	ImageAP   []float64 `json:"image_ap"` // by query
	PatchAP   []float64 `json:"patch_ap"`
	Sequences []string  `json:"-"` // of the queries

	imageRanks, patchRanks [][]int // of the relevant patches, by query
}

// EvaluateRetrieval evaluates the rankings of a benchmark's queries against its
// clusters. It computes chance levels if set, which has the images of the pool, is not
// nil.
func EvaluateRetrieval(b *RetrievalBenchmark, clusters, rankings [][]patches.Signature, set *patches.Set) (*RetrievalResult, error) {
	if len(clusters) != len(b.Queries) || len(rankings) != len(b.Queries) {
		return nil, fmt.Errorf("%s: %d clusters and %d rankings, want one per query, %d", b.File, len(clusters), len(rankings), len(b.Queries))
	}
	r := &RetrievalResult{Queries: len(b.Queries)}
	for q, cluster := range clusters {
		r.Sequences = append(r.Sequences, b.Queries[q].Sequence)
		imageRanks, patchRanks := relevantRanks(cluster, rankings[q])
		r.ImageAP = append(r.ImageAP, rank.StepAP(slices.Values(imageRanks), len(imageRanks)))
		r.PatchAP = append(r.PatchAP, rank.StepAP(slices.Values(patchRanks), len(patchRanks)))
		r.imageRanks, r.patchRanks = append(r.imageRanks, imageRanks), append(r.patchRanks, patchRanks)
	}
	setMeans(retrievalFigures, r, r.Queries)
	return r, r.chance(b, clusters, set)
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

// chance sets the chance levels, the share of relevant patches in the pool without the
// query, if the descriptors are known.
func (r *RetrievalResult) chance(b *RetrievalBenchmark, clusters [][]patches.Signature, set *patches.Set) error {
	if set == nil {
		return nil
	}
	pool := -1
	for _, image := range b.Pool {
		if err := exists(set, b.File, 1, image); err != nil {
			return err
		}
		pool += set.Image(image.Sequence, image.Image).Rows
	}
	if pool < 1 {
		return &patches.Fault{File: b.File, Line: 1, Reason: fmt.Sprintf("the pool has %d patches, want at least 2", pool+1)}
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
	images /= float64(len(clusters))
	places /= float64(len(clusters))
	r.ChanceImage, r.ChancePatch = &images, &places
	return nil
}
