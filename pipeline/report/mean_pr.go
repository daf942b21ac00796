package report

import (
	"descbench/eval/patches/y2016"
	"descbench/pipeline/report/figure"
	"descbench/pipeline/report/table"
)

// A NamedCurve is a mean precision-recall curve with its name and the mean
// average precision to print next to it.
type NamedCurve struct {
	Name  string
	Curve y2016.MeanCurve
	MAP   float64
}

// WriteMeanCurves writes mean precision-recall curves as CSV: a column of recall
// and one column of precision per curve.
func WriteMeanCurves(path string, curves []NamedCurve) error {
	rows := [][]string{{"recall"}}
	for _, c := range curves {
		rows[0] = append(rows[0], c.Name)
	}
	for level := range len(y2016.MeanCurve{}) {
		row := []string{exact(recallOf(level))}
		for _, c := range curves {
			row = append(row, exact(c.Curve[level]))
		}
		rows = append(rows, row)
	}
	return writeRows(path, rows)
}

// MeanGraph returns the graph of mean precision-recall curves.
func MeanGraph(curves []NamedCurve) *figure.Graph {
	g := &figure.Graph{X: figure.Rate("recall"), Y: figure.Rate("precision, interpolated, mean")}
	for i, c := range curves {
		points := make([]figure.Point, len(c.Curve))
		for level, v := range c.Curve {
			points[level] = figure.Point{X: recallOf(level), Y: v}
		}
		g.Curves = append(g.Curves, figure.Curve{Name: c.Name, Note: "mAP " + table.Fraction.Format(c.MAP), System: i, Points: points})
	}
	return g
}

func recallOf(level int) float64 { return float64(level) / float64(len(y2016.MeanCurve{})-1) }
