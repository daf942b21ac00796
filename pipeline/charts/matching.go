package charts

import (
	"context"
	"fmt"
	"math"

	"descbench/eval/scope"
	"descbench/pipeline/report/figure"
)

// mma draws mean matching accuracy over the threshold.
func mma(_ context.Context, d *data) (figure.Drawing, string, error) {
	g := &figure.Graph{
		X: figure.Axis{Label: "threshold (px)", Min: 1, Max: 10, Whole: true},
		Y: figure.Axis{Label: "mean matching accuracy (%)", Max: 1, Percent: true},
	}
	for _, s := range d.systems {
		c := figure.Curve{Name: s.Name, System: s.Index}
		for px := 1; px <= 10; px++ {
			if v := s.value(scope.All, fmt.Sprintf("mma@%d", px)); !math.IsNaN(v) {
				c.Points = append(c.Points, figure.Point{X: float64(px), Y: v})
			}
		}
		if c.Points != nil {
			g.Curves = append(g.Curves, c)
		}
	}
	if g.Curves == nil {
		return nil, "", missing("no mutual matches")
	}
	return g, d.caption(scope.All, "Mean matching accuracy: share of a pair's mutual nearest neighbours within a threshold of the projected keypoint, mean over pairs."), nil
}
