package eval

import "descbench/eval/scope"

// A Metric is one figure of one descriptor.
type Metric = scope.Metric

// A Warning is a fact about a result that its reader must see.
type Warning = scope.Warning

// A Result is every ranking figure of one descriptor over the scenes of a run.
type Result struct {
	Descriptor string
	Metrics    []Metric // in a fixed order of scopes and names
	// RankHistogram[i] counts the processed queries with ⌈rank⌉ = i+1; it
	// ends at the largest rank that occurs.
	RankHistogram []int64
	// Histograms holds the same for every scope but single pairs, whose ranks
	// are in the records, in the order of the scopes.
	Histograms []Histogram
	Scenes     []SceneResult     // evaluated scenes, by name
	Failed     map[string]string // scenes that could not be evaluated, with the reason
	Warnings   []Warning
}

// A Histogram counts the processed queries of one scope by rank.
type Histogram struct {
	Scope string // as of a Metric
	Bars  []Bar  // by rank, ranks without queries left out
}

// A Bar is one bar of a Histogram.
type Bar struct {
	Rank    int // ⌈rank⌉, from 1
	Queries int
}

// A SceneResult sums up one scene. Means over nothing are NaN.
type SceneResult struct {
	Name                  string
	Category              string // "viewpoint", "illumination" or "other"
	TrueMAP               float64
	TrueMAPIncludingZeros float64
	Precision             float64 // mean over the scene's pairs of the share of correct nearest neighbours
	Processed, Excluded   int     // queries, summed over the scene's pairs
	Matches               int     // queries that have a nearest neighbour
	Keypoints             int     // summed over the scene's images
	Images                int
	Invalid               int // rows that describe nothing, summed over the scene's images
	Pairs                 []PairResult
}

// A PairResult sums up one image pair. Means over nothing are NaN.
type PairResult struct {
	K                   int
	TrueMAP             float64
	Precision           float64
	Processed, Excluded int
	Matches             int // queries that have a nearest neighbour
	Keypoints1          int
	KeypointsK          int
}
