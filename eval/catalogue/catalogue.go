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
	Share   Unit = iota // of something, 0 to 1; tables print per cent
	Measure             // any other quantity, also a mean of counts
	Count               // counts and sizes; tables print whole numbers
	Median              // of counts; tables print one decimal
	Pixels
)

// A Definition says what a metric means.
type Definition struct {
	// Name is the name of the scope.Metric, and in files. Words in capitals are
	// variables. K stands for a number: an integer in precision_at_K, an integer or a
	// decimal in mma@K. The other variables stand for one of a few words. The standard
	// deviation over the repetitions of a task, or the draws of an estimator, has the name
	// with the suffix _std; neither direction of it is better.
	Name   string
	Short  string // the name in tables, flags and messages; "" for Name
	Also   string // other names by which users may ask for it; "" without any
	Paper  string // as papers write it; "" if the words of Name are enough
	Group  string // "ranking", "matching", "classification", ...
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
