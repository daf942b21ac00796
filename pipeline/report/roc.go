package report

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg"

	"descbench/eval/binary"
	"descbench/eval/scope"
	"descbench/pipeline/report/figure"
)

// ROC returns the ROC graph: the curve of each system, its operating point, and the
// chance diagonal. It skips systems without samples of both classes.
//
// Source: Fawcett, An introduction to ROC analysis, Pattern Recognition Letters
// 27, 2006.
func ROC(systems []binary.System) *figure.Graph {
	g := &figure.Graph{
		X:          figure.Rate("false positive rate (1 - specificity)"),
		Y:          figure.Rate("true positive rate (sensitivity)"),
		References: []figure.Reference{{Name: "chance", Points: []figure.Point{{X: 0, Y: 0}, {X: 1, Y: 1}}}},
	}
	for _, s := range systems {
		if math.IsNaN(s.Summary.ROCAUC) {
			continue
		}
		curve := figure.Curve{Name: s.Name, Note: "AUC " + fixed(s.Summary.ROCAUC, 4), System: s.Index}
		for _, c := range s.Curve {
			curve.Points = append(curve.Points, figure.Point{X: c.FalsePositiveRate(), Y: c.TruePositiveRate()})
		}
		curve.Points = figure.Thin(curve.Points, g.X, g.Y, curveSteps)
		if s.At != nil {
			curve.Dot = &figure.Point{X: s.At.FalsePositiveRate(), Y: s.At.TruePositiveRate()}
			if g.Dots = "operating point: " + s.Rule; s.Rule == "youden" {
				g.Dots = "best Youden index"
			}
		}
		g.Curves = append(g.Curves, curve)
	}
	return g
}

// curveSteps is the number of positions that curves distinguish along an axis.
const curveSteps = 2000

// ROCPoints returns the ROC graph with the decisions about all scenes that have no
// curve, as points. Those about systems with curves have the colour of the system and a mark
// for each rule that, if possible, no curve has.
func ROCPoints(systems []binary.System, decisions []binary.Decision) *figure.Graph {
	g := ROC(systems)
	var free, taken []int
	for _, s := range systems {
		taken = append(taken, s.Index%figure.Marks)
	}
	for i := range figure.Marks {
		if !slices.Contains(taken, i) {
			free = append(free, i)
		}
	}
	free = append(free, taken...)
	var rules []string
	for _, d := range decisions {
		j := d.Counts.YoudenJ()
		if d.Scope != scope.All || !math.IsNaN(d.ROCAUC) || math.IsNaN(j) {
			continue
		}
		at := figure.Point{X: d.Counts.FalsePositiveRate(), Y: d.Counts.TruePositiveRate()}
		c := figure.Curve{Name: d.System, Note: "J " + fixed(j, 4), System: d.Index, Points: []figure.Point{at}, Marks: true}
		if len(systems) > 0 {
			if !slices.Contains(rules, d.Rule) {
				rules = append(rules, d.Rule)
			}
			c.Name += ", " + d.Rule
			c.Mark = &free[slices.Index(rules, d.Rule)%len(free)]
		}
		g.Curves = append(g.Curves, c)
	}
	return g
}

// WriteGraph writes a graph with a title. Equal graphs give equal bytes.
func WriteGraph(path, title string, g *figure.Graph) error {
	g.Title = title
	return figure.Write(path, g, widthFor(len(g.Curves)))
}

// systemsInColumn is the largest number of systems that a figure shows at the
// width of a column.
const systemsInColumn = 6

// widthFor returns the width of a figure of a number of systems.
func widthFor(systems int) vg.Length {
	if systems > systemsInColumn {
		return figure.Page
	}
	return figure.Column
}
