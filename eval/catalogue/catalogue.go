// Package catalogue defines all metrics that the packages of eval compute: their names,
// meanings, ranges and sources, and when to use them.
package catalogue

import (
	"slices"
	"strings"
)

// The metric that descriptors are ranked and compared by is MAP: the mean over scenes of
// the mean average precision of each, which is MicroMAP of the single scene.
const (
	MAP      = "true_map_macro_by_scene"
	MicroMAP = "true_map_micro"
)

// A Unit is what the values of a metric are.
type Unit int

// The units of metrics.
const (
	Share     Unit = iota // of something, 0 to 1; tables print per cent
	Measure               // any other quantity
	Count                 // counts and sizes; tables print whole numbers
	Median                // of counts; tables print one decimal
	MeanCount             // a mean of counts; tables print one decimal
	Pixels
)

// A Subject is what a metric judges, as far as settings, captions and warnings depend on it.
type Subject int

// The subjects of metrics.
const (
	Others       Subject = iota // keypoints, pairs of keypoints, patches, ...
	Ranks                       // of ground truths: rules of ties and relevance decide
	Matches                     // of the descriptor's matcher
	Homographies                // estimated from these matches
	Poses                       // of two cameras, estimated from these matches
)

// A Pooling is how the value over scenes comes from those of their pairs or queries.
type Pooling int

// The kinds of pooling.
const (
	AsMean   Pooling = iota
	AsMedian         // of pairs
	AsArea           // under the curve of the share of pairs by error, up to K
)

// A Definition says what a metric means, and all that other packages need to know about it.
type Definition struct {
	// Name is the name of the scope.Metric, and in files. Words in capitals are
	// variables. K stands for a number: an integer in precision_at_K, an integer or a
	// decimal in mma@K, also with an exponent, as in 5e-4. The other variables stand for
	// one of a few words. The standard deviation over the repetitions of a task, or the draws of an estimator, has the name
	// with the suffix _std; neither direction of it is better.
	Name   string
	Short  string // the name in tables, flags and messages; "" for Name
	Also   string // other names by which users may ask for it; "" without any
	Paper  string // as papers write it, without its unit; "" for the words of Name
	Of     Subject
	Pooled Pooling
	Scene  string // the metric of a single scene whose mean over scenes this is; "" if scenes have this one
	// Category is the category of scenes that it is limited to; "" if it covers all.
	Category string
	// Needs is the key of the evaluation section that concerns such metrics only; "" for none.
	Needs string
	// UpTo is the largest K at which it can be computed from the records of a run, at any
	// number above 0; 0: runs have it at some K only.
	UpTo   float64
	Group  string // "ranking", "matching", "classification", ...
	Task   string // of the patch benchmark: verification, matching, retrieval; of 2016: classify, match, retrieve
	What   string // one line
	Range  string
	Unit   Unit
	Better string // "higher", "lower", or "" if neither is better
	Source string
	Use    string // when to use it
	Avoid  string // when not to
}

// names returns all names, the one that tables use first.
func (d Definition) names() []string {
	names := []string{d.Name}
	if d.Short != "" {
		names = []string{d.Short, d.Name}
	}
	if d.Also != "" {
		names = append(names, strings.Split(d.Also, ", ")...)
	}
	return names
}

// All returns the definitions of all metrics in reporting order.
func All() []Definition {
	return slices.Concat(rankingMetrics, matchingMetrics, taskMetrics, classificationMetrics, patchMetrics)
}
