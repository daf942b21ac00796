package charts

import (
	"context"
	"maps"
	"math"
	"slices"

	"descbench/eval/catalogue"
	"descbench/eval/scope"
	"descbench/pipeline/store"
)

// A Heat is mAP by scene, with a column per system of a page. Pages show it as a table, also with
// differences to a baseline; papers have no room for it.
type Heat struct {
	Rows       []string     `json:"rows"`
	Categories []string     `json:"categories"` // of the rows; of a mean over all scenes, scope.All
	Means      int          `json:"means"`      // number of first rows that are means over others
	Cells      [][]*float64 `json:"cells"`      // by row and column; nil: undefined
}

// Kind returns "heat".
func (h *Heat) Kind() string { return "heat" }

// heat shows mAP by scene and descriptor, in rows that have a value.
func heat(_ context.Context, d *data) (drawing, error) {
	h := &Heat{}
	scenes := make(map[string]store.SummaryScene)
	for _, s := range d.systems {
		maps.Copy(scenes, s.Summary.Scenes)
	}
	add := func(name, category, in, metric string) {
		row := make([]*float64, len(d.systems))
		defined := false
		for i, s := range d.systems {
			if v := s.Value(in, metric); !math.IsNaN(v) {
				row[i], defined = &v, true
			}
		}
		if defined {
			h.Rows, h.Categories, h.Cells = append(h.Rows, name), append(h.Categories, category), append(h.Cells, row)
		}
	}
	add("all scenes", scope.All, scope.All, mapOf[scope.All])
	add(scope.Viewpoint, scope.Viewpoint, scope.All, mapOf[scope.Viewpoint])
	add(scope.Illumination, scope.Illumination, scope.All, mapOf[scope.Illumination])
	if h.Means = len(h.Rows); h.Means == 0 {
		return drawing{}, noQueries
	}
	for _, name := range slices.Sorted(maps.Keys(scenes)) {
		add(name, scope.Category(name), "scene:"+name, catalogue.MicroMAP)
	}
	return drawing{Figure: h, said: []string{"The first rows are means over scenes."}}, nil
}
