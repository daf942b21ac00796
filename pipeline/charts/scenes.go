package charts

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"descbench/eval/catalogue"
	"descbench/eval/scope"
	"descbench/pipeline/compare"
	"descbench/pipeline/config"
	"descbench/pipeline/fold"
	"descbench/pipeline/plan"
	"descbench/pipeline/report"
	"descbench/pipeline/report/figure"
)

// groups are the first rows of heat maps: means over the scenes of scopes.
var groups = []struct{ scope, name string }{
	{scope.All, "all scenes"}, {scope.Viewpoint, "viewpoint"}, {scope.Illumination, "illumination"},
}

// newHeat returns a heat map of columns, with a row for each group that has values
// and for each scene. Values are nil where undefined.
func (d *data) newHeat(columns []*fold.System, group, scene func(s *fold.System, of string) *figure.Cell) *figure.Heat {
	h := &figure.Heat{Scale: figure.Share("mAP")}
	for _, s := range columns {
		h.Columns = append(h.Columns, s.Name)
		h.Systems = append(h.Systems, s.Index)
	}
	add := func(name, of string, cell func(s *fold.System, of string) *figure.Cell) bool {
		row := make([]*figure.Cell, len(columns))
		defined := false
		for i, s := range columns {
			row[i] = cell(s, of)
			defined = defined || row[i] != nil
		}
		if defined {
			h.Rows, h.Cells = append(h.Rows, name), append(h.Cells, row)
		}
		return defined
	}
	for _, g := range groups {
		if add(g.name, g.scope, group) {
			h.Means++
		}
	}
	scenes := make(map[string]bool)
	for _, s := range columns {
		for name := range s.Summary.Scenes {
			scenes[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(scenes)) {
		add(name, name, scene)
	}
	return h
}

// heat draws mAP by scene and descriptor.
func heat(_ context.Context, d *data) (figure.Drawing, string, error) {
	defined := func(v float64) *figure.Cell {
		if math.IsNaN(v) {
			return nil
		}
		return &figure.Cell{Value: v}
	}
	h := d.newHeat(d.systems,
		func(s *fold.System, in string) *figure.Cell { return defined(s.Value(scope.All, mapOf[in])) },
		func(s *fold.System, scene string) *figure.Cell {
			return defined(s.Value("scene:"+scene, catalogue.MicroMAP))
		})
	if h.Means == 0 {
		return nil, "", noQueries
	}
	return h, d.caption(scope.All, "The first rows are means over scenes."), nil
}

// differences draws the difference of mAP to the baseline by scene and descriptor.
// Means over scenes that differ significantly are marked; single scenes have no
// test.
func differences(ctx context.Context, d *data) (figure.Drawing, string, error) {
	columns := slices.DeleteFunc(slices.Clone(d.systems), func(s *fold.System) bool { return s == d.baseline })
	if len(columns) == 0 {
		return nil, "", missing("no descriptor to compare with the baseline " + d.baseline.Name)
	}
	found, err := compare.With(ctx, d.runs, compare.Options{Baseline: d.baseline.RunLabel + ":" + d.baseline.Descriptor})
	if text := refusal(err); text != "" {
		return nil, "", missing(text)
	} else if err != nil {
		return nil, "", err
	}
	type key struct{ descriptor, of string }
	means, scenes := make(map[key]*figure.Cell), make(map[key]*figure.Cell)
	for _, r := range found.Rows {
		if !r.Difference.IsZero() {
			means[key{r.Descriptor, r.Scope}] = &figure.Cell{Value: float64(r.Difference), Marked: r.Verdict != "~"}
		}
		for _, s := range r.Differences {
			scenes[key{r.Descriptor, s.Scene}] = &figure.Cell{Value: s.Difference}
		}
	}
	h := d.newHeat(columns,
		func(s *fold.System, in string) *figure.Cell { return means[key{s.Name, in}] },
		func(s *fold.System, scene string) *figure.Cell { return scenes[key{s.Name, scene}] })
	if h.Means == 0 {
		return nil, "", missing("no descriptor shares scenes with the baseline " + d.baseline.Name)
	}
	h.Diverging = true
	h.Scale = figure.Axis{Label: "mAP minus that of " + d.baseline.Name + " (percentage points)", Percent: true}
	said := fmt.Sprintf("mAP minus that of %s; the first rows are means over scenes.", d.baseline.Name)
	if found.Family == 0 {
		return h, d.caption(scope.All, said+" No mean can be significant: "+found.Needs()+"."), nil
	}
	said += fmt.Sprintf(" Differences of means are tested by a paired permutation test over scenes with Holm correction over %d comparisons; single scenes are not tested.", found.Family)
	if slices.ContainsFunc(found.Rows, func(r report.ComparisonRow) bool { return r.Verdict != "~" }) {
		h.Mark = "significant at 5 %"
		said += " Means that differ significantly at 5 % are marked."
	} else {
		said += " No mean differs significantly at 5 %."
	}
	return h, d.caption(scope.All, said), nil
}

// refusal returns why runs cannot be compared, if that is for their data and not a
// fault.
func refusal(err error) string {
	var wrong *config.Error
	var data *plan.DataError
	switch {
	case errors.As(err, &wrong):
		return wrong.Msg
	case errors.As(err, &data):
		return data.Error()
	}
	return ""
}
