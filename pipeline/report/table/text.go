package table

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// The marks of text and Markdown.
const (
	bestMark           = "*"
	significantMark    = "†"
	notSignificantMark = "~"
)

// writeText writes columns of words left-aligned and those of numbers with the
// numbers, and after them the intervals, below each other.
func (t *Table) writeText(b *strings.Builder, leftOut string) {
	if t.Caption != "" {
		b.WriteString(line(t.Caption) + "\n")
	}
	lines := make([]string, 1+len(t.Rows)) // the header first
	for i, c := range t.Columns {
		cells, width := t.textColumn(i)
		between := ""
		if i > 0 {
			between = "  "
		}
		if c.Unit.words {
			lines[0] += between + padRight(c.Title, width)
		} else {
			lines[0] += between + padLeft(c.Title, width)
		}
		for r, cell := range cells {
			lines[1+r] += between + cell
		}
	}
	if !slices.ContainsFunc(t.Columns, func(c Column) bool { return c.Title != "" }) {
		lines = lines[1:]
	}
	for _, l := range lines {
		b.WriteString(strings.TrimRight(l, " ") + "\n")
	}
	for _, note := range t.Notes {
		b.WriteString(line(note) + "\n")
	}
	if leftOut != "" {
		b.WriteString(line(leftOut) + "\n")
	}
}

// textColumn returns the cells of a column, all of the same width.
func (t *Table) textColumn(column int) (cells []string, width int) {
	c := t.Columns[column]
	all := t.shown(column)
	star := slices.ContainsFunc(all, func(s shown) bool { return s.best })
	heads, tails := make([]string, len(all)), make([]string, len(all))
	head, tail := 0, 0
	width = runes(c.Title)
	for i, s := range all {
		heads[i], tails[i] = line(s.head), s.tail+s.mark.text()
		if !s.defined() {
			width = max(width, runes(heads[i]+tails[i]))
			continue
		}
		switch {
		case s.best:
			heads[i] += bestMark
		case star:
			heads[i] += " "
		}
		head, tail = max(head, runes(heads[i])), max(tail, runes(tails[i]))
	}
	width = max(width, head+tail)
	for i, s := range all {
		switch {
		case c.Unit.words:
			cells = append(cells, padRight(heads[i]+tails[i], width))
		case s.defined():
			cells = append(cells, padLeft(padLeft(heads[i], head)+padRight(tails[i], tail), width))
		default:
			cells = append(cells, padLeft(heads[i]+tails[i], width))
		}
	}
	return cells, width
}

// text returns what text and Markdown print after a value.
func (m Mark) text() string {
	switch m {
	case Significant:
		return " " + significantMark
	case NotSignificant:
		return " " + notSignificantMark
	}
	return ""
}

// fitted returns the table without the columns that do not fit into width
// characters, and the sentence that names them, "" without any. 0 is any width.
func (t *Table) fitted(width int) (*Table, string) {
	out := &Table{t.Caption, slices.Clone(t.Columns), slices.Clone(t.Rows), t.Notes}
	if width == 0 {
		return out, ""
	}
	widths := make([]int, len(t.Columns))
	total := -2
	for i := range t.Columns {
		_, widths[i] = t.textColumn(i)
		total += widths[i] + 2
	}
	left := make([]bool, len(t.Columns))
	for total > width {
		last := -1
		for i, c := range t.Columns {
			if !left[i] && c.Priority > 0 && (last < 0 || c.Priority >= t.Columns[last].Priority) {
				last = i
			}
		}
		if last < 0 {
			break
		}
		left[last] = true
		total -= widths[last] + 2
	}
	var names []string
	for i, c := range t.Columns {
		if left[i] {
			names = append(names, c.Title)
		}
	}
	if len(names) == 0 {
		return out, ""
	}
	out.keep(func(i int) bool { return !left[i] })
	return out, fmt.Sprintf("not shown in %d characters: %s (--wide shows all)", width, strings.Join(names, ", "))
}

var breaks = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\t", " ", "\v", " ", "\f", " ")

// line puts text on one line.
func line(text string) string { return breaks.Replace(text) }

func runes(s string) int                  { return utf8.RuneCountInString(s) }
func padLeft(s string, width int) string  { return strings.Repeat(" ", max(0, width-runes(s))) + s }
func padRight(s string, width int) string { return s + strings.Repeat(" ", max(0, width-runes(s))) }
