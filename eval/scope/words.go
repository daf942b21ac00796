// Package scope holds the words that every figure shares (category, image
// number, metric, scope) and the one mechanism behind them: a Ledger collects
// what is known of each image pair or scene of a descriptor, Of forms the scopes
// that figures cover, and a List collects the figures with their intervals.
package scope

import (
	"fmt"
	"strings"
)

// Images is the number of images of a scene: the reference, image 1, and five
// targets, images 2 to 6.
const Images = 6

// MaxTolerancePx bounds the tolerance that metrics can be computed for: records
// hold ranks of ground truths up to this far from the projected query.
const MaxTolerancePx = 10

// CheckTolerance fails if records do not reach as far as the tolerance, in px.
func CheckTolerance(px float64) error {
	if !(px >= 0 && px <= MaxTolerancePx) {
		return fmt.Errorf("tolerance %v px, want 0 to %d: records reach no further", px, MaxTolerancePx)
	}
	return nil
}

// The categories of scenes.
const (
	Viewpoint    = "viewpoint"
	Illumination = "illumination"
	Other        = "other"
)

// Category returns the category of a scene, by the first letters of its name
// as HPatches gives them: v_ is viewpoint, i_ is illumination.
func Category(scene string) string {
	switch {
	case strings.HasPrefix(scene, "v_"):
		return Viewpoint
	case strings.HasPrefix(scene, "i_"):
		return Illumination
	}
	return Other
}

// A Metric is one figure of one descriptor. A figure whose denominator is
// empty is undefined: it has no Metric at all, never one of value 0.
type Metric struct {
	// Scope is what the figure covers: "all", a category ("viewpoint",
	// "illumination", "other"), "k:2" … "k:6", "scene:<name>", or
	// "pair:<scene>/1_<k>".
	Scope string
	Name  string // as `descbench metrics` explains it
	Value float64
	// Low and High bound the interval of the figure; NaN where none was
	// computed.
	Low, High float64
	// N counts what the figure is a mean over: queries for micro figures and
	// hit rates, scenes for macro figures, pairs for means over pairs. Of a
	// total it counts what could have counted: queries, images or rows.
	N int
}

// A Warning is a fact about a result that its reader must see and that does
// not stop the analysis.
type Warning struct {
	Kind string // a short fixed word for programs, e.g. "few-keypoints"
	Text string // one line for people
}

// Warnings are in the order in which they were added.
type Warnings []Warning

// Add adds a warning.
func (w *Warnings) Add(kind, format string, args ...any) {
	*w = append(*w, Warning{Kind: kind, Text: fmt.Sprintf(format, args...)})
}
