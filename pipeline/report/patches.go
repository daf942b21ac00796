package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"descbench/eval/catalogue"
	"descbench/eval/fact"
	"descbench/eval/patches/y2017"
	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/pipeline/notes"
	"descbench/pipeline/report/table"
)

// protocolNotes explain in one line how each protocol computes its metrics.
var protocolNotes = map[y2017.Protocol]string{
	y2017.P17:     "as in the public Python code: average precision by trapezoids; ties count against the descriptor in verification and in its favour in retrieval",
	y2017.M17:     "as in the public MATLAB code of 2017: average precision by steps, matching over all patches; ties count in the descriptor's favour",
	y2017.HB2016:  "as in the benchmark of 2016: average precision by steps",
	y2017.Grouped: "average precision by steps; equal distances form one group, so no value depends on the order in a file",
}

// ProtocolNote explains how a protocol computes its metrics.
func ProtocolNote(p y2017.Protocol) string {
	return fmt.Sprintf("protocol %s, %s; do not compare with other protocols", p, protocolNotes[p])
}

// PatchTasks returns the table of the summaries of descriptors on one split, with the
// published results, if not nil. ownSource names the sources of those in their rows.
func PatchTasks(results []*y2017.Result, published []PublishedRow, ownSource bool) *table.Table {
	t := table.New(
		table.Titled("descriptor", table.Words, 0),
		table.Column{Name: "verification", Title: "verification", Unit: table.Share, Better: "higher"},
		table.Column{Name: "matching", Title: "matching", Unit: table.Share, Better: "higher"},
		table.Column{Name: "retrieval", Title: "retrieval", Unit: table.Share, Better: "higher"},
	)
	sizes := y2017.PoolSizes()
	t.Columns[3].Note = fmt.Sprintf("mean over %d pool sizes, %d to %d", len(sizes), sizes[0], sizes[len(sizes)-1])
	for _, r := range results {
		cells := []table.Cell{table.Text(r.Descriptor)}
		for _, task := range y2017.Tasks() {
			cell := table.Cell{}
			if m := r.Metric(catalogue.TaskMetrics[string(task)]); r.Ran(task) {
				cell = table.Between(m.Value, m.Low, m.High)
			}
			cells = append(cells, cell)
		}
		t.Add(cells...)
	}
	if published != nil {
		addPublished(t, published, results[0], ownSource)
		count := 0
		for _, s := range results[0].Sequences {
			count += s.Patches
		}
		t.Note("published results are of the patches and task files that HPatches released; yours: %d patches in %d sequences", count, len(results[0].Sequences))
	}
	return t
}

// PatchSetup says in a caption how a result was computed.
func PatchSetup(r *y2017.Result) []string {
	return []string{
		fmt.Sprintf("Tasks of 2017, split %s, %d sequences", r.Split, len(r.Sequences)),
		fmt.Sprintf("Protocol %s, distance %s", r.Protocol, r.Distance.Text(r.PCAPowerLaw)),
	}
}

// patchLabel is what tells tables of the same title apart.
func patchLabel(r *y2017.Result) []string {
	return []string{r.Split, string(r.Protocol), r.Distance.Text(r.PCAPowerLaw)}
}

// NotePatchTasks adds to the rows and columns of PatchTasks that are shown what their reader
// must know.
func NotePatchTasks(t *table.Table, results []*y2017.Result) {
	var columns []string
	for _, c := range t.Columns[1:] {
		columns = append(columns, c.Name)
	}
	all := len(t.Rows)
	t.Rows = slices.DeleteFunc(t.Rows, func(r table.Row) bool { return r.Group != "" && !r.HasValue() })
	var names []string // of those that are evaluated
	for _, r := range results {
		if slices.Contains(t.RowNames(), r.Descriptor) {
			names = append(names, r.Descriptor)
			t.Tell(fact.About(r.Descriptor, notes.OfPatches(r.Facts, patchMetrics(t)...))...)
		}
	}
	t.Title, t.Caption, t.Of = "Mean average precision on patches of "+Listed(names), PatchSetup(results[0]), patchLabel(results[0])
	if slices.ContainsFunc(columns, func(name string) bool { return catalogue.Of(name).IsKnown() }) {
		t.Title = "Patch benchmark of " + Listed(names)
	}
	if slices.Contains(columns, string(y2017.Verification)) {
		t.Caption = append(t.Caption, "Imbalanced verification")
	}
	t.Interval = Interval(t, "sequences", map[string]int{scope.All: len(results[0].Sequences)})
	if len(names) == len(t.Rows) {
		t.Notes = nil // which are about published results
	} else if slices.ContainsFunc(t.RowNames(), func(name string) bool { return strings.HasSuffix(name, "*") }) {
		t.Note("* after a name is part of the published name")
	}
	if results[0].HasIntervals() && slices.ContainsFunc(results[0].Metrics, func(m scope.Metric) bool {
		return m.Scope == scope.All && slices.Contains(columns, m.Name) && math.IsNaN(m.Low)
	}) {
		t.Note("no intervals are computed for verification at a noise level, areas under ROC curves and balanced means")
	}
	if hidden := all - len(t.Rows); hidden > 0 {
		t.Note("left out: %s without values in these columns", spelling.Count(hidden, "published result"))
	}
}

// patchMetrics returns the metrics of the patch benchmark that a table has columns of.
func patchMetrics(t *table.Table) (metrics []*catalogue.Metric) {
	for _, c := range t.Columns {
		if m := catalogue.Of(cmp.Or(catalogue.TaskMetrics[c.Name], c.Name)); m.IsKnown() {
			metrics = append(metrics, m)
		}
	}
	return metrics
}

// PatchDetails returns every metric of a descriptor over all sequences and over those of each category. Its
// caption says how the result was computed if it stands alone.
func PatchDetails(r *y2017.Result, alone bool) *table.Table {
	scopes := []string{scope.All, scope.Illumination, scope.Viewpoint}
	t := table.New(table.Titled("metric", table.Words, 0))
	for _, in := range scopes {
		t.Columns = append(t.Columns, table.Titled(in, table.Share, 0))
	}
	rows := make(map[string]int) // by metric
	for _, m := range r.Metrics {
		column := 1 + slices.Index(scopes, m.Scope)
		if column == 0 {
			continue
		}
		if _, seen := rows[m.Name]; !seen {
			rows[m.Name] = len(t.Rows)
			t.Add(table.Text(m.Name), table.Cell{}, table.Cell{}, table.Cell{})
		}
		t.Rows[rows[m.Name]].Cells[column] = table.Between(m.Value, m.Low, m.High)
	}
	t.DropEmpty()
	t.Title, t.Of = "Metrics of "+r.Descriptor, patchLabel(r)
	t.Interval = Interval(t, "sequences", CountScenes(spelling.Words(r.Sequences, func(s y2017.Sequence) string { return s.Name })))
	if alone {
		t.Caption = PatchSetup(r)
	}
	return t
}

// AddPatchMetrics adds a column for each metric over all sequences to PatchTasks.
func AddPatchMetrics(t *table.Table, results []*y2017.Result) {
	for i, r := range results {
		for _, m := range r.Metrics {
			if m.Scope != scope.All {
				continue
			}
			at := slices.IndexFunc(t.Columns, func(c table.Column) bool { return c.Name == m.Name })
			if at < 0 {
				of := catalogue.Of(m.Name)
				at, t.Columns = len(t.Columns), append(t.Columns, table.Column{Name: m.Name, Title: of.Paper, Unit: UnitOf(of), Better: of.Better, Priority: 1})
				for k := range t.Rows {
					t.Rows[k].Cells = append(t.Rows[k].Cells, table.Cell{})
				}
			}
			t.Rows[i].Cells[at] = table.Between(m.Value, m.Low, m.High)
		}
	}
}

// addPublished adds published results, with their sources, to a table of PatchTasks, of the tasks that
// were run. ownSource names the source in each row, not below the
// table. Groups of one row mark no best value: protocols differ.
func addPublished(t *table.Table, list []PublishedRow, run *y2017.Result, ownSource bool) {
	t.Columns = append(t.Columns, table.Titled("source", table.Words, 0))
	t.Best = "of your descriptors, without published results"
	for i := range t.Rows {
		t.Rows[i].Cells = append(t.Rows[i].Cells, table.Text("ours"))
	}
	var sources []Source
	for _, p := range list {
		cells := []table.Cell{table.Text(p.Method)}
		for _, task := range y2017.Tasks() {
			cell := table.Cell{}
			if v, has := p.Metrics[catalogue.TaskMetrics[string(task)]]; has && run.Ran(task) {
				cell = table.Number(v)
			}
			cells = append(cells, cell)
		}
		text := p.Source.String()
		if !ownSource {
			i := slices.Index(sources, p.Source)
			if i < 0 {
				i, sources = len(sources), append(sources, p.Source)
			}
			text = letter(i)
		}
		t.AddTo(p.Method+p.Source.String(), append(cells, table.Text(text))...)
		t.Rows[len(t.Rows)-1].Apart = true
	}
	NoteSources(t, sources)
}

// letter names a source.
func letter(i int) string { return string(rune('a' + i)) }

// NoteSources says below a table which sources its letters name.
func NoteSources(t *table.Table, sources []Source) {
	var letters spelling.Groups // by where values were read
	for i, source := range sources {
		letters.Add(source.Where, letter(i))
	}
	for _, where := range letters.Texts {
		of := letters.Of[where]
		parts := []string{strings.Join(of, ", ") + ": " + where}
		for i, source := range sources {
			switch {
			case source.Where != where || source.Note == "":
			case len(of) == 1:
				parts = append(parts, source.Note)
			default:
				parts = append(parts, letter(i)+": "+source.Note)
			}
		}
		t.Note("%s", strings.Join(parts, "; "))
	}
}
