package report

import (
	"math"
	"slices"

	"descbench/eval/binary"
	"descbench/eval/catalogue"
	"descbench/pipeline/report/figure"
	"descbench/pipeline/report/table"
)

// LookOf returns the look of the system of an index.
type LookOf = func(system int) figure.Look

// ROC returns the ROC graph: the curve of each system, its operating point, and the
// chance diagonal. It skips systems without samples of both classes.
//
// Source: Fawcett, An introduction to ROC analysis, Pattern Recognition Letters
// 27, 2006.
func ROC(systems []binary.System, look LookOf) *figure.Graph {
	g := &figure.Graph{
		X:          figure.Rate("false positive rate (1 − specificity)"),
		Y:          figure.Rate("true positive rate (sensitivity)"),
		References: []figure.Reference{{Name: "chance", Points: []figure.Point{{X: 0, Y: 0}, {X: 1, Y: 1}}}},
	}
	for _, s := range systems {
		if math.IsNaN(s.Summary.ROCAUC) {
			continue
		}
		curve := figure.Curve{Name: s.Name, Note: "AUC " + withUnit(catalogue.Of("roc_auc"), s.Summary.ROCAUC), System: s.Index, Look: look(s.Index)}
		for _, c := range s.Curve {
			curve.Points = append(curve.Points, figure.Point{X: c.FalsePositiveRate(), Y: c.TruePositiveRate()})
		}
		if s.At != nil {
			curve.Dot = &figure.Point{X: s.At.FalsePositiveRate(), Y: s.At.TruePositiveRate()}
			g.Dots = s.Rule.Words()
		}
		g.Curves = append(g.Curves, curve)
	}
	return g
}

// ROCPoints returns the ROC graph with the decisions that are no points of curves, as
// points. Those about systems with curves have the colour of the system and the marks after
// its own.
func ROCPoints(systems []binary.System, decisions []binary.Decision, look LookOf) *figure.Graph {
	g := ROC(systems, look)
	points := make(map[int]int) // by system
	for _, d := range decisions {
		j := d.Counts.YoudenJ()
		if d.Point || math.IsNaN(j) {
			continue
		}
		at := figure.Point{X: d.Counts.FalsePositiveRate(), Y: d.Counts.TruePositiveRate()}
		c := figure.Curve{Name: d.System, Note: "J " + table.Measure.Format(j), System: d.Index, Look: look(d.Index), Points: []figure.Point{at}, Marks: true}
		if len(systems) > 0 {
			c.Name += ", " + d.Rule
			points[d.Index]++
			c.Look.Mark += points[d.Index]
		}
		g.Curves = append(g.Curves, c)
	}
	return g
}

// PrecisionRecall returns the precision-recall graph with the curve of each system.
// Chance is the share of positives, which is particular to each system. It skips
// systems without samples of both classes.
func PrecisionRecall(systems []binary.System, look LookOf) *figure.Graph {
	g := &figure.Graph{X: figure.Rate("recall (true positive rate)"), Y: figure.Rate("precision")}
	var chance []float64
	for _, s := range systems {
		f := s.Summary
		if math.IsNaN(f.AveragePrecision) {
			continue
		}
		g.Curves = append(g.Curves, figure.Curve{
			Name: s.Name, Note: "AP " + withUnit(catalogue.Of("average_precision"), f.AveragePrecision), System: s.Index, Look: look(s.Index),
			Points: precisionRecall(s.Curve),
		})
		chance = append(chance, float64(f.Positives)/float64(f.Positives+f.Negatives))
	}
	if len(chance) == 0 {
		return g
	}
	if table.Share.Format(slices.Min(chance)) == table.Share.Format(slices.Max(chance)) {
		g.References = []figure.Reference{{Name: "chance", Points: []figure.Point{{X: 0, Y: chance[0]}, {X: 1, Y: chance[0]}}}}
	} else {
		for i := range g.Curves {
			g.Curves[i].Note += ", chance " + withUnit(catalogue.Of("precision"), chance[i])
		}
	}
	return g
}

// pointsBetween is the maximum number of segments that approximate the bent line
// between two points of a curve.
const pointsBetween = 32

// precisionRecall returns the points of the precision-recall graph. Between two
// points of the ROC curve, false positives rise linearly with true positives, so
// precision follows a hyperbola (Davis and Goadrich, The relationship between
// Precision-Recall and ROC curves, ICML 2006, section 4). Before the first point
// it is constant. Straight lines would overestimate precision.
func precisionRecall(curve []binary.Confusion) []figure.Point {
	var points []figure.Point
	var from binary.Confusion // nothing is retrieved
	for _, to := range curve {
		rise := to.TP - from.TP
		parts := min(rise, pointsBetween)
		if from.TP == 0 && from.FP == 0 && rise > 0 {
			points = append(points, figure.Point{X: 0, Y: to.Precision()})
			parts = 1
		}
		for k := int64(1); k <= parts; k++ {
			share := float64(k) / float64(parts)
			tp := float64(from.TP) + share*float64(rise)
			fp := float64(from.FP) + share*float64(to.FP-from.FP)
			points = append(points, figure.Point{X: tp / float64(to.Positives()), Y: tp / (tp + fp)})
		}
		if rise == 0 && to.Yes() > 0 {
			points = append(points, figure.Point{X: to.TruePositiveRate(), Y: to.Precision()})
		}
		from = to
	}
	return points
}
