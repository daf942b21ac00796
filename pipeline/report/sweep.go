package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"descbench/eval/catalogue"
	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/pipeline/report/figure"
	"descbench/pipeline/report/table"
)

// SweepTable returns a table with a row per descriptor and a column per value. tidy
// returns one with a row for each of both instead, as programs like it. scenes are those of MarkIntervals.
func SweepTable(s *scope.Sweep, tidy bool, scenes map[string]int) *table.Table {
	_, definition, _ := catalogue.Lookup(s.Metric)
	unit, better := UnitOf(s.Metric), definition.Better
	caption := fmt.Sprintf("%s against %s; %s", spelledWithUnit(s.Metric), keyWords(s.Key), ScopeWords(s.Scope))
	var t *table.Table
	if tidy {
		t = table.New(table.Column{Name: "descriptor", Title: "descriptor", Unit: table.Words},
			table.Column{Name: s.Key, Title: s.Key, Unit: table.Digits(6)},
			table.Column{Name: "scope", Title: "scope", Unit: table.Words},
			table.Column{Name: s.Metric, Title: spelledWithUnit(s.Metric), Unit: unit, Better: better})
		t.Keys = 3
		for _, r := range s.Rows {
			for i, v := range s.Values {
				t.AddTo(fmt.Sprint(v)+"\x00"+r.Group, table.Text(r.Descriptor), table.Number(v), table.Text(s.Scope), cell(r.Metrics[i]))
			}
		}
	} else {
		t = table.New(table.Column{Name: "descriptor", Title: "descriptor", Unit: table.Words})
		for i, v := range s.Values {
			name := fmt.Sprintf("%s=%v", s.Key, v)
			title, full := fmt.Sprint(v), ""
			if i == 0 {
				title, full = name, fmt.Sprintf("%s: %v", keyWords(s.Key), v)
			}
			t.Columns = append(t.Columns, table.Column{Name: name, Title: title, Full: full, Unit: unit, Better: better, Priority: 1 + i})
		}
		for _, r := range s.Rows {
			cells := []table.Cell{table.Text(r.Descriptor)}
			for _, m := range r.Metrics {
				cells = append(cells, cell(m))
			}
			t.AddTo(r.Group, cells...)
		}
	}
	t.Caption = caption
	MarkIntervals(t, scenes)
	if s.Key == "tolerance_px" && strings.Contains(s.Metric, "map") {
		t.Note("a smaller tolerance leaves out the queries without a keypoint within it, so coverage is lower")
	}
	t.Notes = append(append(t.Notes, unchanged(s)...), s.Notes...)
	return t
}

// unchanged names the descriptors whose metric no value changes.
func unchanged(s *scope.Sweep) []string {
	var names []string
	for _, r := range s.Rows {
		if !slices.ContainsFunc(r.Metrics, func(m *scope.Metric) bool { return m == nil || m.Value != r.Metrics[0].Value }) {
			names = append(names, r.Descriptor)
		}
	}
	switch metric := catalogue.Short(s.Metric); {
	case len(s.Values) < 2 || names == nil:
		return nil
	case len(names) == len(s.Rows):
		return []string{fmt.Sprintf("all values of %s are equal: %s does not depend on %s here", s.Key, metric, s.Key)}
	default:
		return []string{fmt.Sprintf("%s does not change %s of %s", s.Key, metric, spelling.Few(names, mostListed))}
	}
}

func cell(m *scope.Metric) table.Cell {
	if m == nil {
		return table.Number(math.NaN())
	}
	return table.Between(m.Value, m.Low, m.High)
}

// SweepGraph returns the metric of every descriptor over the values, with bands.
func SweepGraph(s *scope.Sweep) *figure.Graph {
	g := &figure.Graph{X: figure.Axis{Label: keyWords(s.Key)}, Y: figure.Axis{Label: spelled(s.Metric)}}
	if IsShare(s.Metric) {
		g.Y = figure.Share(spelled(s.Metric))
	}
	if len(s.Values) > 0 { // nothing is known beyond the values
		g.X.Min, g.X.Max = slices.Min(s.Values), slices.Max(s.Values)
	}
	for _, v := range s.Values {
		g.X.Ticks = append(g.X.Ticks, figure.Tick{Value: v, Label: fmt.Sprint(v)})
	}
	for system, r := range s.Rows {
		c := figure.Curve{Name: r.Descriptor, System: system}
		for i, m := range r.Metrics {
			if m != nil {
				c.Points = append(c.Points, figure.Point{X: s.Values[i], Y: m.Value})
				var interval *figure.Interval
				if !math.IsNaN(m.Low) {
					interval = &figure.Interval{Low: m.Low, High: m.High}
				}
				c.Along = append(c.Along, interval)
			}
		}
		if c.Points != nil {
			g.Curves = append(g.Curves, c)
		}
	}
	return g
}

// keyWords returns a setting in words, with its unit.
func keyWords(key string) string {
	name, inPixels := strings.CutSuffix(key, "_px")
	if name = strings.ReplaceAll(name, "_", " "); inPixels {
		name += " (px)"
	}
	return name
}
