package table

import (
	"strings"
	"testing"

	"descbench/eval/must"
)

// The widths are those of Unicode Standard Annex 11: ideographs and Hangul syllables
// are wide. A combining mark takes no place of its own.
func TestNamesAreAlignedByTheirWidth(t *testing.T) {
	table := New(Titled("name", Words, 0), Titled("n", Count, 0))
	for _, name := range []string{"sift", "特徴", "특징", "e\u0301te\u0301"} {
		table.Add(Text(name), Integer(1))
	}
	var b strings.Builder
	must.Do(t, table.Write(&b, AsText, 0))
	const want = "name  n\nsift  1\n特徴  1\n특징  1\ne\u0301te\u0301   1\n"
	if b.String() != want {
		t.Errorf("found\n%s\nwant\n%s", b.String(), want)
	}
}

func TestALongLastColumnOfWordsHasSeveralLines(t *testing.T) {
	recipe := strings.TrimSpace(strings.Repeat("top 2000 by response; ", 9))
	table := New(Titled("set", Words, 0), Titled("digest", Words, 1), Titled("recipe", Words, 0))
	table.Add(Text("sift"), Text("0123456789ab"), Text(recipe))
	table.Add(Text("few"), Text("0123456789ab"), Text("detect sift"))
	for _, width := range []int{60, 80, 100} {
		var b strings.Builder
		must.Do(t, table.Write(&b, AsText, width))
		for line := range strings.Lines(b.String()) {
			if display(strings.TrimSuffix(line, "\n")) > width {
				t.Errorf("width %d: %q", width, line)
			}
		}
		if found := strings.Join(strings.Fields(b.String()), " "); !strings.Contains(found, recipe) || strings.Contains(found, "not shown") {
			t.Errorf("width %d: words are missing:\n%s", width, b.String())
		}
	}
}
