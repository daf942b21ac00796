package binary

import (
	"math"
	"strconv"

	"descbench/eval/stats"
)

// A System is a binary classifier by distance, with its results.
type System struct {
	Name    string
	Index   int     // selects the look in figures
	Summary Summary // with its warnings

	// Intervals over scenes, only for systems of a run; else NaN.
	ROCAUC, AveragePrecision stats.Interval

	Rule OperatingPoint // the requested one
	At   *Confusion     // the operating point; nil if one class has no samples

	Curve  []Confusion // for drawing: all points, or a subset if there are many
	Points int         // number of points of the whole curve

	Scenes         int  // number of scenes of a run, else 0
	WithoutNearest int  // queries of a run excluded because they have no nearest neighbour, or no match
	Matches        bool // the samples are imported matches

	All *AllPairs // nil unless the samples are all pairs of keypoints
}

// AllPairs says how all pairs of keypoints were counted.
type AllPairs struct {
	Undefined int64 // pairs left out because a descriptor is invalid
	// By how much the areas can be off if the bins are not fine enough to tell all positives from
	// all negatives; else 0.
	ROCAUCError, AveragePrecisionError float64
}

// curvePoints is the maximum number of curve points that a System keeps for drawing.
const curvePoints = 10_000

// NewSystem computes the metrics of a curve and keeps its points for drawing.
func NewSystem(name string, curve *Curve, at OperatingPoint) System {
	s := System{
		Name: name, Rule: at, ROCAUC: stats.NoInterval(), AveragePrecision: stats.NoInterval(),
		Summary: curve.Summary(), Curve: curve.Thin(curvePoints),
	}
	s.Points = s.Summary.points
	if point := at.of(curve, s.Summary); !math.IsNaN(point.Threshold) {
		s.At = &point
	}
	return s
}

// Decision returns what the system decides at its operating point, if it has one.
func (s System) Decision() (d Decision, ok bool) {
	if s.At == nil {
		return d, false
	}
	rule := "distance up to " + strconv.FormatFloat(s.At.Threshold, 'g', 6, 64)
	if math.IsInf(s.At.Threshold, -1) {
		rule = "nothing"
	}
	return Decision{System: s.Name, Index: s.Index, Rule: rule, Counts: *s.At, Point: true}, true
}

// A Decision is the confusion matrix of what a system decides about its samples.
type Decision struct {
	System string
	Index  int    // of the system, selects the look in figures
	Rule   string // what the system says Yes to
	Counts Confusion
	Point  bool // the operating point of a curve
}
