package table

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mattn/go-runewidth"
)

// The marks of text and Markdown.
const (
	bestMark           = "*"
	significantMark    = "†"
	notSignificantMark = "~"
)

// writeText writes columns of words left-aligned and those of numbers with the
// numbers, and after them the intervals, below each other. If the text is wider than
// width, the caption, the notes and the cells of the last column have several lines,
// and the table continues below with its first column and those that are left. A width
// of 0 has no limit, but PageWidth for sentences.
func (t *Table) writeText(b *strings.Builder, width int, leftOut string) {
	sentence := func(text string) {
		if text != "" {
			b.WriteString(Wrap(line(text), cmp.Or(width, PageWidth)) + "\n")
		}
	}
	for _, text := range strings.Split(t.Caption, "\n") {
		sentence(text)
	}
	for i, block := range t.blocks(width) {
		if i > 0 {
			b.WriteByte('\n')
		}
		block.writeColumns(b, width)
	}
	for _, note := range t.below() {
		sentence(note)
	}
	sentence(leftOut)
}

// blocks divides a table that is wider than width into tables that are not. Each has
// the first column, unless that takes half of the width, and as many of the others.
func (t *Table) blocks(width int) []*Table {
	others := len(t.Columns) - 1
	if width == 0 || t.width() <= width || 2*t.widths()[0] > width {
		return []*Table{t}
	}
	for parts := 2; ; parts++ {
		var out []*Table
		fit := true
		size := (others + parts - 1) / parts
		for from := 1; from <= others; from += size {
			block := *t
			block.keep(func(i int) bool { return i == 0 || from <= i && i < from+size })
			fit = fit && block.width() <= width
			out = append(out, &block)
		}
		if fit || size == 1 {
			return out
		}
	}
}

// writeColumns writes the titles and the rows.
func (t *Table) writeColumns(b *strings.Builder, width int) {
	columns := make([]textColumn, len(t.Columns))
	height := 0
	for i := range t.Columns {
		columns[i] = t.textColumn(i)
		height = max(height, len(columns[i].title))
	}
	lines := make([]string, height+len(t.Rows))
	start := 0 // of the column
	for i, c := range columns {
		between := ""
		if i > 0 {
			between = "  "
		}
		start += len(between)
		if width > 0 && t.folds(i) {
			c.fold(width, start)
		}
		for l := range height {
			title := ""
			if from := height - len(c.title); l >= from { // the last lines
				title = c.title[l-from]
			}
			if t.Columns[i].Unit.words {
				lines[l] += between + terminal.FillRight(title, c.width)
			} else {
				lines[l] += between + terminal.FillLeft(title, c.width)
			}
		}
		for r, cell := range c.cells {
			lines[height+r] += between + cell
		}
		start += c.width
	}
	if !slices.ContainsFunc(t.Columns, func(c Column) bool { return c.Title != "" }) {
		lines = lines[height:]
	}
	for _, l := range lines {
		b.WriteString(strings.TrimRight(l, " ") + "\n")
	}
}

// Wrap breaks text that is wider than width after semicolons, and a part that is still too wide
// between words. Further lines are indented. A width of 0 has no limit.
func Wrap(text string, width int) string { return wrap(text, width, "  ", "; ", " ") }

// WrapIndented breaks prose between words, with an indent of further lines.
func WrapIndented(text string, width int, indent string) string {
	return wrap(text, width, indent, " ")
}

func wrap(text string, width int, indent string, separators ...string) string {
	if width == 0 {
		return text
	}
	var b strings.Builder
	used := 0
	for _, part := range parts(text, width-len(indent), separators...) {
		if used > 0 && used+display(strings.TrimRight(part, " ")) > width {
			b.WriteString("\n" + indent)
			used = len(indent)
		}
		b.WriteString(part)
		used += display(part)
	}
	return strings.ReplaceAll(b.String(), " \n", "\n")
}

// parts splits text after the first separator, and parts wider than width after the
// next one.
func parts(text string, width int, separators ...string) []string {
	var out []string
	for _, part := range strings.SplitAfter(text, separators[0]) {
		if len(separators) > 1 && display(strings.TrimRight(part, " ")) > width {
			out = append(out, parts(part, width, separators[1:]...)...)
		} else {
			out = append(out, part)
		}
	}
	return out
}

// A textColumn is a column as text: the lines of its title, and its cells, which
// have the same width.
type textColumn struct {
	title, cells []string
	width        int
}

func (t *Table) textColumn(column int) textColumn {
	c := t.Columns[column]
	all := t.shown(column)
	star := slices.ContainsFunc(all, func(s shown) bool { return s.best })
	heads, tails := make([]string, len(all)), make([]string, len(all))
	head, tail, width := 0, 0, 0
	for i, s := range all {
		heads[i], tails[i] = line(s.head), s.tail+s.mark.text()
		if !s.defined() {
			width = max(width, display(heads[i]+tails[i]))
			continue
		}
		switch {
		case s.best:
			heads[i] += bestMark
		case star:
			heads[i] += " "
		}
		head, tail = max(head, display(heads[i])), max(tail, display(tails[i]))
	}
	width = max(width, head+tail)
	out := textColumn{title: titleLines(line(c.heading()), max(16, width))}
	for _, l := range out.title {
		width = max(width, display(l))
	}
	for i, s := range all {
		cell := terminal.FillLeft(heads[i]+tails[i], width)
		switch {
		case c.Unit.words:
			cell = terminal.FillRight(heads[i]+tails[i], width)
		case s.defined():
			cell = terminal.FillLeft(terminal.FillLeft(heads[i], head)+terminal.FillRight(tails[i], tail), width)
		}
		out.cells = append(out.cells, cell)
	}
	out.width = width
	return out
}

// leastFolded is how narrow the last column may be for the others to stay.
const leastFolded = 40

// folds reports whether the cells of a column may have several lines: the last one,
// if it has words and always stays.
func (t *Table) folds(column int) bool {
	c := t.Columns[column]
	return column == len(t.Columns)-1 && c.Unit.words && c.Priority == 0
}

// fold breaks the cells of a column that begins at start and ends beyond width, as Wrap does.
func (c *textColumn) fold(width, start int) {
	room := max(width-start, leastFolded)
	if c.width <= room {
		return
	}
	for i, cell := range c.cells {
		c.cells[i] = strings.ReplaceAll(WrapIndented(strings.TrimRight(cell, " "), room, ""), "\n", "\n"+strings.Repeat(" ", start))
	}
}

// titleLines breaks a title that is wider than width after underscores and at spaces, if possible.
func titleLines(title string, width int) []string {
	if display(title) <= width {
		return []string{title}
	}
	var lines []string
	last := ""
	// A unit stays beside the word before it.
	for _, word := range strings.Fields(strings.NewReplacer(" %", "\x00%", " (", "\x00(", "_", "_ ").Replace(title)) {
		word = strings.ReplaceAll(word, "\x00", " ")
		if joined := join(last, word); last == "" || display(joined) <= width {
			last = joined
			continue
		}
		lines, last = append(lines, last), word
	}
	return append(lines, last)
}

// join joins two parts of a title again.
func join(a, b string) string {
	if a == "" || strings.HasSuffix(a, "_") {
		return a + b
	}
	return a + " " + b
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

// widths returns the widths of the columns, that of a last one with several lines as
// narrow as it may be.
func (t *Table) widths() []int {
	widths := make([]int, len(t.Columns))
	for i := range t.Columns {
		widths[i] = t.textColumn(i).width
		if t.folds(i) {
			widths[i] = min(widths[i], leastFolded)
		}
	}
	return widths
}

// width returns the width of the columns with the space between them.
func (t *Table) width() int {
	total := -2
	for _, width := range t.widths() {
		total += width + 2
	}
	return total
}

// fitted returns the table without the columns that do not fit into width
// characters, and the sentence that names them, "" without any. 0 is any width.
func (t *Table) fitted(width int) (*Table, string) {
	out := *t
	if width == 0 {
		return &out, ""
	}
	widths, total := t.widths(), t.width()
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
		for paired := true; paired; last-- {
			left[last], paired = true, t.Columns[last].Paired
			total -= widths[last] + 2
		}
	}
	var names []string
	for i, c := range t.Columns {
		if left[i] {
			names = append(names, c.Title)
		}
	}
	if len(names) == 0 {
		return &out, ""
	}
	out.keep(func(i int) bool { return !left[i] })
	return &out, "columns left out (--wide shows them): " + strings.Join(names, ", ")
}

var breaks = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\t", " ", "\v", " ", "\f", " ")

// line puts text on one line.
func line(text string) string { return breaks.Replace(text) }

// terminal measures text as a terminal shows it, whatever the locale: an ideograph
// takes two columns, a combining character none.
var terminal = &runewidth.Condition{StrictEmojiNeutral: true}

// display returns how many columns of a terminal a text takes.
func display(s string) int { return terminal.StringWidth(s) }
