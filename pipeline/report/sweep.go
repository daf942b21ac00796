package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"descbench/eval/catalogue"
	"descbench/eval/scope"
	"descbench/pipeline/report/figure"
	"descbench/pipeline/report/table"
)

// SweepTable returns a table with a row per descriptor and a column per value. tidy
// returns one with a row for each of both instead, as programs like it. scenes are those of MarkIntervals.
func SweepTable(s *scope.Sweep, tidy bool, scenes map[string]int) *table.Table {
	_, definition, _ := catalogue.Lookup(s.Metric)
	unit, better := UnitOf(s.Metric), definition.Better
	caption := " against " + keyWords(s.Key)
	if s.Scope != scope.All {
		caption += "; " + ScopeWords(s.Scope)
	}
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
		if unit == table.Pixels { // which the caption says
			unit = table.Measure
		}
		t = table.New(table.Column{Name: "descriptor", Title: "descriptor", Unit: table.Words})
		for i, v := range s.Values {
			title := fmt.Sprint(v)
			t.Columns = append(t.Columns, table.Column{Name: s.Key + "=" + title, Title: title, Full: title, Unit: unit, Better: better, Priority: 1 + i})
		}
		t.Columns[1].Title = t.Columns[1].Name // in papers, the caption has the key
		for _, r := range s.Rows {
			cells := []table.Cell{table.Text(r.Descriptor)}
			for _, m := range r.Metrics {
				cells = append(cells, cell(m))
			}
			t.AddTo(r.Group, cells...)
		}
		t.GroupRows()
	}
	if t.Caption = spelledWithUnit(s.Metric) + caption; !tidy { // a text has the name that --metric takes
		formal := t.Caption
		t.Caption, t.Formal = shortWithUnit(s.Metric)+caption, func(*table.Table) string { return formal }
	}
	MarkIntervals(t, scenes)
	if s.Key == "tolerance_px" && strings.Contains(s.Metric, "map") {
		t.Note("a smaller tolerance leaves out the queries without a keypoint within it, so coverage is lower")
	}
	t.Notes = append(t.Notes, table.Notes(unchanged(s)...)...)
	var names []string
	var matches [][]float64
	for _, r := range s.Rows {
		names, matches = append(names, r.Descriptor), append(matches, r.Matches)
	}
	if note := MatchesNote(s.Metric, names, matches); note != "" {
		t.Note("%s", note)
	}
	t.Notes = append(t.Notes, table.Notes(s.Notes...)...)
	return t
}

// MatchesNote says how many matches per pair are behind shares of correct ones of descriptors, if
// they differ: fewer are easily better. Of several numbers, it has the first and the last. It
// returns "" for other metrics.
func MatchesNote(metric string, descriptors []string, matches [][]float64) string {
	if !strings.HasPrefix(metric, "mma@") {
		return ""
	}
	var parts, texts []string
	for i, of := range matches {
		of = slices.DeleteFunc(slices.Clone(of), math.IsNaN)
		if len(of) == 0 {
			continue
		}
		ends := slices.Compact([]string{table.Measure.Format(of[0]), table.Measure.Format(of[len(of)-1])})
		parts, texts = append(parts, descriptors[i]+" "+strings.Join(ends, " to ")), append(texts, ends...)
	}
	if slices.Sort(texts); len(slices.Compact(texts)) < 2 {
		return ""
	}
	return "matches per pair: " + strings.Join(parts, ", ") + "; match_recall@3: the share of possible correct matches that were found"
}

// SweepWarnings returns the warnings about each descriptor once, with the values that they are
// about, and with the range of their first number.
func SweepWarnings(s *scope.Sweep) (list []WarningMessage) {
	number := func(text string) string { return strings.Trim(aloneNumber.FindString(text), " (%") }
	masked := func(text string) string { return aloneNumber.ReplaceAllString(text, "$1#") }
	span := func(numbers []float64) string {
		slices.Sort(numbers)
		return strings.Join(slices.Compact([]string{fmt.Sprint(numbers[0]), fmt.Sprint(numbers[len(numbers)-1])}), "–")
	}
	var values, numbers [][]float64
	for _, r := range s.Rows {
		for i, warnings := range r.Warnings {
			for _, w := range warnings {
				at := slices.IndexFunc(list, func(of WarningMessage) bool {
					return of.Descriptor == r.Descriptor && of.Kind == w.Kind && masked(of.Text) == masked(w.Text)
				})
				if at < 0 {
					at, list = len(list), append(list, WarningMessage{Kind: w.Kind, Text: w.Text, Descriptor: r.Descriptor})
					values, numbers = append(values, nil), append(numbers, nil)
				}
				n, _ := strconv.ParseFloat(number(w.Text), 64)
				values[at], numbers[at] = append(values[at], s.Values[i]), append(numbers[at], n)
			}
		}
	}
	for i, w := range list {
		if of := number(w.Text); of != "" {
			w.Text = strings.Replace(w.Text, of, span(numbers[i]), 1)
		}
		first, rest, more := strings.Cut(w.Text, ";")
		if list[i].Text = fmt.Sprintf("%s (%s=%s, over all scenes)", first, s.Key, span(values[i])); more {
			list[i].Text += ";" + rest
		}
	}
	return list
}

// unchanged says that no value changes the metric of any descriptor, if it is so.
func unchanged(s *scope.Sweep) []string {
	for _, r := range s.Rows {
		if len(s.Values) < 2 || slices.ContainsFunc(r.Metrics, func(m *scope.Metric) bool { return m == nil || m.Value != r.Metrics[0].Value }) {
			return nil
		}
	}
	return []string{fmt.Sprintf("all values of %s are equal: %s does not depend on %s here", s.Key, catalogue.Short(s.Metric), s.Key)}
}

func cell(m *scope.Metric) table.Cell {
	if m == nil {
		return table.Number(math.NaN())
	}
	return table.Between(m.Value, m.Low, m.High)
}

// SweepGraph returns the metric of every descriptor over the values, with bands.
func SweepGraph(s *scope.Sweep) *figure.Graph {
	g := &figure.Graph{X: figure.Axis{Label: keyWords(s.Key)}, Y: figure.Axis{Label: Spelled(s.Metric)}}
	if UnitOf(s.Metric) == table.Share {
		g.Y = figure.Share(Spelled(s.Metric))
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
				c.Along = append(c.Along, figure.Between(m.Low, m.High))
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
	name = strings.ReplaceAll(strings.TrimPrefix(name, "matcher."), "_", " ")
	switch {
	case inPixels:
		name += " (px)"
	case name == "ratio":
		name += " threshold"
	}
	return name
}
