package ranking

import (
	"descbench/eval/fact"
	"descbench/eval/scope"
)

// A Result holds all ranking metrics of one descriptor over the scenes of a run.
type Result struct {
	Experiment string // name of the experiment, for readers of metrics.csv
	Descriptor string
	Metrics    []scope.Metric // in a fixed order of scopes and names
	// RankHistogram[i] counts the processed queries with ⌈rank⌉ = i+1; it
	// ends at the largest rank that occurs.
	RankHistogram []int64
	// Histograms holds the same for every scope, in the order of the scopes,
	// except for single pairs: their ranks are in the records.
	Histograms []Histogram
	Scenes     []SceneResult     // evaluated scenes, sorted by name
	Failed     map[string]string // reason by failed scene
	Facts      []fact.Fact
}

// A Histogram counts the processed queries of one scope by rank.
type Histogram struct {
	Scope string // as in scope.Metric
	Bars  []Bar  // sorted by rank, without ranks that have no queries
}

// A Bar is one bar of a Histogram.
type Bar struct {
	Rank    int // ⌈rank⌉, from 1
	Queries int
}

// A SceneResult summarises one scene. Means without values are NaN.
type SceneResult struct {
	Name                  string
	Subsets               []string // that a list of pairs puts it in
	TrueMAP               float64
	TrueMAPIncludingZeros float64
	Precision             float64 // mean over the scene's pairs of the share of correct nearest neighbours
	Processed, Excluded   int     // queries, summed over the scene's pairs
	Matches               int     // queries with a nearest neighbour, summed over the scene's pairs
	Keypoints             int     // summed over the scene's images
	Images                int
	Invalid               int // invalid rows, summed over the scene's images
	Pairs                 []PairResult
}

// A PairResult summarises one image pair. Means without values are NaN.
type PairResult struct {
	K                   int
	TrueMAP             float64
	Precision           float64
	Processed, Excluded int
	Matches             int // queries with a nearest neighbour
	Keypoints1          int
	KeypointsK          int
	CornerErrors        string // as in record.Pair
	PoseErrors          string
}
