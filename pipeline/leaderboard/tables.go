package leaderboard

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"descbench/eval/catalogue"
	"descbench/eval/scope"
	"descbench/pipeline/report"
	"descbench/pipeline/report/table"
	"descbench/pipeline/store"
)

// Selection is what the tables need of a database.
var Selection = store.Selection{Scope: scope.All, Scenes: true}

// RunIDDigits is how many digits of a run's identity are printed.
const RunIDDigits = 8

// Runs returns the tables of a database: one per protocol and set of scenes for
// sequences, and one for patches, each with the rows in the order of insertion. All
// tables have the same columns; words names further ones.
func Runs(rows []store.ResultRow, words ...string) ([]*table.Table, error) {
	more := further(rows, words)
	results, columns, err := patchResults(rows, true)
	if err != nil {
		return nil, err
	}
	var tables []*table.Table
	blocks := blocksOf(rows)
	for i, b := range blocks {
		t := newTable(columns, more)
		t.Caption = b.caption(blocks[:i])
		for _, r := range b.rows {
			add(t, &r, nil, columns, more)
		}
		tables = append(tables, t)
	}
	if len(results) > 0 {
		tables = append(tables, patchTable(results, columns, more))
	}
	return tables, nil
}

// Ranking returns one table per protocol and set of scenes, with the descriptors
// ranked by mAP. Results on patches stand beside those on sequences of the
// descriptor of the same name. Descriptors without results on sequences have a
// table of their own. All tables have the same columns; words names further ones.
func Ranking(rows []store.ResultRow, words ...string) ([]*table.Table, error) {
	more := further(rows, words)
	results, columns, err := patchResults(rows, false)
	if err != nil {
		return nil, err
	}
	var tables []*table.Table
	blocks := blocksOf(rows)
	ranked := make(map[string]bool)
	for i, b := range blocks {
		t := newTable(columns, more)
		t.Caption = b.caption(blocks[:i])
		var beside []*patchRow
		for _, r := range b.rows {
			ranked[r.Descriptor] = true
			alone := true
			for _, p := range results {
				if p.descriptor == r.Descriptor {
					add(t, &r, p, columns, more)
					alone, beside = false, append(beside, p)
				}
			}
			if alone {
				add(t, &r, nil, columns, more)
			}
		}
		if err := t.SortBy(catalogue.MAP); err != nil {
			return nil, err
		}
		byKeypoints(t)
		t.Notes = append(t.Notes, patchNotes(beside, columns)...)
		dropRunIDs(t, b.rows)
		tables = append(tables, t)
	}
	results = slices.DeleteFunc(results, func(p *patchRow) bool { return ranked[p.descriptor] })
	if len(results) > 0 {
		t := patchTable(results, columns, more)
		if err := t.SortBy(columnName(columns[0], columns)); err != nil {
			return nil, err
		}
		tables = append(tables, t)
	}
	return tables, nil
}

// byKeypoints brings the rows on the same keypoints together, in the order of the best
// row of each.
func byKeypoints(t *table.Table) {
	place := make(map[string]int)
	for _, r := range t.Rows {
		if _, ok := place[r.Group]; !ok {
			place[r.Group] = len(place)
		}
	}
	slices.SortStableFunc(t.Rows, func(a, b table.Row) int { return place[a.Group] - place[b.Group] })
	if n := len(place); n > 1 {
		t.Note("rows of %d selections of keypoints, one after the other; only rows on the same keypoints are ranked against each other", n)
	}
}

// patchTable returns the table of results on patches alone.
func patchTable(results []*patchRow, columns []patchColumn, more []string) *table.Table {
	t := newTable(columns, more)
	t.Caption = "patch benchmark"
	t.Notes = patchNotes(results, columns)
	for _, p := range results {
		add(t, nil, p, columns, more)
	}
	return t
}

// Joined returns the rows of all tables in one, with their captions as the first
// column: for programs.
func Joined(tables []*table.Table) *table.Table {
	joined := table.New()
	for i, t := range tables {
		if i == 0 {
			joined = table.New(append([]table.Column{{Name: "protocol", Title: "protocol", Unit: table.Words}}, t.Columns...)...)
			joined.Keys = 1 + t.Keys
		}
		for _, r := range t.Rows {
			joined.Add(append([]table.Cell{table.Text(t.Caption)}, r.Cells...)...)
		}
	}
	return joined
}

// sequenceMetrics are the metrics of sequences in the order of the tables, with the
// priorities of their columns.
var sequenceMetrics = []struct {
	name     string
	priority int
}{{catalogue.MAP, 0}, {catalogue.MicroMAP, 1}, {"viewpoint_map", 3}, {"illumination_map", 3}, {"precision_at_1", 4}, {"coverage", 5}}

// sequenceColumns returns the columns of sequenceMetrics and of further metrics.
func sequenceColumns(more []string) []table.Column {
	var columns []table.Column
	add := func(name string, priority int) {
		short := catalogue.Short(name)
		columns = append(columns, table.Column{Name: short, Title: short, Unit: report.UnitOf(name), Better: report.Better(name), Priority: priority})
	}
	for _, m := range sequenceMetrics {
		add(m.name, m.priority)
	}
	for _, name := range more {
		add(name, 1)
	}
	return columns
}

// further returns the metrics of sequences that words stand for and that the tables do
// not have anyway.
func further(rows []store.ResultRow, words []string) []string {
	var among, names []string
	for _, r := range rows {
		for _, m := range r.Metrics {
			usual := func(u struct {
				name     string
				priority int
			}) bool {
				return u.name == m.Name
			}
			if r.Kind == store.Sequences && m.Scope == scope.All && !slices.Contains(among, m.Name) && !slices.ContainsFunc(sequenceMetrics, usual) {
				among = append(among, m.Name)
			}
		}
	}
	for _, word := range words {
		if found, err := catalogue.Find(word, among); err == nil { // else a usual one, or the table refuses it
			names = append(names, found...)
		}
	}
	return names
}

// newTable returns a table for results on sequences, on patches, or both.
func newTable(patches []patchColumn, more []string) *table.Table {
	columns := []table.Column{
		{Name: "descriptor", Title: "descriptor", Unit: table.Words},
		{Name: "experiment", Title: "experiment", Unit: table.Words, Priority: 2},
		{Name: "run", Title: "run", Unit: table.Words, Priority: 2},
	}
	columns = append(columns, sequenceColumns(more)...)
	columns = append(columns,
		table.Column{Name: "keypoint_set", Title: "keypoint_set", Unit: table.Words, Priority: 6},
		table.Column{Name: "time", Title: "time", Unit: table.Seconds, Better: "", Priority: 7},
	)
	for i, c := range patches {
		columns = append(columns, table.Column{Name: columnName(c, patches), Title: c.shownTitle(patches), Unit: table.Share, Better: "higher", AcrossGroups: true, Priority: min(i/3, 8)})
	}
	t := table.New(append(columns, table.Column{Name: "distance", Title: "distance", Unit: table.Words, Priority: 5})...)
	t.Keys = 3
	return t
}

// columnName returns the name of a column of patches for programs.
func columnName(c patchColumn, columns []patchColumn) string {
	return c.metric + strings.ReplaceAll(strings.TrimPrefix(c.shownTitle(columns), c.title), " ", "_")
}

// add adds a result on sequences, on patches, or both.
func add(t *table.Table, r *store.ResultRow, p *patchRow, columns []patchColumn, more []string) {
	of := r
	if of == nil {
		of = &p.result
	}
	cells := []table.Cell{table.Text(of.Descriptor), {}, {}}
	if of.Experiment != "" {
		cells[1], cells[2] = table.Text(of.Experiment), table.Text(of.Identity[:min(RunIDDigits, len(of.Identity))])
	}
	for _, m := range sequenceMetrics {
		cells = append(cells, cell(r, m.name))
	}
	for _, name := range more {
		cells = append(cells, cell(r, name))
	}
	if r == nil {
		cells = append(cells, table.Cell{}, table.Cell{})
	} else {
		cells = append(cells, table.Text(r.KeypointSet), timeCell(*r))
		if r.ScenesEvaluated < r.ScenesRequested {
			t.Note("%s of %s: %d of %d scenes", r.Descriptor, r.Experiment, r.ScenesEvaluated, r.ScenesRequested)
		}
	}
	for _, c := range columns {
		var v table.Cell
		if p != nil {
			if m, ok := p.values[c]; ok {
				v = metricCell(m)
			}
		}
		cells = append(cells, v)
	}
	distance := table.Cell{}
	if p != nil {
		distance = table.Text(p.distance)
	}
	t.AddTo(keypoints(r), append(cells, distance)...)
}

// keypoints names the group of a result on sequences: those on the same keypoints of
// every scene.
func keypoints(r *store.ResultRow) string {
	if r == nil {
		return ""
	}
	var digests []string
	for _, s := range r.Scenes {
		digests = append(digests, s.SetDigest)
	}
	return strings.Join(digests, "\x00")
}

// cell returns the value of a metric of sequences. A metric that a run of
// sequences lacks has an empty denominator.
func cell(r *store.ResultRow, metric string) table.Cell {
	if r == nil {
		return table.Cell{}
	}
	if m, ok := r.Get(scope.All, metric); ok {
		return metricCell(m)
	}
	return table.Cell{}
}

func metricCell(m scope.Metric) table.Cell { return table.Between(m.Value, m.Low, m.High) }

func timeCell(r store.ResultRow) table.Cell {
	ms, ok := r.Figures.Get("processing_time_ms")
	if !ok || math.IsNaN(ms) {
		return table.Cell{}
	}
	return table.Number(ms / 1000)
}

// dropRunIDs empties the column of run IDs unless an experiment has several runs.
func dropRunIDs(t *table.Table, rows []store.ResultRow) {
	for _, r := range rows {
		if slices.ContainsFunc(rows, func(o store.ResultRow) bool { return o.Experiment == r.Experiment && o.Identity != r.Identity }) {
			return
		}
	}
	i := slices.IndexFunc(t.Columns, func(c table.Column) bool { return c.Name == "run" })
	t.Keys = i
	for _, r := range t.Rows {
		r.Cells[i] = table.Cell{}
	}
}

// OlderRuns says how many runs Newest left out.
func OlderRuns(rows []store.ResultRow) string {
	var parts []string
	seen := make(map[string]bool)
	for _, r := range rows {
		text := r.Experiment
		if r.Kind == store.Patches {
			text += " (" + r.Descriptor + ")"
		}
		if r.Older > 0 && !seen[text] {
			seen[text] = true
			parts = append(parts, fmt.Sprintf("%s: %d", text, r.Older))
		}
	}
	if parts == nil {
		return ""
	}
	return "older runs, not shown (--all shows them): " + strings.Join(parts, ", ")
}
