package report

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"descbench/eval/binary"
)

// WritePrecisionRecall draws the precision-recall graph with the curve of each
// system. It skips systems without samples of both classes. Equal systems give
// equal bytes.
func WritePrecisionRecall(path, title string, systems []System) error {
	return writeGraph(path, title, func() (*plot.Plot, error) { return precisionRecallGraph(systems) })
}

func precisionRecallGraph(systems []System) (*plot.Plot, error) {
	p := newGraph("recall (true positive rate)", "precision")
	p.Legend.Left = true // precision falls to the right
	p.Legend.XOffs = -p.Legend.XOffs
	for i, s := range systems {
		if math.IsNaN(s.Summary.AveragePrecision) {
			continue
		}
		name := fmt.Sprintf("%s (AP %s)", s.Name, fixed(s.Summary.AveragePrecision, 4))
		if _, err := addCurve(p, i, precisionRecall(s.Curve), name); err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	return p, nil
}

// pointsBetween is the maximum number of segments that approximate the bent line
// between two points of a curve.
const pointsBetween = 32

// precisionRecall returns the points of the precision-recall graph. Between two
// points of the ROC curve, false positives rise linearly with true positives, so
// precision follows a hyperbola (Davis and Goadrich, The relationship between
// Precision-Recall and ROC curves, ICML 2006, section 4). Before the first point
// it is constant. Straight lines would overestimate precision.
func precisionRecall(curve []binary.Confusion) plotter.XYs {
	var points plotter.XYs
	var from binary.Confusion // nothing is retrieved
	for _, to := range curve {
		rise := to.TP - from.TP
		parts := min(rise, pointsBetween)
		if from.TP == 0 && from.FP == 0 && rise > 0 {
			points = append(points, plotter.XY{X: 0, Y: to.Precision()})
			parts = 1
		}
		for k := int64(1); k <= parts; k++ {
			share := float64(k) / float64(parts)
			tp := float64(from.TP) + share*float64(rise)
			fp := float64(from.FP) + share*float64(to.FP-from.FP)
			points = append(points, plotter.XY{X: tp / float64(to.Positives()), Y: tp / (tp + fp)})
		}
		if rise == 0 && to.Yes() > 0 {
			points = append(points, plotter.XY{X: to.TruePositiveRate(), Y: to.Precision()})
		}
		from = to
	}
	return points
}
