package table

import (
	"regexp"
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

// Values of one metric stay beside each other while they fit; a row without any value of a part is not in it.
func TestAWideTableIsDividedBetweenMetrics(t *testing.T) {
	table := New(Titled("name", Words, 0))
	for _, title := range []string{"auc@5", "auc@10", "auc@20", "other", "theirs@5", "theirs@10"} {
		table.Columns = append(table.Columns, Column{Title: title, Paired: title != "auc@5" && title != "other", Unit: Count})
	}
	table.Columns[4].Unit = Words
	table.Add(Text("ours"), Integer(1), Integer(2), Integer(3), Text(""), Cell{}, Cell{})
	table.Add(Text("b"), Integer(4), Integer(5), Integer(6), Text("x"), Integer(7), Integer(8))
	table.Add(Text("c"), Cell{}, Cell{}, Cell{}, Text("y"), Integer(9), Integer(10))
	for width, want := range map[int]string{
		40: "name auc@5 auc@10 auc@20|ours 1 2 3|b 4 5 6||name other theirs@5 theirs@10|b x 7 8|c y 9 10|",
		25: "name auc@5 auc@10|ours 1 2|b 4 5||name auc@20|ours 3|b 6||name other theirs@5|b x 7|c y 9||name theirs@10|b 8|c 10|",
	} {
		var b strings.Builder
		must.Do(t, table.Write(&b, AsText, width))
		if found := regexp.MustCompile(" +").ReplaceAllString(strings.ReplaceAll(b.String(), "\n", "|"), " "); found != want {
			t.Errorf("width %d: found\n%s\nwant\n%s", width, found, want)
		}
	}
}
