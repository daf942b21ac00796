package table

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// A Format is a way to write a table.
type Format string

// The formats.
const (
	AsText   Format = "text"
	Markdown Format = "markdown"
	LaTeX    Format = "latex"
	CSV      Format = "csv"
	JSON     Format = "json"
)

// Formats lists the formats.
func Formats() []Format { return []Format{AsText, Markdown, LaTeX, CSV, JSON} }

// PageWidth is the number of characters that fit on a line of a terminal.
const PageWidth = 100

// Write writes the table. If width is above 0 and the text is wider, text leaves out columns
// by their priorities, with a note; those that always stay continue below. So does LaTeX, for
// which PageWidth stands for the width of a page. The other formats have all columns, CSV and
// JSON also all digits.
func (t *Table) Write(out io.Writer, format Format, width int) error {
	t.Intervals = t.hasIntervals()
	var b strings.Builder
	switch format {
	case AsText:
		t.writeText(&b, width)
	case Markdown:
		t.writeMarkdown(&b)
	case LaTeX:
		t.forPapers().writeLaTeX(&b, width*latexWidth/PageWidth) // characters are narrower
	case CSV:
		if err := t.writeCSV(&b); err != nil {
			return err
		}
	case JSON:
		if err := t.writeJSON(&b); err != nil {
			return err
		}
	default:
		return fmt.Errorf("table: no format %q", format)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// A Shown is a cell as people see it.
type Shown struct {
	Head         string // the number or words
	half, limits string // of the interval: after ±, or in brackets; "" without one
	unit         string // of the number, unless the title of the column has it
	remarks      string // in parentheses, each after a space
	Best         bool
	Cell
}

// Tail returns what follows the number: the interval, the unit and remarks.
func (s Shown) Tail() string {
	tail := ""
	switch {
	case s.half != "":
		tail = " ± " + s.half
	case s.limits != "":
		tail = " " + s.limits
	}
	if s.unit != "" {
		tail += " " + s.unit
	}
	return tail + s.remarks
}

// text returns the number or words with what is after them.
func (s Shown) text() string { return s.Head + s.Tail() }

// Shown formats the cells of a column.
func (t *Table) Shown(column int) []Shown {
	c := t.Columns[column]
	cells := make([]Cell, len(t.Rows))
	for i, r := range t.Rows {
		cells[i] = r.Cells[column]
	}
	decimals := c.Unit.Decimals(t.hasIntervals())
	if t.Digits != nil && !c.Unit.fixed && c.Unit.decimals > 0 {
		decimals = *t.Digits
	}
	skewed := slices.ContainsFunc(cells, c.Unit.skewed)
	out := make([]Shown, len(t.Rows))
	for i, cell := range cells {
		out[i] = c.Unit.show(cell, decimals, skewed)
	}
	t.markBest(column, out)
	return out
}

// hasIntervals reports whether any value has an interval.
func (t *Table) hasIntervals() bool {
	return t.Intervals || slices.ContainsFunc(t.Rows, func(r Row) bool { return slices.ContainsFunc(r.Cells, Cell.hasInterval) })
}

// show formats a cell, with both limits of its interval if the column has skewed ones.
func (u Unit) show(c Cell, decimals int, skewed bool) Shown {
	s := Shown{Cell: c, Head: c.text}
	switch {
	case c.kind == empty && !u.words:
		s.Head = "-"
	case c.kind == number:
		s.Head = u.number(c.value, decimals)
	}
	if !c.Defined() {
		return s
	}
	if c.hasInterval() && skewed {
		s.limits = "[" + u.number(c.low, decimals) + ", " + u.number(c.high, decimals) + "]"
	} else if c.hasInterval() {
		unsigned := u
		unsigned.signed = false
		if half := unsigned.number(longer(c), decimals); !isZero(half) {
			s.half = half
		}
	}
	s.unit = u.suffix
	if !math.IsNaN(c.std) {
		s.remarks = " (sd " + u.number(c.std, max(min(decimals, 1), decimals-1)) + ")"
	}
	if c.note != "" {
		s.remarks += " (" + c.note + ")"
	}
	return s
}

// heading returns the title of a column with its unit.
func (c Column) heading() string { return c.Title + c.Unit.heading }

// forPapers returns the table with titles that are not abbreviated, and the units of shares.
func (t *Table) forPapers() *Table {
	out := *t
	out.paper, out.Columns = true, slices.Clone(t.Columns)
	for i, c := range t.Columns {
		out.Columns[i].Title = cmp.Or(c.Full, c.Title)
		out.Columns[i].Unit.heading = cmp.Or(c.Unit.heading, c.Unit.paper)
	}
	return &out
}

// markBest marks the cells of a column with the best value of their group, as it is printed. A
// group of one row, or one whose values are all printed the same, has no best.
func (t *Table) markBest(column int, cells []Shown) {
	better := t.Columns[column].Better
	if better == "" || t.Columns[column].Unmarked {
		return
	}
	type limits struct{ best, worst int } // rows
	of := make(map[string]limits)
	for i, r := range t.Rows {
		c := r.Cells[column]
		if !c.Defined() {
			continue
		}
		g, ok := of[r.Group]
		if !ok {
			g = limits{i, i}
		}
		if c.compare(t.Rows[g.best].Cells[column], better == "lower") < 0 {
			g.best = i
		} else if c.compare(t.Rows[g.worst].Cells[column], better == "lower") > 0 {
			g.worst = i
		}
		of[r.Group] = g
	}
	for i, r := range t.Rows {
		if g := of[r.Group]; r.Cells[column].Defined() {
			best := cells[g.best].Head
			cells[i].Best = best != cells[g.worst].Head && cells[i].Head == best
		}
	}
}
