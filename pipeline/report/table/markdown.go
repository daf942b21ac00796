package table

import (
	"strings"
)

// writeMarkdown writes a table of GitHub's flavour of Markdown. The best values
// are bold.
func (t *Table) writeMarkdown(b *strings.Builder) {
	t, said, _ := t.forPapers().saidInPaper()
	if caption := t.heading(); caption != "" {
		if setup := Sentences(t.Setup...); setup != "" {
			caption += " " + setup
		}
		b.WriteString(markdownText(caption) + "\n\n")
	}
	lines := make([]string, 2+len(t.Rows))
	for i, c := range t.Columns {
		lines[0] += "| " + markdownText(c.heading()) + " "
		if c.Unit.words {
			lines[1] += "|---"
		} else {
			lines[1] += "|--:"
		}
		for r, s := range t.Shown(i) {
			head := markdownText(s.Head)
			if s.Best {
				head = "**" + head + "**"
			}
			lines[2+r] += "| " + head + markdownText(s.Tail()+s.Mark()) + " "
		}
	}
	for _, l := range lines {
		b.WriteString(l + "|\n")
	}
	for _, text := range append(append([]string{strings.Join(t.marks("bold: best"), "; ")}, Texts(t.explained())...), said...) {
		if text != "" {
			b.WriteString("\n" + markdownText(sentence(text)) + "\n")
		}
	}
}

// markdownText escapes every character that has a meaning in Markdown or HTML.
func markdownText(text string) string {
	var b strings.Builder
	for _, r := range line(text) {
		if strings.ContainsRune("\\`*_[]<>|~&#$!", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
