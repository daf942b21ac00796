package report

import (
	"fmt"
	"math"
	"slices"

	"descbench/eval/binary"
	"descbench/pipeline/report/figure"
	"descbench/pipeline/report/table"
)

// PrecisionRecall returns the precision-recall graph with the curve of each system.
// Chance is the share of positives, which is particular to each system. It skips
// systems without samples of both classes.
func PrecisionRecall(systems []binary.System) *figure.Graph {
	g := &figure.Graph{X: figure.Rate("recall (true positive rate)"), Y: figure.Rate("precision")}
	var chance []float64
	for _, s := range systems {
		f := s.Summary
		if math.IsNaN(f.AveragePrecision) {
			continue
		}
		g.Curves = append(g.Curves, figure.Curve{
			Name: s.Name, Note: fmt.Sprintf("AP %.3f", f.AveragePrecision), System: s.Index,
			Points: figure.Thin(precisionRecall(s.Curve), g.X, g.Y, curveSteps),
		})
		chance = append(chance, float64(f.Positives)/float64(f.Positives+f.Negatives))
	}
	if len(chance) == 0 {
		return g
	}
	if table.Measure.Format(slices.Min(chance)) == table.Measure.Format(slices.Max(chance)) {
		g.References = []figure.Reference{{Name: "chance", Points: []figure.Point{{X: 0, Y: chance[0]}, {X: 1, Y: chance[0]}}}}
	} else {
		for i := range g.Curves {
			g.Curves[i].Note += ", chance " + table.Measure.Format(chance[i])
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
