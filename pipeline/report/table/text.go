package table

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/mattn/go-runewidth"

	"descbench/eval/spelling"
	"descbench/pipeline/notes"
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
func (t *Table) writeText(b *strings.Builder, width int) {
	line := func(parts ...string) {
		if text := line(strings.Join(parts, "; ")); text != "" {
			b.WriteString(Wrap(text, cmp.Or(width, PageWidth)) + "\n")
		}
	}
	more := 0
	t, said := t.said(func(lines []notes.Line) []notes.Line {
		if !t.Every {
			lines, more = notes.Brief(lines)
		}
		return lines
	})
	t, leftOut := t.fitted(width)
	alike := ""
	if width > 0 && t.width() > width {
		t, alike = t.withoutAlike()
	}
	line(t.heading())
	for i, block := range t.blocks(width) {
		if i > 0 {
			b.WriteByte('\n')
		}
		block.writeColumns(b, width)
	}
	var units []string
	for _, c := range t.Columns {
		if u := c.Unit.legend; u != "" && !slices.Contains(units, u) {
			units = append(units, u)
		}
	}
	legend := t.marks("* best")
	if units != nil {
		legend = append([]string{strings.Join(units, ", ")}, legend...)
	}
	line(legend...)
	line(alike)
	for _, text := range append(Texts(t.explained()), said...) {
		line(text)
	}
	var rest []string
	if t.Every {
		line(Sentences(t.Setup...))
		if leftOut != nil {
			rest = []string{"columns left out (--wide shows them): " + strings.Join(leftOut, ", ")}
		}
	} else {
		for _, hidden := range []struct {
			n          int
			what, flag string
		}{{len(leftOut), "more column", "--wide"}, {more, "more note", "--notes"}} {
			if hidden.n > 0 {
				rest = append(rest, spelling.Count(hidden.n, hidden.what)+": "+hidden.flag)
			}
		}
	}
	line(append(rest, t.More...)...)
}

// blocks divides a table that is wider than width into tables that are not. Each has
// the first column, unless that takes half of the width, as many of the others as fit, paired ones together
// if they do, and the rows with a value in any of them.
func (t *Table) blocks(width int) (blocks []*Table) {
	if width == 0 || t.width() <= width || 2*t.widths()[0] > width {
		return []*Table{t}
	}
	for from := 1; from < len(t.Columns); {
		next := from + 1
		for next < len(t.Columns) && t.block(from, next+1).width() <= width {
			next++
		}
		for start := next; start > from && next < len(t.Columns); start-- {
			if !t.Columns[start].Paired {
				next = start
				break
			}
		}
		blocks, from = append(blocks, t.block(from, next)), next
	}
	return blocks
}

// block returns the first column and those from one to before another, with the rows that have a value there.
func (t *Table) block(from, to int) *Table {
	block := *t
	block.keep(func(i int) bool { return i == 0 || from <= i && i < to })
	block.Rows = slices.DeleteFunc(block.Rows, func(r Row) bool {
		return !slices.ContainsFunc(r.Cells[1:], func(c Cell) bool { return c.kind == number || c.text != "" })
	})
	return &block
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

// Wrap breaks text that is wider than width between words, with an indent of further lines. A width
// of 0 has no limit.
func Wrap(text string, width int) string { return WrapIndented(text, width, "  ") }

// WrapIndented is Wrap with another indent.
func WrapIndented(text string, width int, indent string) string {
	return strings.Join(broken(text, width, width-len(indent)), "\n"+indent)
}

// broken breaks a text into lines between words: the first one of a width, the others of that of
// rest. A flag stays beside its value. A width of 0 has no limit.
func broken(text string, width, rest int) (lines []string) {
	if width == 0 {
		return []string{text}
	}
	words := strings.Split(text, " ")
	for i := 0; i < len(words); i++ {
		word := words[i]
		if strings.HasPrefix(word, "--") && i+1 < len(words) {
			i++
			word += " " + words[i]
		}
		switch last := len(lines) - 1; {
		case last < 0:
			lines = []string{word}
		case display(lines[last])+1+display(word) <= width:
			lines[last] += " " + word
		default:
			lines, width = append(lines, word), rest
		}
	}
	return lines
}

// A textColumn is a column as text: the lines of its title, and its cells, which
// have the same width.
type textColumn struct {
	title, cells []string
	width        int
}

func (t *Table) textColumn(column int) textColumn {
	c := t.Columns[column]
	all := t.Shown(column)
	star := slices.ContainsFunc(all, func(s Shown) bool { return s.Best })
	heads, tails := make([]string, len(all)), make([]string, len(all))
	head, tail, width := 0, 0, 0
	for i, s := range all {
		heads[i], tails[i] = line(s.Head), s.Tail()+s.Mark()
		if !s.Defined() {
			width = max(width, display(heads[i]+tails[i]))
			continue
		}
		switch {
		case s.Best && !t.paper:
			heads[i] += bestMark
		case star && !t.paper:
			heads[i] += " "
		}
		head, tail = max(head, display(heads[i])), max(tail, display(tails[i]))
	}
	width = max(width, head+tail)
	out := textColumn{title: titleLines(c, max(16, width))}
	if t.paper {
		out.title = titleLines(c, titleWidth)
	}
	for _, l := range out.title {
		if t.paper {
			width = max(width, display(l)+wide(l)/2)
		}
		width = max(width, display(l))
	}
	for i, s := range all {
		cell := terminal.FillLeft(heads[i]+tails[i], width)
		switch {
		case t.folds(column): // the last column
			cell = heads[i] + tails[i]
		case c.Unit.words:
			cell = terminal.FillRight(heads[i]+tails[i], width)
		case s.Defined():
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

// wide returns the number of characters of a text that take about one and a half digits in print.
func wide(text string) (n int) {
	for _, r := range text {
		if unicode.IsUpper(r) || strings.ContainsRune("@%", r) {
			n++
		}
	}
	return n
}

// fold breaks the cells of a column that begins at start and ends beyond width, as Wrap does.
func (c *textColumn) fold(width, start int) {
	room := max(width-start, leastFolded)
	if c.width <= room {
		return
	}
	for i, cell := range c.cells {
		c.cells[i] = strings.Join(broken(cell, room, room), "\n"+strings.Repeat(" ", start))
	}
}

// titleLines breaks a title with its unit that is wider than width after underscores and at spaces,
// if possible. The unit stays beside the word before it.
func titleLines(c Column, width int) []string {
	title, unit := line(c.Title), c.Unit.heading
	if display(title+unit) <= width {
		return []string{title + unit}
	}
	var lines []string
	last := ""
	parts := strings.Fields(strings.ReplaceAll(title, "_", "_ "))
	for i, word := range parts {
		if i == len(parts)-1 {
			word += unit
		}
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

// fitted returns the table without the columns that do not fit into width characters, and their
// titles. 0 is any width.
func (t *Table) fitted(width int) (fitted *Table, leftOut []string) {
	out := *t
	if width == 0 {
		return &out, nil
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
	for i, c := range t.Columns {
		if left[i] {
			leftOut = append(leftOut, c.Title)
		}
	}
	out.keep(func(i int) bool { return !left[i] })
	return &out, leftOut
}

// withoutAlike returns the table without the columns whose values are all printed alike, which a
// sentence says; with all of them, if nothing else is in it.
func (t *Table) withoutAlike() (differing *Table, alike string) {
	var values spelling.Groups // titles by value
	left := make([]bool, len(t.Columns))
	stay := 0
	for i, c := range t.Columns {
		cells := t.Shown(i)
		left[i] = i >= max(1, t.Keys) && len(cells) > 1 && !slices.ContainsFunc(cells, func(s Shown) bool {
			return s.text() != cells[0].text() || s.text() == "" || s.kind != words && !s.Defined()
		})
		if !left[i] {
			stay++
		} else if !c.Told {
			values.Add(cells[0].text(), c.heading())
		}
	}
	if stay <= max(1, t.Keys) {
		return t, ""
	}
	for i, value := range values.Texts {
		values.Texts[i] = strings.Join(values.Of[value], ", ") + " " + value
	}
	if values.Texts != nil {
		alike = "all rows: " + strings.Join(values.Texts, "; ")
	}
	out := *t
	out.keep(func(i int) bool { return !left[i] })
	return &out, alike
}

// line puts text on one line.
func line(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("\t\n\v\f\r", r) {
			return ' '
		}
		return r
	}, text)
}

// terminal measures text as a terminal shows it, whatever the locale: an ideograph
// takes two columns, a combining character none.
var terminal = &runewidth.Condition{StrictEmojiNeutral: true}

// display returns how many columns of a terminal a text takes.
func display(s string) int { return terminal.StringWidth(s) }
