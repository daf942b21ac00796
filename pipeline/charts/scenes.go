package charts

import (
	"context"
	"maps"
	"math"
	"slices"

	"descbench/eval/catalogue"
	"descbench/eval/scope"
	"descbench/pipeline/report/figure"
)

// A Heat is mAP by scene, with a column per system. Pages show it as a table, also with
// differences to a baseline; papers have no room for it.
type Heat struct {
	Rows    []string     `json:"rows"`
	Means   int          `json:"means"` // number of first rows that are means over others
	Columns []string     `json:"columns"`
	Systems []int        `json:"systems"` // of the columns
	Cells   [][]*float64 `json:"cells"`   // by row and column; nil: undefined
}

// Kind returns "heat".
func (h *Heat) Kind() string { return "heat" }

// groups are the first rows of heat maps: means over the scenes of scopes.
var groups = []struct{ scope, name string }{
	{scope.All, "all scenes"}, {scope.Viewpoint, "viewpoint"}, {scope.Illumination, "illumination"},
}

// heat shows mAP by scene and descriptor, in rows that have a value.
func heat(_ context.Context, d *data) (figure.Figure, string, error) {
	h := &Heat{}
	scenes := make(map[string]bool)
	for _, s := range d.systems {
		h.Columns, h.Systems = append(h.Columns, s.Name), append(h.Systems, s.Index)
		for name := range s.Summary.Scenes {
			scenes[name] = true
		}
	}
	add := func(name, in, metric string) {
		row := make([]*float64, len(d.systems))
		defined := false
		for i, s := range d.systems {
			if v := s.Value(in, metric); !math.IsNaN(v) {
				row[i], defined = &v, true
			}
		}
		if defined {
			h.Rows, h.Cells = append(h.Rows, name), append(h.Cells, row)
		}
	}
	for _, g := range groups {
		add(g.name, scope.All, mapOf[g.scope])
	}
	if h.Means = len(h.Rows); h.Means == 0 {
		return nil, "", noQueries
	}
	for _, name := range slices.Sorted(maps.Keys(scenes)) {
		add(name, "scene:"+name, catalogue.MicroMAP)
	}
	return h, d.caption(scope.All, "The first rows are means over scenes."), nil
}
