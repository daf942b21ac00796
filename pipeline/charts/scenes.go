package charts

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"descbench/eval/catalogue"
	"descbench/pipeline/fold"
	"descbench/pipeline/report/figure"
	"descbench/pipeline/store"
)

// byScene draws mAP in each scene, a row of marks for each.
func byScene(_ context.Context, d *data, _ string) (drawing, error) {
	const most = 40 // rows of a figure in a paper
	type row struct {
		scene        string
		spread, mean float64
	}
	var rows []row
	value := func(s *fold.System, scene string) float64 { return s.Value("scene:"+scene, catalogue.MicroMAP) }
	scenes := make(map[string]store.SummaryScene) // with results of any system
	for _, s := range d.systems {
		maps.Copy(scenes, s.Summary.Scenes)
	}
	for _, scene := range slices.Sorted(maps.Keys(scenes)) {
		var values []float64
		sum := 0.0
		for _, s := range d.systems {
			if v := value(s, scene); !math.IsNaN(v) {
				values, sum = append(values, v), sum+v
			}
		}
		if values != nil {
			rows = append(rows, row{scene, slices.Max(values) - slices.Min(values), sum / float64(len(values))})
		}
	}
	if len(rows) < 2 {
		return drawing{}, missing("fewer than two scenes have ground truth")
	}
	said := []string{"Scenes are sorted by the mean of the descriptors."}
	if all := len(rows); all > most {
		slices.SortStableFunc(rows, func(a, b row) int { return cmp.Or(cmp.Compare(b.spread, a.spread), cmp.Compare(a.mean, b.mean)) })
		rows = rows[:most]
		said = append(said, fmt.Sprintf("Of %d scenes, the %d in which descriptors differ most are shown.", all, most))
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(a.mean, b.mean) }) // the first is the lowest
	g := &figure.Graph{X: figure.Share("mAP"), Y: figure.Axis{Label: "scene"}}
	for _, r := range rows {
		g.Y.Names = append(g.Y.Names, r.scene)
	}
	return d.graph(g, said, "", noQueries, func(s *fold.System) figure.Curve {
		c := figure.Curve{Marks: true}
		for i, r := range rows {
			if v := value(s, r.scene); !math.IsNaN(v) {
				c.Points = append(c.Points, figure.Point{X: v, Y: float64(i)})
			}
		}
		return c
	})
}
