// Package scope defines the terms that all metrics share (category, image number,
// metric, scope) and aggregates metrics over scenes: a Ledger collects the tallies
// of a descriptor per image pair or scene, Of returns the scopes, and a List
// collects the metrics with their intervals.
package scope

import (
	"slices"
	"strings"
)

// Limits of the number of images of a scene: the reference image 1 and the target
// images. Most data sets have six.
const (
	MinImages = 2
	MaxImages = 1000
)

// MaxTolerancePx is the maximum tolerance in px. Records only hold the ranks of
// ground truths within this distance of the projected query.
const MaxTolerancePx = 10

// The categories of scenes.
const (
	Viewpoint    = "viewpoint"
	Illumination = "illumination"
	Other        = "other"
)

// Category returns the category of a scene by the prefix of its name, or else of its group, as in
// HPatches: v_ is viewpoint, i_ is illumination.
func Category(scene string) string {
	for _, name := range []string{WithoutGroup(scene), scene} {
		switch {
		case strings.HasPrefix(name, "v_"):
			return Viewpoint
		case strings.HasPrefix(name, "i_"):
			return Illumination
		}
	}
	return Other
}

// OfCategory returns the scenes of a category.
func OfCategory(scenes []string, category string) []string {
	return slices.DeleteFunc(slices.Clone(scenes), func(name string) bool { return Category(name) != category })
}

// A Metric is one metric value of one descriptor. A metric with an empty
// denominator is undefined: it is left out, not reported as 0.
type Metric struct {
	// Scope names the scenes or pairs that the value covers: "all", a category
	// ("viewpoint", "illumination", "other"), "subset:<name>",
	// "subset:<name>/<category>", "group:<name>", "k:2" … "k:20", "scene:<name>", or
	// "pair:<scene>/1_<k>".
	Scope string
	Name  string // as `descbench metrics` explains it
	Value float64
	// Low and High are the bounds of the interval, NaN if none was computed.
	Low, High float64
	// N is the number of items that Value is a mean over: queries for micro
	// means and hit rates, scenes for macro means, pairs for means over pairs.
	// For a count, N is the number of items that were examined: queries, images
	// or rows.
	N int
}

// OfScene returns the scene whose scope the metric has; "" for another scope.
func (m Metric) OfScene() string {
	if id := Parse(m.Scope); id.Kind == OneScene {
		return id.Scene
	}
	return ""
}
