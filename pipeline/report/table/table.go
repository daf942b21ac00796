// Package table holds the one type for tables that people read. A Table is plain
// data: typed columns and cells, values in their own units and with all digits.
// Write prints it as text, Markdown, LaTeX, CSV or JSON.
//
// The package is opinionated about numbers. All values of a column have the same
// number of decimals, so that they can be compared at a glance. It is what their
// intervals support: as many as the shortest half width has with two significant
// digits (JCGM 100:2008, section 7.2.6), and at most one more than the longest has.
// Unit.Decimals is the one place of this rule, also for the pages and figures of a
// report. The interval is printed as ± half width, where the half width is the
// longer of the two sides: bootstrap intervals are not symmetric, and
// value ± longer side contains them. It is printed as [low, high] where ± would
// mislead: if one side is more than twice the other, if ± would leave the range of
// the quantity, or if it would contain 0 and the interval does not.
package table

import (
	"fmt"
	"slices"
	"strings"

	"descbench/eval/spelling"
)

// A Table is a table with a caption above and notes below.
type Table struct {
	Caption string // what the table shows, one line; "" without a caption
	// Subject returns what comes before the caption in Markdown and LaTeX, which people
	// read apart from the command: what the printed columns and rows show of what. nil
	// for nothing.
	Subject func(*Table) string
	Label   string // of LaTeX; "" for the first words of the caption
	Columns []Column
	Rows    []Row
	Notes   []string // what a reader of the table must know, a line each
}

// A Column is a column of a table.
type Column struct {
	Name  string // for programs: in CSV, JSON, Choose and SortBy; without spaces
	Title string // for people; a table without any title has no header line
	Full  string // the title in Markdown and LaTeX, if Title is abbreviated
	Unit  Unit
	// Better is "higher", "lower" or "" if neither is better. Of a column with a
	// better, the best value of each group of rows is marked.
	Better string
	// AcrossGroups says that the values of all rows are comparable, whatever their
	// group.
	AcrossGroups bool

	// Unmarked says that the best value is not marked: the rows can be sorted by the
	// column, but not compared with each other.
	Unmarked bool
	// Priority decides which columns are left out of a text that is too wide: that
	// with the largest priority first, of equal ones the rightmost. Columns with
	// priority 0 always stay: those for which there is no space continue below.
	Priority int
}

// A Row is a row of a table.
type Row struct {
	Cells []Cell // one per column
	// Group names rows whose values are comparable. The best value is marked in
	// each group of at least two rows.
	Group string
}

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
	t.Rows = append(t.Rows, Row{cells, group})
}

// Note adds a line below the table.
func (t *Table) Note(format string, args ...any) {
	t.Notes = append(t.Notes, fmt.Sprintf(format, args...))
}

// DropEmpty removes the columns in which no row has anything.
func (t *Table) DropEmpty() {
	t.keep(func(i int) bool {
		return slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Cells[i].kind != empty })
	})
}

// Choose keeps the first column and the named ones, in the order of the names,
// and gives them priority 0. Names are names or titles of columns; case, spaces
// and hyphens do not matter. The error for an unknown name suggests a similar one.
func (t *Table) Choose(names []string) error {
	chosen := []int{0}
	for _, name := range names {
		i, err := t.column(name)
		if err != nil {
			return err
		}
		if !slices.Contains(chosen, i) {
			chosen = append(chosen, i)
		}
	}
	columns := make([]Column, len(chosen))
	for to, from := range chosen {
		columns[to] = t.Columns[from]
		columns[to].Priority = 0
	}
	for i, r := range t.Rows {
		cells := make([]Cell, len(chosen))
		for to, from := range chosen {
			cells[to] = r.Cells[from]
		}
		t.Rows[i].Cells = cells
	}
	t.Columns = columns
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
	i, err := t.column(name)
	if err != nil {
		return err
	}
	slices.SortStableFunc(t.Rows, func(a, b Row) int { return a.Cells[i].compare(b.Cells[i], t.Columns[i].Better == "lower") })
	return nil
}

// Has reports whether the table has a column of this name or title.
func (t *Table) Has(name string) bool {
	_, err := t.column(name)
	return err == nil
}

func (t *Table) column(name string) (int, error) {
	var names, titles []string
	for i, c := range t.Columns {
		for _, known := range []string{c.Name, c.Title} {
			if spelling.Fold(known) == spelling.Fold(name) && known != "" {
				return i, nil
			}
		}
		names, titles = append(names, c.Name), append(titles, c.Title)
	}
	return 0, fmt.Errorf("no column %q%s, want one of %s", name, spelling.Hint(name, slices.Concat(names, titles)), strings.Join(names, ", "))
}

// keep removes the columns for which stays returns false.
func (t *Table) keep(stays func(column int) bool) {
	var columns []Column
	rows := make([]Row, len(t.Rows))
	for r, row := range t.Rows {
		rows[r].Group = row.Group
	}
	for i, c := range t.Columns {
		if !stays(i) {
			continue
		}
		columns = append(columns, c)
		for r, row := range t.Rows {
			rows[r].Cells = append(rows[r].Cells, row.Cells[i])
		}
	}
	t.Columns, t.Rows = columns, rows
}
