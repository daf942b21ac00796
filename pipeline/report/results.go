// Package report prints results for people.
package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"descbench/eval/catalogue"
	"descbench/eval/fact"
	"descbench/eval/matching"
	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/pipeline/fold"
	"descbench/pipeline/report/table"
	"descbench/pipeline/store"
)

// A Line holds the results of one descriptor of one run in one scope.
type Line struct {
	Name string // as printed
	// Group names lines with the same keypoints, protocol and scenes: the best of
	// them is marked.
	Group     string
	Metrics   map[string]scope.Metric // by name; undefined metrics are absent
	Scenes    int                     // number of scenes behind the line, if lines differ in it; otherwise 0
	Of        int                     // number of scenes of the run
	Seconds   float64                 // processor time; 0 if unknown
	Cached    string                  // "imported" or "partly imported" if Seconds lacks the extraction of such features, because it is unknown
	Source    string                  // of a published row
	estimator string                  // of a published row, other than those of descbench
	letters   map[string]string       // of the sources of published values, by metric; not nil if undefined metrics are left empty
	lost      int                     // scenes whose time Seconds lacks, because it is lost
}

// Lines returns the lines of the systems of a run with the metrics of a scope that were read. Of
// single scopes, they have neither scenes nor time, which are those of the whole run. sets numbers
// the keypoints of systems. If systems have results for different scenes, only those with the
// same scenes are in one group, and each line says how many it has.
func Lines(r *fold.Run, in string, sets map[*fold.System]int) []Line {
	var lines []Line
	same := sameScenes(r.Summary)
	for i, s := range r.Systems {
		line := Line{Name: s.Name, Group: strconv.Itoa(sets[s]), Metrics: make(map[string]scope.Metric)}
		for m := range s.Metrics() {
			if m.Scope == in {
				line.Metrics[m.Name] = m
			}
		}
		scenes := r.Summary.Descriptors[i].Scenes
		if !same {
			line.Group += "\x00" + strings.Join(slices.Sorted(maps.Keys(scenes)), "\x00")
		}
		if in == scope.All {
			if !same {
				line.Scenes, line.Of = len(scenes), r.Summary.ScenesRequested
			}
			line.addTimes(r.Timings, s.Descriptor)
		}
		lines = append(lines, line)
	}
	return lines
}

// addTimes adds up the times of a descriptor.
func (l *Line) addTimes(timings []store.Timing, descriptor string) {
	for _, t := range timings {
		if t.Descriptor != descriptor {
			continue
		}
		l.Seconds += t.Seconds
		switch {
		case t.Lost():
			l.lost++
		case t.Stage == store.ImportStage:
			l.Cached = "imported"
		case !t.OfAllWork():
			l.Cached = "partly imported"
		}
	}
}

// A Selected is a column of a table of results: a metric, or scenes or time.
type Selected struct {
	*catalogue.Metric
	Priority int    // of table.Column
	Bare     bool   // without intervals
	Title    string // as the authors of a preset print it; "" for the short name
	Full     string // in papers; "" for Title
}

// The columns that are not metrics.
const (
	descriptorColumn = "descriptor"
	scenesColumn     = "scenes"
	timeColumn       = "time"
	SourceColumn     = "source"
	estimatorColumn  = "estimator"
)

// RankingColumns returns the columns of the main table, with the hit rates at the
// cut-offs. What decides between descriptors stays longest if space is short:
// mean AP, and coverage, without which mean AP of different keypoints must not be compared.
func RankingColumns(cutoffs []int) []Selected {
	columns := MetricColumns([]string{scenesColumn, catalogue.MicroMAP, catalogue.MAP, "viewpoint_map", "illumination_map", "true_map_micro_including_zeros"})
	columns[3].Priority, columns[4].Priority, columns[5].Priority = 1, 1, 6
	for i, k := range cutoffs {
		priority := 5
		if i == 0 {
			priority = 2
		}
		columns = append(columns, column("precision_at_"+strconv.Itoa(k), priority, false))
	}
	return append(columns,
		column("coverage", 0, true), column("known", 0, true), column("mean_gallery_size", 3, true), column("total_keypoints", 4, true), column(timeColumn, 3, true))
}

func column(name string, priority int, bare bool) Selected {
	return Selected{Metric: catalogue.Of(name), Priority: priority, Bare: bare}
}

// MatchColumns returns the columns of the table of matches, which imported matches
// have, too.
func MatchColumns(estimators []string) []Selected {
	homographies, poses := matching.ByKind(estimators)
	columns := append(MetricColumns([]string{scenesColumn, "mma@1", "mma@3"}), column("match_recall@3", 1, false), column("matches_per_pair", 0, true), column("known", 0, true))
	for i, e := range homographies {
		columns = append(columns, column(catalogue.With(catalogue.HomographyAUC, e, 3), 2+i, false))
	}
	for i, e := range poses {
		for _, k := range []int{5, 10, 20} {
			columns = append(columns, column(catalogue.With(catalogue.PoseAUC, e, k), i, false))
		}
	}
	if poses != nil {
		columns = append(columns, column("epipolar_precision@5e-4", 1, false))
	}
	return columns
}

// MetricColumns returns columns for metrics that always stay.
func MetricColumns(names []string) []Selected {
	var columns []Selected
	for _, name := range names {
		columns = append(columns, column(name, 0, false))
	}
	return columns
}

// FindColumns returns the columns that words stand for, each once: metrics by any of
// their names, descriptor, scenes or time. has are the metrics of the runs; a word that
// stands for none of them, but for another metric that runs can have, is a column without values. The
// error for any other word suggests names that the runs have.
func FindColumns(words, has []string) ([]Selected, error) {
	var among, names []string
	for _, name := range has {
		among = append(among, catalogue.Short(name))
	}
	for _, word := range words {
		found, err := catalogue.Find(word, append(among, descriptorColumn, scenesColumn, timeColumn))
		if err != nil {
			metric := catalogue.Of(word)
			if !metric.IsKnown() || metric.Open || metric.Impossible(has) {
				return nil, err
			}
			found = []string{metric.Name}
		}
		for _, name := range found {
			if name = catalogue.Of(name).Name; !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return MetricColumns(names), nil
}

// ResultsTable returns a table with a row per line and the columns that any line
// has, and the metrics that no line has.
func ResultsTable(lines []Line, columns []Selected) (t *table.Table, absent []string) {
	t = table.New(table.Column{Name: descriptorColumn, Title: descriptorColumn, Unit: table.Words})
	t.Best = onSame
	var shown []Selected
	for _, c := range columns {
		has := func(l Line) bool { _, there := l.Metrics[c.Name]; return there }
		column := ColumnOf(c.Metric, c.Priority)
		column.Title, column.Full = cmp.Or(c.Title, column.Title), cmp.Or(c.Full, c.Title, column.Full)
		switch c.Name {
		case descriptorColumn:
			continue
		case scenesColumn:
			column.Unit = table.Count
			has = func(l Line) bool { return l.Of > 0 }
		case estimatorColumn:
			column.Unit, column.Title, column.Full = table.Words, "other estimator", "other estimator"
			has = func(l Line) bool { return l.estimator != "" }
		case SourceColumn:
			column.Unit = table.Words
			has = func(l Line) bool { return l.Source != "" }
		case timeColumn:
			column.Unit, column.Better = table.Seconds, "lower"
			column.Unmarked = true // a time from the cache lacks the extraction
			has = func(l Line) bool { return l.Seconds > 0 || l.lost > 0 }
		}
		if !slices.ContainsFunc(lines, has) {
			if c.Name != scenesColumn && c.Name != timeColumn {
				absent = append(absent, c.Short)
			}
			continue
		}
		if last := len(shown) - 1; last >= 0 && c.Priority == 0 {
			column.Paired = shown[last].Name == estimatorColumn || alike(shown[last], c)
		}
		shown = append(shown, c)
		t.Columns = append(t.Columns, column)
	}
	for _, l := range lines {
		cells := []table.Cell{table.Text(l.Name)}
		for _, c := range shown {
			cells = append(cells, l.cell(c))
		}
		if t.AddTo(l.Group, cells...); len(l.letters) > 0 {
			t.Rows[len(t.Rows)-1].Apart = true
			t.Best = onSame + ", without published rows"
		}
	}
	if slices.ContainsFunc(lines, func(l Line) bool { return l.lost > 0 }) {
		t.Note("time undefined: " + lostTimes)
	}
	if slices.ContainsFunc(shown, func(c Selected) bool {
		return slices.ContainsFunc(lines, func(l Line) bool { _, several := l.Metrics[c.Name+"_std"]; return several })
	}) {
		t.Note("sd: standard deviation over the draws of an estimator's samples, or the repetitions of a task")
	}
	if slices.ContainsFunc(shown, func(c Selected) bool { return c.Group == "ranking" }) {
		t.Tell(otherQueries(lines)...)
	}
	var known []float64
	for _, l := range lines {
		if m, ok := l.Metrics["known"]; ok {
			known = append(known, m.Value)
		}
	}
	t.Tell(OtherKnown(known...)...)
	return t, absent
}

// SetsTable returns a table of a metric with a row for each method, named as the first of its systems, and a
// column for each keypoint set. lines are those of the systems. A column whose systems were evaluated differently has no best.
func SetsTable(systems []*fold.System, lines []Line, of Selected) *table.Table {
	t := table.New(table.Column{Name: descriptorColumn, Title: descriptorColumn, Unit: table.Words})
	t.Best = "of each keypoint set"
	var methods []string
	var rows [][]table.Cell
	sets, n := fold.KeypointSets(systems)
	groups, taken := make([]string, n), make(map[string]bool)
	t.Columns = append(t.Columns, make([]table.Column, n)...)
	for i, s := range systems {
		method, at := s.Run.Config.Named(s.Descriptor).Method(), 1+sets[s]
		c := &t.Columns[at]
		if c.Name == "" {
			*c, groups[sets[s]] = ColumnOf(of.Metric, 0), lines[i].Group
			if c.Name = s.Set; taken[s.Set] {
				c.Name = s.Run.Label + ":" + s.Set
			}
			c.Title, c.Full, taken[s.Set] = c.Name, c.Name, true
		}
		c.Unmarked = c.Unmarked || lines[i].Group != groups[sets[s]]
		row := slices.Index(methods, method)
		if row >= 0 && !rows[row][at].Empty() { // as with another matcher, or in another run
			row = -1
		}
		if row < 0 {
			row, methods, rows = len(rows), append(methods, method), append(rows, make([]table.Cell, 1+n))
			rows[row][0] = table.Text(s.Name)
		}
		rows[row][at] = lines[i].cell(of)
	}
	for _, cells := range rows {
		t.Add(cells...)
	}
	return t
}

// alike reports whether two metrics differ in their threshold only.
func alike(a, b Selected) bool { return a.Family == b.Family && a.Estimator == b.Estimator }

// otherQueries returns facts about descriptors if some on the same keypoints are evaluated on
// different queries, as by evaluation.exclude_invalid.
func otherQueries(lines []Line) (facts []fact.Fact) {
	first, differ := make(map[string]float64), false
	for _, l := range lines {
		if m, ranked := l.Metrics["coverage"]; ranked {
			was, seen := first[l.Group]
			first[l.Group], differ = m.Value, differ || seen && was != m.Value
			facts = append(facts, fact.New(fact.OtherQueries).With("share", m.Value).On(l.Name))
		}
	}
	if !differ {
		return nil
	}
	return facts
}

// OtherKnown tells if depth judges another share of the queries of some descriptors than of others. Shares that
// are NaN are of none.
func OtherKnown(shares ...float64) []fact.Fact {
	shares = slices.DeleteFunc(slices.Clone(shares), math.IsNaN)
	if len(shares) == 0 || slices.Min(shares) == slices.Max(shares) {
		return nil
	}
	return []fact.Fact{fact.New(fact.OtherKnown).With("least", slices.Min(shares)).With("most", slices.Max(shares))}
}

func (l Line) cell(c Selected) table.Cell {
	switch c.Name {
	case scenesColumn:
		if l.Of == 0 {
			return table.Cell{}
		}
		return table.Integer(l.Scenes).Noted(fmt.Sprintf("of %d", l.Of))
	case estimatorColumn:
		return table.Text(l.estimator)
	case SourceColumn:
		return table.Text(l.Source)
	case timeColumn:
		switch {
		case l.lost > 0:
			return table.Number(math.NaN())
		case l.Seconds == 0:
			return table.Cell{}
		}
		return table.Number(l.Seconds).Noted(l.Cached)
	}
	m, there := l.Metrics[c.Name]
	switch {
	case !there && l.letters != nil, l.Of > 0 && l.Scenes == 0: // which the column of scenes says
		return table.Cell{}
	case !there:
		return table.Number(math.NaN())
	case c.Bare:
		return table.Number(m.Value)
	}
	cell := table.Between(m.Value, m.Low, m.High).Noted(l.letters[c.Name])
	if std, several := l.Metrics[c.Name+"_std"]; several {
		cell = cell.Repeated(std.Value)
	}
	return cell
}

// ColumnOf returns the column of a metric with its short name, in papers the long one.
func ColumnOf(m *catalogue.Metric, priority int) table.Column {
	note := ""
	if m.Group == "classification" {
		note = "each query with its nearest neighbour or match, positive if that is within the tolerance of the query's projection"
	}
	return table.Column{Name: m.Short, Title: m.Short, Full: m.Paper, Unit: UnitOf(m), Note: note, Better: m.Better, Priority: priority}
}

// UnitOf returns the unit of a metric.
func UnitOf(m *catalogue.Metric) table.Unit {
	return map[catalogue.Unit]table.Unit{catalogue.Share: table.Share, catalogue.Measure: table.Measure, catalogue.Count: table.Count, catalogue.Median: table.Median, catalogue.MeanCount: table.MeanCount, catalogue.Pixels: table.Pixels}[m.Unit]
}

// Listed joins names: "sift, surf and orb".
func Listed(names []string) string {
	if last := len(names) - 1; last > 0 {
		return strings.Join(names[:last], ", ") + " and " + names[last]
	}
	return strings.Join(names, "")
}

// Identical returns facts about systems of a run that are [fold.Run.Identical].
func Identical(r *fold.Run) (facts []fact.Fact) {
	for _, group := range r.Identical() {
		names := spelling.Words(group, func(s *fold.System) string { return s.Name })
		facts = append(facts, fact.New(fact.Identical).Naming("descriptors", names...))
	}
	return facts
}
