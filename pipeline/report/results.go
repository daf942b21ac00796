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

// SummaryLines returns the lines of a run. group names the keypoints of a
// descriptor. If descriptors have results for different scenes, only those with the
// same scenes are in one group, and each line says how many it has.
func SummaryLines(s *store.Summary, timings []store.Timing, group func(descriptor string) string) []Line {
	var lines []Line
	same := sameScenes(s.Descriptors)
	for _, d := range s.Descriptors {
		line := Line{Name: d.Name, Group: group(d.Name), Metrics: make(map[string]scope.Metric)}
		if !same {
			line.Group += "\x00" + strings.Join(slices.Sorted(maps.Keys(d.Scenes)), "\x00")
			line.Scenes, line.Of = len(d.Scenes), s.ScenesRequested
		}
		for _, f := range d.Metrics {
			m := scope.Metric{Name: f.Name, Value: f.Value, Low: math.NaN(), High: math.NaN()}
			if i, ok := d.Intervals[f.Name]; ok {
				m.Low, m.High = i[0], i[1]
			}
			line.Metrics[f.Name] = m
		}
		for _, t := range timings {
			if t.Descriptor == d.Name {
				line.Seconds += t.Seconds
				switch {
				case t.Lost():
					line.lost++
				case t.Stage == store.ImportStage:
					line.Cached = "imported"
				case !t.OfAllWork():
					line.Cached = "partly imported"
				}
			}
		}
		if line.lost > 0 {
			line.Cached = fmt.Sprintf("without %d of %d scenes", line.lost, len(d.Scenes))
		}
		lines = append(lines, line)
	}
	return lines
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
		column("coverage", 0, true), column("mean_gallery_size", 3, true), column("total_keypoints", 4, true), column(timeColumn, 3, true))
}

func column(name string, priority int, bare bool) Selected {
	return Selected{Metric: catalogue.Of(name), Priority: priority, Bare: bare}
}

// MatchColumns returns the columns of the table of matches, which imported matches
// have, too.
func MatchColumns(estimators []string) []Selected {
	homographies, poses := matching.ByKind(estimators)
	columns := append(MetricColumns([]string{scenesColumn, "mma@1", "mma@3"}), column("match_recall@3", 1, false), column("matches_per_pair", 0, true))
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
// stands for none of them, but for another metric, is a column without values. The error for any other word suggests
// names that the runs have.
func FindColumns(words, has []string) ([]Selected, error) {
	var among, names []string
	for _, name := range has {
		among = append(among, catalogue.Short(name))
	}
	for _, word := range words {
		found, err := catalogue.Find(word, append(among, descriptorColumn, scenesColumn, timeColumn))
		if err != nil {
			metric := catalogue.Of(word)
			if !metric.IsKnown() || metric.Open {
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
			t.Best = strings.TrimPrefix(sameKeypointsAndScenes, " ") + ", without published rows"
		}
	}
	ranking := func(c Selected) bool { return c.Group == "ranking" }
	if slices.ContainsFunc(lines, func(l Line) bool { return l.lost > 0 }) {
		t.Note("time undefined: " + lostTimes)
	}
	if slices.ContainsFunc(shown, func(c Selected) bool {
		return slices.ContainsFunc(lines, func(l Line) bool { _, several := l.Metrics[c.Name+"_std"]; return several })
	}) {
		t.Note("sd: standard deviation over the draws of an estimator's samples, or the repetitions of a task")
	}
	if note := coverageNote(lines); note != "" && slices.ContainsFunc(shown, ranking) {
		t.Note("%s", note)
	}
	return t, absent
}

// coverageNote says that descriptors on the same keypoints are evaluated on different
// queries, as by evaluation.exclude_invalid. It returns "" otherwise.
func coverageNote(lines []Line) string {
	var parts []string
	first, differ := make(map[string]float64), false
	for _, l := range lines {
		if m, ranked := l.Metrics["coverage"]; ranked {
			was, seen := first[l.Group]
			first[l.Group], differ = m.Value, differ || seen && was != m.Value
			parts = append(parts, fmt.Sprintf("%s %.2f %%", l.Name, 100*m.Value))
		}
	}
	if !differ {
		return ""
	}
	return "on the same keypoints, descriptors have different queries (coverage: " + spelling.Few(parts, mostListed) + ")"
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
	case !there && l.letters != nil:
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
	return table.Column{Name: m.Short, Title: m.Short, Full: paper(m), Unit: UnitOf(m), Note: note, Better: m.Better, Priority: priority}
}

// UnitOf returns the unit of a metric.
func UnitOf(m *catalogue.Metric) table.Unit {
	return map[catalogue.Unit]table.Unit{catalogue.Share: table.Share, catalogue.Measure: table.Measure, catalogue.Count: table.Count, catalogue.Median: table.Median, catalogue.Pixels: table.Pixels}[m.Unit]
}

// Formal returns a caption for papers: which metrics of which descriptors a table of
// results shows, of which preset those are that have titles of their own, and what there is to
// say about its scenes and protocol.
func Formal(subject, about, preset string) func(t *table.Table) string {
	return func(t *table.Table) string {
		ofPreset := "preset " + preset + "'s metrics"
		var metrics []string
		for _, c := range t.Columns[1:] {
			metric := catalogue.Of(c.Name)
			switch {
			case !metric.IsKnown(): // scenes or time
			case c.Full == paper(metric):
				metrics = append(metrics, c.Full)
			case !slices.Contains(metrics, ofPreset): // a title of the authors of a preset, such as auc_3
				metrics = append(metrics, ofPreset)
			}
		}
		if len(metrics) > fewNames { // which the heads of the columns name
			metrics = []string{subject}
		}
		return listed(metrics) + " of " + listed(t.RowNames()) + " " + about
	}
}

// SettingsOf says which of some descriptors have settings that are worth a word, and which:
// "sift (pyramid: opencv)"; if that is long, those with the same settings together. It returns ""
// without any.
func SettingsOf(descriptors, settings []string) string {
	const most = 300 // bytes
	var parts []string
	var alike spelling.Groups
	for i, of := range settings {
		if of != "" {
			text := " (" + of + ")"
			parts = append(parts, descriptors[i]+text)
			alike.Add(text, descriptors[i])
		}
	}
	text := strings.Join(parts, ", ")
	if len(text) <= most {
		return text
	}
	for i, of := range alike.Texts {
		alike.Texts[i] = listed(alike.Of[of]) + of
	}
	if text = strings.Join(alike.Texts, ", "); len(text) <= most && !strings.Contains(text, " descriptors (") {
		return text
	}
	return "see config.yaml of the run"
}

// Whose says what something of descriptors is, such as keypoints: "Keypoints: detect sift".
// If it differs, it says so, and whose is which; texts are lists whose common end it says
// once. plural names the texts, if they are too many to list.
func Whose(what, plural string, descriptors, texts []string) string {
	var groups spelling.Groups
	for i, k := range texts {
		groups.Add(k, descriptors[i])
	}
	each := groups.Texts
	switch {
	case len(each) == 1 && each[0] != "":
		return what + ": " + each[0]
	case len(each) < 2:
		return ""
	case len(each) > mostListed:
		return fmt.Sprintf("%s differ: %d %s (see config.yaml of the run)", what, len(each), plural)
	}
	end := each[0]
	for _, k := range each {
		for end != "" && (!strings.HasSuffix(k, ", "+end) || strings.Count(end, "(") != strings.Count(end, ")")) {
			_, end, _ = strings.Cut(end, ", ")
		}
	}
	for i, k := range each {
		each[i] = spelling.Few(groups.Of[k], max(2, mostListed/len(each))) + " (" + strings.TrimSuffix(cmp.Or(k, "matches only"), ", "+end) + ")"
	}
	text := what + " differ: " + strings.Join(each, " and ")
	if end != "" {
		text += ", all with " + end
	}
	return text
}

// mostListed is the number of descriptors that captions list.
const mostListed = 8

// listed lists descriptors or few metrics, or counts many descriptors.
func listed(names []string) string {
	if len(names) > mostListed {
		return fmt.Sprintf("%d descriptors", len(names))
	}
	if last := len(names) - 1; last > 0 {
		return strings.Join(names[:last], ", ") + " and " + names[last]
	}
	return strings.Join(names, "")
}

// Identical returns groups of descriptors with the same results, bit by bit, on the same
// keypoints. It returns none if a program is not reproducible: its equal rows come from the
// cache.
func Identical(s *store.Summary, keypoints func(descriptor string) string) [][]string {
	if slices.ContainsFunc(s.Warnings, func(f fact.Fact) bool { return f.Kind == fact.NotReproducible }) {
		return nil
	}
	var groups [][]string
	var firsts []store.SummaryDescriptor
	for _, d := range s.Descriptors {
		i := slices.IndexFunc(firsts, func(f store.SummaryDescriptor) bool {
			return keypoints(f.Name) == keypoints(d.Name) && slices.Equal(f.Metrics, d.Metrics) && slices.Equal(f.RankHistogram, d.RankHistogram)
		})
		if len(d.Scenes) == 0 { // failed in all of them
			continue
		}
		if i < 0 {
			i, firsts, groups = len(firsts), append(firsts, d), append(groups, nil)
		}
		groups[i] = append(groups[i], d.Name)
	}
	return slices.DeleteFunc(groups, func(g []string) bool { return len(g) < 2 })
}
