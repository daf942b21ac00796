package store

import (
	"math"
	"time"

	"descbench/eval/fact"
	"descbench/eval/ranking"
	"descbench/eval/scope"
)

var nan = math.NaN()

// sampleRun is a run of two descriptors on two of three scenes, the second of
// which has no processed query.
func sampleRun() Run {
	metric := func(within, name string, value float64, n int) scope.Metric {
		return scope.Metric{Scope: within, Name: name, Value: value, Low: nan, High: nan, N: n}
	}
	sift := ranking.Result{
		Descriptor: "sift",
		Metrics: []scope.Metric{
			{Scope: "all", Name: "true_map_micro", Value: 0.625, Low: 0.5, High: 0.75, N: 8},
			metric("all", "recall_at_1", 0.5, 8),
			metric("all", "recall_at_10", 1, 8),
			metric("all", "precision_at_10", 1, 8),
			metric("all", "precision_at_1", 0.5, 8),
			metric("all", "mean_gallery_size", 12.5, 8),
			metric("all", "true_map_macro_by_scene", 0.625, 1),
			metric("all", "viewpoint_map", 0.625, 1),
			metric("all", "mean_precision", 0.375, 3),
			metric("all", "coverage", 0.8, 10),
			metric("all", "total_queries_excluded", 2, 10),
			metric("all", "total_queries_processed", 8, 10),
			metric("viewpoint", "true_map_micro", 0.625, 8),
			metric("pair:v_a/1_2", "true_map_micro", 1.0/3, 5),
		},
		RankHistogram: []int64{4, 0, 4},
		Histograms:    []ranking.Histogram{{Scope: "all", Bars: []ranking.Bar{{Rank: 1, Queries: 4}, {Rank: 3, Queries: 4}}}},
		Scenes: []ranking.SceneResult{
			{
				Name: "i_b", TrueMAP: nan, TrueMAPIncludingZeros: 0, Precision: nan,
				Excluded: 1, Keypoints: 7, Images: 6, Invalid: 1,
				Pairs: []ranking.PairResult{{K: 2, TrueMAP: nan, Precision: nan, Excluded: 1, Keypoints1: 1}},
			},
			{
				Name: "v_a", TrueMAP: 0.625, TrueMAPIncludingZeros: 5.0 / 9, Precision: 0.375,
				Processed: 8, Excluded: 1, Matches: 9, Keypoints: 60, Images: 6,
				Pairs: []ranking.PairResult{
					{K: 2, TrueMAP: 1.0 / 3, Precision: 0.25, Processed: 5, Matches: 5, Keypoints1: 5, KeypointsK: 11, CornerErrors: `{"ransac":[null,0.5]}`, PoseErrors: `{"essential":null}`},
					{K: 3, TrueMAP: 0.75, Precision: 0.5, Processed: 3, Excluded: 1, Matches: 4, Keypoints1: 5, KeypointsK: 10},
				},
			},
		},
		Failed: map[string]string{"v_c": "H_1_3: line 2: want 3 numbers, found 2"},
		Facts:  []fact.Fact{fact.New(fact.FewQueries, "i_b").Counting(0, 7)},
	}
	nothing := ranking.Result{
		Descriptor: "root/sift",
		Scenes:     []ranking.SceneResult{{Name: "v_a", TrueMAP: nan, TrueMAPIncludingZeros: nan, Precision: nan, Images: 6}},
		Failed:     map[string]string{"v_c": "H_1_3: line 2: want 3 numbers, found 2", "i_b": "no memory"},
	}
	digests := map[string]Digests{"i_b": {"d1", "s1"}, "v_a": {"d2", "s2"}}
	return Run{
		Experiment: "variants-more", Description: "two", Identity: "c0ffee", Config: "experiment: {}\n", Environment: `{"go":"1.26"}`,
		Started: time.Date(2025, 3, 1, 12, 0, 0, 0, time.FixedZone("", 3600)), Finished: time.Date(2025, 3, 1, 12, 0, 1, 500_000_000, time.UTC),
		Protocol:        Protocol{Options: ranking.Options{TolerancePx: 3, Ties: ranking.Mean, Relevance: "nearest", Cutoffs: []int{1, 10}, ExcludeInvalid: true, ExcludeBeyondPx: 2000}},
		ProtocolKey:     "r1 tolerance_px=1.5",
		ScenesRequested: 3,
		Descriptors:     []Descriptor{{"sift", "sift", 128, "sift_8k", digests}, {"root/sift", "sift", 128, "sift_8k", digests}},
		Results:         []ranking.Result{sift, nothing},
		KeypointSets:    []KeypointSet{{"sift_8k", 2, 12, 67, 0, 11}, {Name: "empty"}},
		Timings: []Timing{
			{Descriptor: "", Scene: "v_a", Stage: "detect", Seconds: 5, Images: 6, Keypoints: 60},
			{Descriptor: "sift", Scene: "v_a", Stage: "describe", Seconds: 0.25, Images: 6, Keypoints: 60},
			{Descriptor: "sift", Scene: "v_a", Stage: "search", Seconds: 0.125, Images: 6, Keypoints: 60},
		},
		Facts: []fact.Fact{fact.New(fact.FewScenes).With("n", 2)},
	}
}
