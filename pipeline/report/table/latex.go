package table

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"descbench/eval/spelling"
	"descbench/pipeline/notes"
)

// The number of characters that fit into a column of a paper with two: in the font of the text,
// and in that of wide tables. In that, latexWidth fit into the 174 mm (495 pt) of both columns:
// one takes 4.34 pt at most with its part of the space between columns.
const (
	columnWidth   = 40
	columnSmaller = 55
	latexWidth    = 114
	titleWidth    = 12 // of the lines of titles
)

// writeLaTeX writes a table environment that needs the package booktabs and, if it may be too wide for
// the page of a paper with one column, graphicx, which then scales it. The best
// values are bold, significant ones have a dagger, tested ones that are
// not significant a tilde. A table that is too wide for one column of a paper has a
// smaller font and less space between its columns, and spans both columns if it is still
// too wide.
// What does not fit there, either, continues below, as in text. The caption says columns whose values
// are all alike, unless all columns are asked for.
//
// Below it are the marks, and the gravest facts that a reader of a paper must know. The others, and
// notes aside, are comments.
func (t *Table) writeLaTeX(b *strings.Builder, width int) {
	comment := func(what, text string) {
		if text = line(text); text != "" {
			b.WriteString("% " + what + text + "\n")
		}
	}
	t, said, others := t.saidInPaper()
	alike := ""
	if width > 0 {
		t, alike = t.withoutAlike()
	}
	t, leftOut := t.fitted(width)
	var explained []string
	for _, note := range t.explained() {
		if note.Aside {
			others = append(others, note.Text)
		} else {
			explained = append(explained, note.Text)
		}
	}
	environment, packages, size, scaled, end := "table", "booktabs", "", "", ""
	if t.width() > columnWidth {
		size = "\\footnotesize\\setlength{\\tabcolsep}{4pt}\n"
	}
	if t.width() > columnSmaller {
		environment, packages = "table*", "booktabs,graphicx"
		scaled, end = "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n", "}\n"
	}
	b.WriteString("% needs \\usepackage{" + packages + "}\n")
	comment("to say in the text: ", EscapeLaTeX(Sentences(t.Setup...)))
	comment("columns left out (--wide shows them): ", strings.Join(leftOut, ", "))
	if len(t.Columns) <= max(1, t.Keys) || t.Rows == nil {
		for _, text := range slices.Concat([]string{"no values"}, explained, said, others) {
			comment("", text)
		}
		return
	}
	blocks := t.blocks(width)
	b.WriteString("\\begin{" + environment + "}\n\\centering\n")
	parts := slices.DeleteFunc([]string{t.heading(), Sentences(spelling.Capital(alike))}, func(text string) bool { return text == "" })
	if caption := strings.Join(parts, " "); caption != "" {
		b.WriteString("\\setlength{\\belowcaptionskip}{4pt}\n\\caption{" + EscapeLaTeX(caption) + "}\n\\label{tab:" + slug(strings.Join(append([]string{cmp.Or(t.named(), caption)}, t.Of...), " ")) + "}\n")
	}
	b.WriteString(size)
	for i, block := range blocks {
		if i > 0 {
			b.WriteString("\\par\\medskip\n")
		}
		b.WriteString(scaled)
		block.writeTabular(b)
		b.WriteString(end)
	}
	var below []string
	for _, text := range slices.Concat(t.marks("Bold: best"), explained, said) {
		if text != "" {
			below = append(below, EscapeLaTeX(sentence(text)))
		}
	}
	if below != nil {
		b.WriteString("\\par\\smallskip\n\\begin{minipage}{\\linewidth}\\footnotesize\n" + strings.Join(below, "\n") + "\n\\end{minipage}\n")
	}
	b.WriteString("\\end{" + environment + "}\n")
	for _, text := range others {
		comment("", text)
	}
}

// sentence returns a line below a table as a sentence.
func sentence(text string) string { return spelling.Capital(text) + "." }

// saidInPaper returns sentences about the gravest facts that a reader of a paper must know, the
// lines about the others, and the table with the marks of said.
func (t *Table) saidInPaper() (marked *Table, said, others []string) {
	const most = 4 // sentences
	marked, said = t.said(func(lines []notes.Line) (chosen []notes.Line) {
		for _, l := range lines {
			if l.Paper == "" || len(chosen) == most {
				others = append(others, l.String())
				continue
			}
			l.Text = l.Paper
			chosen = append(chosen, l)
		}
		return chosen
	})
	return marked, said, others
}

// writeTabular writes the titles and the rows.
func (t *Table) writeTabular(b *strings.Builder) {
	spec := ""
	lines := make([]string, 1+len(t.Rows))
	for i, c := range t.Columns {
		between := ""
		if i > 0 {
			between = " & "
		}
		side := "r"
		if c.Unit.words {
			side = "l"
		}
		if t.folds(i) && t.textColumn(i).width > leastFolded {
			spec += fmt.Sprintf("p{%.2f\\textwidth}", leastFolded/float64(latexWidth))
		} else {
			spec += side
		}
		title := titleLines(c, titleWidth)
		for k := range title {
			title[k] = EscapeLaTeX(title[k])
		}
		if lines[0] += between; len(title) > 1 {
			lines[0] += "\\begin{tabular}[b]{@{}" + side + "@{}}" + strings.Join(title, "\\\\{}") + "\\end{tabular}"
		} else {
			lines[0] += strings.Join(title, "")
		}
		for r, s := range t.Shown(i) {
			lines[1+r] += between + s.latex()
		}
	}
	b.WriteString("\\begin{tabular}{@{}" + spec + "@{}}\n\\toprule\n")
	own := slices.IndexFunc(t.Rows, func(r Row) bool { return r.Apart })
	if slices.ContainsFunc(t.Rows[max(own, 0):], func(r Row) bool { return !r.Apart }) {
		own = 0
	}
	for i, l := range lines {
		// After \\, a bracket would begin an argument and a star be part of the command.
		if strings.HasPrefix(l, "[") || strings.HasPrefix(l, "*") {
			l = "{}" + l
		}
		b.WriteString(l + " \\\\\n")
		if i == 0 || i == own || i < len(t.Rows) && !t.Rows[i].Apart && t.endsGroup(i-1) {
			b.WriteString("\\midrule\n")
		}
	}
	b.WriteString("\\bottomrule\n\\end{tabular}\n")
}

// endsGroup reports whether a row is the last before another group, such as one on other keypoints, and
// either group has more rows.
func (t *Table) endsGroup(row int) bool {
	same := func(a, b int) bool { return a >= 0 && b < len(t.Rows) && t.Rows[a].Group == t.Rows[b].Group }
	return !same(row, row+1) && (same(row-1, row) || same(row+1, row+2))
}

// slug returns the words of a text as part of a label.
func slug(text string) string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !('a' <= r && r <= 'z' || '0' <= r && r <= '9') })
	return strings.Join(words, "-")
}

// latex formats a cell, numbers in mathematical mode.
func (s Shown) latex() string {
	if s.Head == "" || s.kind == empty || s.kind == number && !s.Defined() {
		return "--"
	}
	if s.kind != number {
		return EscapeLaTeX(s.Head)
	}
	head := latexNumber(s.Head)
	if s.Best {
		head = "\\mathbf{" + head + "}"
	}
	mark := ""
	switch s.mark {
	case Significant:
		mark = "^{\\dagger}"
	case NotSignificant:
		mark = "^{\\sim}"
	}
	switch {
	case s.half != "":
		head += " \\pm " + s.half
	case s.limits != "":
		head += "\\;" + s.limits
	}
	if s.unit != "" {
		head += "\\,\\mathrm{" + s.unit + "}"
	}
	return "$" + head + mark + "$" + EscapeLaTeX(s.remarks)
}

// latexNumber formats a number, which may be a word such as infinite.
func latexNumber(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return r >= 'f' && r <= 'z' }) {
		return "\\mathrm{" + text + "}"
	}
	return text
}

var latexEscapes = strings.NewReplacer(
	`\`, `\textbackslash{}`, `{`, `\{`, `}`, `\}`, `$`, `\$`, `&`, `\&`, `#`, `\#`, `%`, `\%`, `_`, `\_`,
	`^`, `\textasciicircum{}`, `~`, `$\sim$`, `<`, `\textless{}`, `>`, `\textgreater{}`, `|`, `\textbar{}`, `"`, `\char34{}`,
	` %`, `~\%`, `--`, `-{}-`, "`", `\textasciigrave{}`, `''`, `'{}'`, `!`, `!{}`, `?`, `?{}`,
	`±`, `$\pm$`, significantMark, `$\dagger$`, `×`, `$\times$`, `∩`, `$\cap$`, `µ`, `$\mu$`, `→`, `$\to$`,
	`⁰`, `$^{0}$`, `¹`, `$^{1}$`, `²`, `$^{2}$`, `³`, `$^{3}$`, `⁴`, `$^{4}$`, `⁵`, `$^{5}$`, `⁶`, `$^{6}$`, `⁷`, `$^{7}$`, `⁸`, `$^{8}$`, `⁹`, `$^{9}$`,
)

// EscapeLaTeX escapes every character of a text that has a meaning in LaTeX. It also breaks
// the ligatures that would change a name, such as -- and !`.
func EscapeLaTeX(text string) string {
	visible := func(r rune) rune {
		if unicode.IsControl(r) {
			return '?'
		}
		return r
	}
	return latexEscapes.Replace(strings.Map(visible, line(text)))
}
