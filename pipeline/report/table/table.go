// Package table holds the one type for tables that people read. A Table is plain
// data: typed columns and cells, values in their own units and with all digits.
// Write prints it as text, Markdown, LaTeX, CSV or JSON.
//
// The package is opinionated about numbers. The number of decimals depends on the unit
// of a column, and not on its rows: the same value is printed alike in every table.
// Shares are printed in per cent with two decimals, or with one in a table with
// intervals, whose half widths are rarely below it; Table.Digits replaces both. The
// interval is printed as ± half width, where the half width is the longer of the two
// sides: bootstrap intervals are not symmetric, and value ± longer side contains them;
// one that rounds to zero is not printed.
// All intervals of a column are printed as [low, high] if ± would mislead for one of
// them: if one side is more than twice the other, if ± would leave the range of the
// quantity, or if it would contain 0 and the interval does not. An interval without
// length is not printed.
package table

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"descbench/eval/catalogue"
	"descbench/eval/fact"
	"descbench/eval/spelling"
	"descbench/pipeline/notes"
)

// A Table is a table with a caption above and notes below.
type Table struct {
	Title    string   // what is shown, on one line; with Runs and Rest, it names the table in LaTeX
	Runs     []string // of which runs, which captions of papers do not say
	Rest     string   // what goes on after the runs, such as " against sift"
	Of       []string // what tells it apart from others of this title in the label of LaTeX, such as a protocol
	Caption  []string // sentences after the title, without their full stops: scenes, protocol
	Setup    []string // sentences for the text of a paper: protocol, keypoints and settings in full
	Columns  []Column
	Keys     int // the first columns, which together say what a row is of; 0 for 1
	Rows     []Row
	Interval string      // what intervals are, after "± "
	Best     string      // among which rows the marked values are the best, unless all rows are of one group
	Notes    []Note      // about columns and values, below the table, a line each; beside CSV, not in it
	Facts    []fact.Fact // what a reader of the values must know
	Every    bool        // text has a line for each fact and the set-up, not only what is grave
	More     []string    // in text: flags and commands that show more
	Digits   *int        // decimals of shares and measured quantities; nil for those of the units

	// Intervals says that any value has an interval, also one of a column or row that was left out, or one of
	// another table with the same values.
	Intervals bool

	paper bool // for LaTeX or Markdown
}

// A Column is a column of a table.
type Column struct {
	Name  string // for programs: in CSV, JSON, Choose and SortBy; without spaces
	Title string // for people; a table without any title has no header line
	Full  string // the title in Markdown and LaTeX, if Title is abbreviated; both are without the unit
	Unit  Unit
	Note  string // what the values are, below the table; columns with the same note share a line
	// Better is "higher", "lower" or "" if neither is better. Of a column with a
	// better, the best value of each group of rows is marked.
	Better string
	// Unmarked says that the best value is not marked: the rows can be sorted by the
	// column, but not compared with each other.
	Unmarked bool
	// Priority decides which columns are left out of a text that is too wide: that
	// with the largest priority first, of equal ones the rightmost. Columns with
	// priority 0 always stay: those for which there is no space continue below.
	Priority int
	// Paired columns are left out with the column before them, of the same priority, and stay beside
	// it where the others continue below.
	Paired bool
	// Told columns are in the caption: a paper leaves them out where all values are alike.
	Told bool
}

// A Row is a row of a table.
type Row struct {
	Cells []Cell // one per column
	// Group names rows whose values are comparable. The best value is marked in
	// each group of at least two rows.
	Group string
	Apart bool // from elsewhere, such as published: LaTeX divides them from the others if they come last
}

// HasValue reports whether any number of the row is defined.
func (r Row) HasValue() bool { return slices.ContainsFunc(r.Cells, Cell.Defined) }

// Titled returns a column whose title is its name, with spaces for underscores.
func Titled(name string, unit Unit, priority int) Column {
	return Column{Name: name, Title: strings.ReplaceAll(name, "_", " "), Unit: unit, Priority: priority}
}

// New returns a table without rows.
func New(columns ...Column) *Table { return &Table{Columns: columns} }

// Add adds a row of the unnamed group. It panics if there is not one cell per
// column.
func (t *Table) Add(cells ...Cell) { t.AddTo("", cells...) }

// AddTo adds a row of a group. It panics if there is not one cell per column.
func (t *Table) AddTo(group string, cells ...Cell) {
	if len(cells) != len(t.Columns) {
		panic(fmt.Sprintf("table: %d cells for %d columns", len(cells), len(t.Columns)))
	}
	t.Rows = append(t.Rows, Row{Cells: cells, Group: group})
}

// Note adds a line below the table.
func (t *Table) Note(format string, args ...any) {
	t.Notes = append(t.Notes, Note{Text: fmt.Sprintf(format, args...)})
}

// Tell adds facts.
func (t *Table) Tell(facts ...fact.Fact) { t.Facts = append(t.Facts, facts...) }

// DropEmpty removes the columns in which no row has anything.
func (t *Table) DropEmpty() {
	t.keep(t.filled)
}

// filled reports whether a row has anything in a column.
func (t *Table) filled(column int) bool {
	return slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Cells[column].kind != empty })
}

// marks says what intervals and marks are, if there are any; in text, also the unit of shares.
func (t *Table) marks(best string) (parts []string) {
	intervals, limits, groups := false, false, make(map[string]bool)
	marked := false
	for i, c := range t.Columns {
		for _, s := range t.Shown(i) {
			marked, intervals, limits = marked || s.Best, intervals || s.hasInterval(), limits || c.Unit.skewed(s.Cell)
		}
	}
	for _, r := range t.Rows {
		if r.HasValue() {
			groups[r.Group] = true
		}
	}
	if intervals && t.Interval != "" {
		sign := "± "
		if limits {
			sign = "± or [low, high] "
		}
		parts = append(parts, sign+t.Interval)
	}
	if marked && len(groups) > 1 && t.Best != "" {
		parts = append(parts, best+" "+t.Best)
	} else if marked {
		parts = append(parts, best)
	}
	return parts
}

// explained returns the notes of the columns in which a row has anything, and of the table.
func (t *Table) explained() []Note {
	var titles spelling.Groups
	for i, c := range t.Columns {
		if c.Note != "" && t.filled(i) {
			titles.Add(c.Note, c.Title)
		}
	}
	var out []Note
	for _, note := range titles.Texts {
		out = append(out, Note{Text: strings.Join(titles.Of[note], ", ") + ": " + note})
	}
	return append(out, t.Notes...)
}

// said returns lines about the facts, of which those about some of the rows have a mark, and the
// table in which these rows have it, too.
func (t *Table) said(choose func([]notes.Line) []notes.Line) (*Table, []string) {
	var own []string
	for _, r := range t.Rows {
		if !r.Apart && !slices.Contains(own, r.Cells[0].text) {
			own = append(own, r.Cells[0].text)
		}
	}
	out := *t
	out.Rows = slices.Clone(t.Rows)
	var lines []string
	n := 0
	for _, l := range choose(notes.Lines(t.Facts, own...)) {
		if l.Of == nil || slices.ContainsFunc(l.Of, func(name string) bool { return !slices.Contains(own, name) }) {
			lines = append(lines, l.String())
			continue
		}
		n++
		for i, r := range out.Rows {
			if !r.Apart && slices.Contains(l.Of, t.Rows[i].Cells[0].text) {
				out.Rows[i].Cells = slices.Clone(r.Cells)
				out.Rows[i].Cells[0].text += " " + superscript(n)
			}
		}
		if t.paper {
			l.Text = spelling.Capital(l.Text)
		}
		lines = append(lines, superscript(n)+" "+l.Text)
	}
	return &out, lines
}

// superscript returns a number as a mark of a row.
func superscript(n int) string {
	var b strings.Builder
	for _, digit := range strconv.Itoa(n) {
		b.WriteRune([]rune("⁰¹²³⁴⁵⁶⁷⁸⁹")[digit-'0'])
	}
	return b.String()
}

// Sentences joins sentences, which lack their full stops.
func Sentences(list ...string) string {
	var ended []string
	for _, s := range list {
		if s != "" {
			ended = append(ended, s+".")
		}
	}
	return strings.Join(ended, " ")
}

// named returns the title with the names of the runs.
func (t *Table) named() string {
	if t.Runs == nil {
		return t.Title + t.Rest
	}
	return t.Title + " of " + spelling.Few(t.Runs, 3) + t.Rest
}

// heading is the title with the caption.
func (t *Table) heading() string {
	title := t.named()
	if t.paper {
		title = t.Title + t.Rest
	}
	if t.Caption == nil || title == "" {
		return Sentences(append([]string{title}, t.Caption...)...)
	}
	return title + ": " + Sentences(t.Caption...)
}

// Choose keeps the first Keys columns and the named ones, in the order of the names,
// and gives them priority 0. A name may be any name of the column's metric
// (catalogue.Find), or its title; one that stands for several columns chooses all of
// them. The error for an unknown name suggests similar ones.
func (t *Table) Choose(names []string) error {
	var chosen []int
	for i := range max(1, t.Keys) {
		chosen = append(chosen, i)
	}
	for _, name := range names {
		found, err := t.find(name)
		if err != nil {
			return err
		}
		for _, i := range found {
			if !slices.Contains(chosen, i) {
				chosen = append(chosen, i)
			}
		}
	}
	t.pick(chosen)
	for i := range t.Columns {
		t.Columns[i].Priority = 0
	}
	return nil
}

// RowNames returns the words in the first column.
func (t *Table) RowNames() []string {
	names := make([]string, len(t.Rows))
	for i, r := range t.Rows {
		names[i] = r.Cells[0].text
	}
	return names
}

// KeepRows keeps the rows whose first column has one of the names.
func (t *Table) KeepRows(names []string) {
	t.Rows = slices.DeleteFunc(t.Rows, func(r Row) bool { return !slices.Contains(names, r.Cells[0].text) })
}

// SortBy sorts the rows by a column, best first: the highest value unless lower
// is better, and words in alphabetical order. Undefined values are last. The name
// is as in Choose.
func (t *Table) SortBy(name string) error {
	found, err := t.find(name)
	if err != nil {
		return err
	}
	i := found[0]
	t.Columns[i].Priority = 0 // shown at any width
	slices.SortStableFunc(t.Rows, func(a, b Row) int { return a.Cells[i].compare(b.Cells[i], t.Columns[i].Better == "lower") })
	return nil
}

// GroupRows brings the rows of each group together, in the order of the first row of each. It
// returns the places of the groups, from 1.
func (t *Table) GroupRows() (place map[string]int) {
	place = make(map[string]int)
	for _, r := range t.Rows {
		if place[r.Group] == 0 {
			place[r.Group] = len(place) + 1
		}
	}
	slices.SortStableFunc(t.Rows, func(a, b Row) int { return place[a.Group] - place[b.Group] })
	return place
}

// find returns the columns that a name stands for.
func (t *Table) find(name string) ([]int, error) {
	var names []string
	for i, c := range t.Columns {
		if c.Title != "" && spelling.Fold(c.Title) == spelling.Fold(name) {
			return []int{i}, nil
		}
		names = append(names, c.Name)
	}
	found, err := catalogue.Find(name, names)
	var columns []int
	for _, f := range found {
		columns = append(columns, slices.Index(names, f))
	}
	return columns, err
}

// keep removes the columns for which stays returns false.
func (t *Table) keep(stays func(column int) bool) {
	var kept []int
	for i := range t.Columns {
		if stays(i) {
			kept = append(kept, i)
		}
	}
	t.pick(kept)
}

// pick keeps some columns, in the given order. It changes no slice of the table, which copies
// may share.
func (t *Table) pick(list []int) {
	columns, rows := make([]Column, len(list)), make([]Row, len(t.Rows))
	for r, row := range t.Rows {
		rows[r] = row
		rows[r].Cells = make([]Cell, len(list))
		for to, from := range list {
			rows[r].Cells[to] = row.Cells[from]
		}
	}
	for to, from := range list {
		columns[to] = t.Columns[from]
	}
	t.Columns, t.Rows = columns, rows
}
