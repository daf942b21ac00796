package leaderboard

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"descbench/eval/catalogue"
	"descbench/eval/scope"
	"descbench/pipeline/compare"
	"descbench/pipeline/config"
	"descbench/pipeline/report"
	"descbench/pipeline/report/table"
	"descbench/pipeline/store"
)

// RunID returns what is printed of a run's identity.
func RunID(r store.ResultRow) string { return r.Identity[:min(8, len(r.Identity))] }

// A Table is a table of a database.
type Table struct {
	*table.Table
	rows       []store.ResultRow // that it shows, under the names there
	apart      bool              // ranked on the same keypoints only
	selections map[string]int    // numbers of groups of rows
}

// NoteColumns adds what a reader of its columns must know.
func (t *Table) NoteColumns() {
	filled := *t.Table
	filled.DropEmpty()
	word, scenes := "scenes", []string{}
	for _, s := range t.rows[0].Scenes {
		scenes = append(scenes, s.Name)
	}
	count := report.CountScenes(scenes)
	if t.rows[0].Kind == store.Patches {
		word, count[scope.All] = "sequences", t.rows[0].ScenesEvaluated
	}
	report.MarkIntervals(t.Table, count, "scenes", word)
	has := func(is func(column string) bool) bool {
		return slices.ContainsFunc(filled.Columns, func(c table.Column) bool { return is(c.Name) })
	}
	var metrics []string
	for _, c := range filled.Columns {
		metrics = append(metrics, c.Name)
	}
	var legend compare.Legend
	selections := make([]string, len(t.selections))
	var warnings []report.WarningMessage // about sequences
	for _, r := range t.rows {
		if r.Kind == store.Patches {
			t.Notes = report.AppendColumnNotes(t.Notes, &filled, r.Descriptor, r.Warnings)
			continue
		}
		if cfg, err := config.Parse(r.Experiment, []byte(r.Config)); err == nil { // else another version wrote it
			legend.Add(r.Descriptor+" of "+r.Experiment, cfg, r.Descriptor, "")
			if n := t.selections[keypointsOf(r)]; n > 0 {
				selections[n-1] = fmt.Sprintf("selection %d: %s", n, cfg.KeypointsOf(r.Descriptor))
			}
		}
		for _, w := range r.Warnings {
			if has(func(column string) bool {
				metric, _, err := catalogue.Resolve(column)
				return err == nil && compare.Concerns(w.Kind, metric)
			}) {
				warnings = append(warnings, report.WarningMessage{Descriptor: r.Descriptor + " of " + r.Experiment, Kind: w.Kind, Text: w.Text})
			}
		}
	}
	if slices.Contains(metrics, "selection") {
		t.Notes = append(t.Notes, slices.DeleteFunc(selections, func(text string) bool { return text == "" })...)
	}
	if text := legend.Matches(metrics...); text != "" {
		t.Note("%s", strings.Replace(text, "M", "m", 1))
	}
	t.Notes = append(t.Notes, legend.Notes()...)
	notes, others := report.PaperNotes(warnings)
	for _, w := range others {
		if w.Kind == "few-scenes" && !slices.Contains(notes, w.Text) {
			notes = append(notes, w.Text)
		}
	}
	t.Notes = append(t.Notes, notes...)
}

// Tables returns the tables of a database: one per protocol and set of scenes for
// sequences, then one per benchmark and protocol for patches. The rows are in the order of
// insertion or, ranked, those on the same keypoints by mAP, and those on patches by their
// first metric. All tables have the same columns; words names further ones, also
// FolderColumn. forPeople tells results on patches apart by their names, not only by columns
// that may be left out.
func Tables(rows []store.ResultRow, ranked, forPeople bool, words ...string) ([]*Table, error) {
	more := further(rows, store.Sequences, words)
	patchTables, patches, err := patchBlocks(rows, words)
	if err != nil {
		return nil, err
	}
	var tables []*Table
	labels := make(map[string]int)
	add := func(t *table.Table, rows []store.ResultRow) {
		kind := "results"
		if ranked {
			kind = "rank"
		}
		t.Label, _, _ = strings.Cut(t.Caption, "; ")
		if labels[t.Label]++; labels[t.Label] > 1 {
			kind += fmt.Sprint(" ", labels[t.Label])
		}
		t.Label += " " + kind
		if caption := t.Caption; forPeople {
			t.Formal = func(*table.Table) string { return caption }
			t.Caption += "; rates in %"
		}
		tables = append(tables, &Table{Table: t, rows: rows, apart: ranked && rows[0].Kind == store.Sequences})
	}
	blocks := blocksOf(rows)
	for i, b := range blocks {
		t := newTable(patches, more, slices.Contains(words, FolderColumn))
		t.Caption = b.caption(blocks[:i])
		for _, r := range b.rows {
			addRow(t, r, "", patches, more)
		}
		add(t, b.rows)
		if !ranked {
			continue
		}
		if err := t.SortBy(catalogue.MAP); err != nil {
			return nil, err
		}
		dropRunIDs(t, b.rows)
	}
	for i, b := range patchTables {
		t := newTable(patches, more, slices.Contains(words, FolderColumn))
		t.Caption, t.Best = b.caption(patchTables[:i]), "with the same distance and normalisation"
		if forPeople {
			t.Keys = 1
			if distance := b.tellApart(); distance != "" {
				t.Caption += ", distance " + distance
			}
		}
		var shown []store.ResultRow
		for _, r := range b.rows {
			addRow(t, r.ResultRow, r.of.DistanceText(), patches, more)
			t.Rows[len(t.Rows)-1].Group += r.of.Normalisation
			shown = append(shown, r.ResultRow)
		}
		add(t, shown)
		first := slices.IndexFunc(patches, func(c patchColumn) bool { return b.definitions[c.metric] != "" })
		if ranked && first >= 0 {
			if err := t.SortBy(patches[first].metric); err != nil {
				return nil, err
			}
		}
	}
	return tables, nil
}

// ByKeypoints brings the sorted rows on the same keypoints together, if only these are ranked
// against each other, in the order of the first row of each, and numbers the selections of keypoints.
func (t *Table) ByKeypoints() {
	if !t.apart {
		return
	}
	place := t.GroupRows()
	if len(place) < 2 {
		return
	}
	t.selections = place
	if i := slices.IndexFunc(t.Columns, func(c table.Column) bool { return c.Name == "selection" }); i >= 0 {
		for _, r := range t.Rows {
			r.Cells[i] = table.Integer(place[r.Group])
		}
	}
	t.Note("rows of %d selections of keypoints, one after the other; only rows on the same keypoints are ranked against each other", len(place))
}

// Joined returns the rows of all tables in one, with their captions as the first
// column: for programs.
func Joined(tables []*Table) *table.Table {
	joined := table.New()
	for i, t := range tables {
		if i == 0 {
			joined = table.New(append([]table.Column{{Name: "protocol", Title: "protocol", Unit: table.Words}}, t.Columns...)...)
			joined.Keys = 1 + t.Keys
		}
		for _, note := range t.Notes {
			if !slices.Contains(joined.Notes, note) {
				joined.Notes = append(joined.Notes, note)
			}
		}
		for _, r := range t.Rows {
			joined.Add(append([]table.Cell{table.Text(t.Caption)}, r.Cells...)...)
		}
	}
	return joined
}

// sequenceMetrics are the metrics of sequences in the order of the tables, with the
// priorities of their columns.
var sequenceMetrics = []report.Selected{
	{Name: catalogue.MAP}, {Name: catalogue.MicroMAP, Priority: 1}, {Name: "viewpoint_map", Priority: 3},
	{Name: "illumination_map", Priority: 3}, {Name: "precision_at_1", Priority: 4}, {Name: "coverage", Priority: 5},
}

// further returns the metrics of a kind of results that words stand for and that the tables
// do not have anyway.
func further(rows []store.ResultRow, kind string, words []string) []string {
	var among, names []string
	for _, r := range rows {
		for _, m := range r.Metrics {
			usual := slices.ContainsFunc(sequenceMetrics, func(u report.Selected) bool { return u.Name == m.Name }) ||
				slices.ContainsFunc(patchColumns, func(c patchColumn) bool { return c.metric == m.Name })
			if r.Kind == kind && m.Scope == scope.All && !usual && !slices.Contains(among, m.Name) {
				among = append(among, m.Name)
			}
		}
	}
	for _, word := range words {
		if found, err := catalogue.Find(word, among); err == nil { // else a usual one, or the table refuses it
			slices.SortFunc(found, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) }) // pool sizes ascend
			names = append(names, found...)
		}
	}
	return names
}

// newTable returns a table for results on sequences, on patches, or both.
func newTable(patches []patchColumn, more []string, folders bool) *table.Table {
	columns := []table.Column{
		{Name: "descriptor", Title: "descriptor", Unit: table.Words},
		{Name: "experiment", Title: "experiment", Unit: table.Words, Priority: 2},
		{Name: "run", Title: "run", Unit: table.Words, Priority: 2},
		{Name: "finished", Title: "finished (UTC)", Unit: table.Words, Priority: 8},
	}
	for _, m := range sequenceMetrics {
		columns = append(columns, report.ColumnOf(m.Name, m.Priority))
	}
	for _, name := range more {
		columns = append(columns, report.ColumnOf(name, 1))
	}
	columns = append(columns,
		table.Column{Name: "selection", Title: "selection", Unit: table.Count},
		table.Column{Name: "keypoint_set", Title: "keypoint_set", Unit: table.Words, Priority: 6},
		table.Column{Name: "time", Title: "time", Unit: table.Seconds, Better: "", Priority: 7},
	)
	for i, c := range patches {
		columns = append(columns, report.ColumnOf(c.metric, min(i/3, 8)))
		columns[len(columns)-1].Title, columns[len(columns)-1].Note = c.title, c.note
	}
	t := table.New(append(columns, table.Column{Name: "distance", Title: "distance", Unit: table.Words, Priority: 5})...)
	if folders {
		t.Columns = append(t.Columns, table.Column{Name: FolderColumn, Title: FolderColumn, Unit: table.Words, Priority: 9})
	}
	t.Keys = 3
	return t
}

// addRow adds a result, on sequences in a group with those on the same keypoints of every
// scene, on patches with those by the same distance. Of a metric that it lacks the
// denominator is empty, or it is of the other kind.
func addRow(t *table.Table, r store.ResultRow, distance string, patches []patchColumn, more []string) {
	words := func(text string) table.Cell {
		if text == "" {
			return table.Cell{}
		}
		return table.Text(text)
	}
	finished := strings.Replace(r.Finished[:min(len("2006-01-02T15:04"), len(r.Finished))], "T", " ", 1)
	cells := []table.Cell{table.Text(r.Descriptor), table.Text(r.Experiment), table.Text(RunID(r)), table.Text(finished)}
	value := func(metric string) {
		var v table.Cell
		if m, ok := r.Get(scope.All, metric); ok {
			v = table.Between(m.Value, m.Low, m.High)
		}
		cells = append(cells, v)
	}
	for _, m := range sequenceMetrics {
		value(m.Name)
	}
	for _, name := range more {
		value(name)
	}
	time := table.Cell{}
	if ms, ok := r.Figures.Get("processing_time_ms"); ok && !math.IsNaN(ms) {
		time = table.Number(ms / 1000)
	}
	cells = append(cells, table.Cell{}, words(r.KeypointSet), time)
	for _, c := range patches {
		value(c.metric)
	}
	if r.Kind == store.Sequences && r.ScenesEvaluated < r.ScenesRequested {
		t.Note("%s of %s: %d of %d scenes", r.Descriptor, r.Experiment, r.ScenesEvaluated, r.ScenesRequested)
	}
	if cells = append(cells, words(distance)); len(cells) < len(t.Columns) {
		cells = append(cells, words(r.Folder))
	}
	t.AddTo(distance+keypointsOf(r), cells...)
}

// keypointsOf returns the digests of the keypoints of a result on sequences.
func keypointsOf(r store.ResultRow) string {
	var digests []string
	if r.Kind == store.Sequences {
		for _, s := range r.Scenes {
			digests = append(digests, s.SetDigest)
		}
	}
	return strings.Join(digests, "\x00")
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

// FolderColumn is the column of run folders.
const FolderColumn = "folder"

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
