package table

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"descbench/eval/fact"
	"descbench/eval/must"

	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "rewrite testdata/*.txtar with what the code writes")

// results is a table with everything that a table can have. The intervals are
// symmetric, skewed, and beyond 100 %.
func results() *Table {
	t := New(
		Column{Name: "descriptor", Title: "descriptor"},
		Column{Name: "true_map_macro_by_scene", Title: "macro", Unit: Share, Better: "higher"},
		Column{Name: "difference", Title: "difference", Unit: Points, Priority: 1},
		Column{Name: "corner_error", Title: "corner error", Unit: Pixels, Better: "lower", Priority: 2},
		Column{Name: "keypoints", Title: "keypoints", Unit: Count, Priority: 4},
		Column{Name: "time", Title: "time", Unit: Seconds, Priority: 3},
		Column{Name: "remark", Title: "remark", Unit: Words, Priority: 2},
	)
	t.Columns[0].Unit = Words
	nan := math.NaN()
	t.AddTo("own", Text("sift"), Between(.5732, .512, .631), Cell{}, Number(1.5), Integer(45293), Number(12.34).Noted("cached"), Text(""))
	t.AddTo("own", Text("root_sift"), Between(.5947, .531, .655), Between(.0215, .0172, .0264).Marked(Significant), Number(0.004), Integer(7), Number(nan), Text("a|b"))
	t.AddTo("own", Text(`\input{x}`), Between(.98, .91, .999), Between(.0059, .0007, .0143).Marked(NotSignificant), Number(math.Inf(1)), Integer(0), Number(0), Text("50% & more"))
	t.AddTo("other", Text("[dsp] ~#$^"), Number(nan), Between(-.0508, -.0644, -.0283), Number(nan), Cell{}, Cell{}, Text("two\nlines"))
	t.Title, t.Caption, t.Setup, t.Interval = "Macro of run a_b", []string{"5 of 5 scenes", "Protocol r1"}, []string{"Ground truth within 3 px"}, "95 % over scenes"
	t.Tell(fact.New(fact.InvalidRows).Counting(2, 7).On("sift"), fact.New(fact.SmallSizes), fact.New(fact.FewScenes).With("n", 5))
	t.Note("intervals over scenes")
	return t
}

func TestTablesReadAsTheGoldenFiles(t *testing.T) {
	path := filepath.Join("testdata", "results.txtar")
	archive, err := txtar.ParseFile(path)
	if err != nil && !*update {
		t.Fatal(err)
	}
	got := new(txtar.Archive)
	add := func(name string, format Format, width int) {
		var b bytes.Buffer
		must.Do(t, results().Write(&b, format, width))
		got.Files = append(got.Files, txtar.File{Name: name, Data: b.Bytes()})
	}
	for _, f := range Formats() {
		add(string(f), f, 0)
	}
	add("narrow", AsText, 60)
	add("narrow markdown", Markdown, 60)
	add("narrow latex", LaTeX, 60)
	if *update {
		must.Do(t, os.WriteFile(path, txtar.Format(got), 0o666))
		return
	}
	if len(archive.Files) != len(got.Files) {
		t.Fatalf("%d golden files, want %d", len(archive.Files), len(got.Files))
	}
	for i, f := range archive.Files {
		if !bytes.Equal(f.Data, got.Files[i].Data) {
			t.Errorf("%s: got\n%s\nwant\n%s", f.Name, got.Files[i].Data, f.Data)
		}
	}
}

func TestDecimalsDependOnTheUnitAndOnWhetherATableHasIntervals(t *testing.T) {
	nan := math.NaN()
	for _, test := range []struct {
		unit          Unit
		value, lo, hi float64
		want          string
	}{
		{Share, .5732, .5122, .6312, "57.3 ± 6.1"},
		{Share, .5732, .4532, .6932, "57.3 ± 12.0"},
		{Share, .5732, .5682, .5782, "57.3 ± 0.5"},
		{Share, .5732, nan, nan, "57.32"},
		{Share, .5732, .5732, .5732, "57.32"},
		{Share, .5732, .5730, .5734, "57.3"},         // ± 0.02 is below the last decimal
		{Share, .98, .93, .99, "98.0 [93.0, 99.0]"},  // 5 below, 1 above
		{Share, .97, .93, .995, "97.0 [93.0, 99.5]"}, // ± 4 would exceed 100 %
		{Share, .02, .002, .04, "2.0 ± 2.0"},
		{Points, .0059, .0007, .0143, "+0.59 [+0.07, +1.43]"}, // ± 0.84 would contain 0
		{Points, .0059, -.0007, .0143, "+0.59 ± 0.84"},
		{Points, -.0508, -.0644, -.0283, "-5.08 ± 2.25"},
		{Points, -.00001, nan, nan, "0.00"},
		{Count, 1591, 1200, 1900, "1591 ± 391"},
		{SmallShare, .000012345, nan, nan, "0.001234"},
		{Measure, nan, 1, 2, "undefined"},
		{Digits(6), .123456789, nan, nan, "0.123457"},
	} {
		c := Between(test.value, test.lo, test.hi)
		got := test.unit.show(c, test.unit.Decimals(c.hasInterval()), test.unit.skewed(c)).text()
		if got != test.want {
			t.Errorf("%v [%v, %v]: got %s, want %s", test.value, test.lo, test.hi, got, test.want)
		}
	}
}

func TestAValueIsPrintedAlikeWhateverTheOtherRows(t *testing.T) {
	wide := Between(.5, .2, .8)
	for _, other := range []Cell{Between(.5, .499, .501), Number(.5), Text("-"), {}} {
		x := New(Column{Name: "a", Title: "a", Unit: Share})
		x.Add(wide)
		x.Add(other)
		if got := x.Shown(0)[0]; got.text() != "50.0 ± 30.0" {
			t.Errorf("beside %v: %s", other, got.text())
		}
	}
}

func TestDigitsReplaceTheDecimalsOfMeasuredValuesOnly(t *testing.T) {
	three := 3
	x := New(Column{Name: "a", Unit: Share}, Column{Name: "b", Unit: Points}, Column{Name: "c", Unit: Count}, Column{Name: "d", Unit: P}, Column{Name: "e", Unit: Seconds})
	x.Digits = &three
	x.Add(Number(.123456), Number(.123456), Number(12), Number(.123456), Number(1.23456))
	for i, want := range []string{"12.346", "+12.346", "12", "0.1235", "1.2 s"} {
		if got := x.Shown(i)[0]; got.text() != want {
			t.Errorf("got %s, want %s", got.text(), want)
		}
	}
}

func TestNumbersThatRoundToZeroHaveNoSign(t *testing.T) {
	for v, want := range map[float64]string{0: "0.0000", 0.00004: "<0.0001", 0.00006: "0.0001", 0.05: "0.0500"} {
		if got := P.Format(v); got != want {
			t.Errorf("p = %v: %s, want %s", v, got, want)
		}
	}
	for v, want := range map[float64]string{-0.00001: "0.00", 0.00001: "0.00", 0.00005001: "+0.01", -0.00005001: "-0.01", 0.015: "+1.50", math.NaN(): "undefined", math.Copysign(0, -1): "0.00"} {
		if got := Points.Format(v); got != want {
			t.Errorf("%v: got %s, want %s", v, got, want)
		}
	}
}

// What is printed as ± must contain the interval, but for half a unit in the last
// place of each printed number.
func TestPlusMinusContainsTheInterval(t *testing.T) {
	form := regexp.MustCompile(`^([-+0-9.]+) ± ([0-9.]+)$`)
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float64Range(0, 1).Draw(t, "value")
		c := Between(v, v-rapid.Float64Range(0, v).Draw(t, "below"), v+rapid.Float64Range(0, 1-v).Draw(t, "above"))
		unit := rapid.SampledFrom([]Unit{Share, Points}).Draw(t, "unit")
		decimals := unit.Decimals(true)
		printed := unit.show(c, decimals, unit.skewed(c)).text()
		found := form.FindStringSubmatch(printed)
		if found == nil {
			return
		}
		value, half := parse(t, found[1]), parse(t, found[2])
		slack := math.Pow10(-decimals) + 1e-9
		if value-half > 100*c.low+slack || value+half < 100*c.high-slack {
			t.Fatalf("%s does not contain [%v, %v]", printed, 100*c.low, 100*c.high)
		}
	})
}

func parse(t *rapid.T, text string) float64 {
	var v float64
	must.Do(t, json.Unmarshal([]byte(strings.TrimPrefix(text, "+")), &v))
	return v
}

func TestTheBestIsMarkedAmongComparableRows(t *testing.T) {
	table := New(Column{Name: "name", Unit: Words}, Column{Name: "up", Unit: Measure, Better: "higher"}, Column{Name: "down", Unit: Measure, Better: "lower"})
	add := func(group string, up, down float64) { table.AddTo(group, Text(""), Number(up), Number(down)) }
	add("a", 1, 5)
	add("a", 2, 5.001) // printed as 5.00
	add("a", 1.998, math.NaN())
	add("alone", 9, 1)
	add("b", 3, 4)
	add("b", 4, 3)
	for column, want := range map[int][]bool{
		0: make([]bool, 6),
		1: {false, true, true, false, false, true},   // 1.998 is printed as 2.00
		2: {false, false, false, false, false, true}, // the two of group a are equal
	} {
		got := table.Shown(column)
		for i := range want {
			if got[i].Best != want[i] {
				t.Errorf("column %d: got %v, want %v", column, got, want)
				break
			}
		}
	}
}

func TestColumnsAreLeftOutUntilTheTextFits(t *testing.T) {
	for width := 30; width < 120; width++ {
		table := results()
		table.Title, table.Caption = "", nil
		var b strings.Builder
		must.Do(t, table.Write(&b, AsText, width))
		lines := strings.Split(b.String(), "\n")[:5]
		for _, l := range lines {
			if display(l) > width && strings.Contains(b.String(), "time  ") {
				t.Fatalf("width %d: %d characters, although there is more to leave out:\n%s", width, display(l), b.String())
			}
		}
		if !strings.Contains(lines[0]+lines[1], "macro") {
			t.Fatalf("width %d: a column of priority 0 is left out:\n%s", width, b.String())
		}
	}
}

func TestLongTitlesTakeSeveralLines(t *testing.T) {
	table := New(Column{Title: "descriptor", Unit: Words}, Column{Title: "ransac_homography_accuracy@1", Unit: Share}, Column{Title: "mAP micro", Unit: Share})
	table.Add(Text("sift"), Between(.5, .4, .6), Number(.25))
	table.Title, table.Caption = "a caption", []string{"Of 100 % of one scene", "That is too wide"}
	var b strings.Builder
	must.Do(t, table.Write(&b, AsText, 40))
	const want = `a caption: Of 100 % of one scene. That
  is too wide.
                ransac_
            homography_
descriptor   accuracy@1  mAP micro
sift        50.0 ± 10.0       25.0
rates in %
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestColumnsAndRowsAreChosenByName(t *testing.T) {
	table := results()
	must.Do(t, table.Choose([]string{"Corner-Error", "macro"}))
	must.Do(t, table.SortBy("corner error"))
	var order []string
	for _, r := range table.Rows {
		order = append(order, r.Cells[0].text)
	}
	if got, want := strings.Join(order, " "), `root_sift sift \input{x} [dsp] ~#$^`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	must.Do(t, table.SortBy("macro"))
	if got := table.Rows[0].Cells[0].text; got != `\input{x}` {
		t.Errorf("the highest is %s", got)
	}
	for name, want := range map[string]string{
		"makro":    `no "makro" (did you mean `,
		"time":     "want one of descriptor, corner_error, true_map_macro_by_scene",
		"keypoint": `no "keypoint"`,
	} {
		if err := table.SortBy(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}

func TestCSVReadsBackExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v, text := rapid.Float64().Draw(t, "value"), rapid.StringMatching(`[^\r]*`).Draw(t, "text")
		table := New(Column{Name: "a", Unit: Words}, Column{Name: "b", Unit: Share})
		table.Add(Text(text), Between(v, v, v))
		var b bytes.Buffer
		must.Do(t, table.Write(&b, CSV, 1))
		rows, err := csv.NewReader(&b).ReadAll()
		if err != nil || len(rows) != 2 || len(rows[0]) != 4 {
			t.Fatalf("%q, %v", rows, err)
		}
		if rows[1][0] != text || rows[1][1] != exact(v) || rows[1][3] != exact(v) {
			t.Fatalf("%q, want %q and %v", rows[1], text, v)
		}
	})
}

// The hostile names of users and file systems.
var hostile = []string{
	"a_b", "50%", `\input`, "x&y", "#", "~", "$x$", "{", "}", "^", `\end{table}`, "[2cm]", "*", "--", "<b>", `"quoted"`, "`ls`", "it's", "a|b", "?`", "\x01",
	"a\nb", `\\`, "_", "%", "@", "é ü ß",
}

func TestHostileNamesBreakNoLine(t *testing.T) {
	table := New(Column{Name: "n", Title: "name", Unit: Words}, Column{Name: "v", Title: "value", Unit: Measure})
	for _, name := range hostile {
		table.Add(Text(name), Number(1))
	}
	for format, want := range map[Format]int{AsText: 1 + len(hostile), Markdown: 2 + len(hostile)} {
		var b bytes.Buffer
		must.Do(t, table.Write(&b, format, 0))
		if got := bytes.Count(b.Bytes(), []byte("\n")); got != want {
			t.Errorf("%s: %d lines, want %d", format, got, want)
		}
		if format == Markdown && regexp.MustCompile(`(?m)^\|([^|\\]|\\.)*\|([^|\\]|\\.)*\|$`).FindAllIndex(b.Bytes(), -1) == nil {
			t.Errorf("rows of other cells:\n%s", b.String())
		}
	}
}

func TestTheLaTeXCompiles(t *testing.T) {
	program, err := exec.LookPath("pdflatex")
	if err != nil {
		t.Skip("needs pdflatex (Debian's texlive-latex-base and texlive-latex-recommended)")
	}
	table := results()
	for _, name := range hostile {
		table.AddTo(name, Text(name), Number(.5).Noted(name), Cell{}, Number(-1), Integer(1), Number(1).Noted(name), Text(name))
	}
	table.Title = strings.Join(hostile, " ")
	table.Notes = Notes(hostile...)
	var latex strings.Builder
	must.Do(t, table.Write(&latex, LaTeX, 0))
	for _, encoding := range []string{"T1", "OT1"} {
		text := "\\documentclass{article}\n\\usepackage[" + encoding + "]{fontenc}\n\\usepackage{booktabs,graphicx}\n\\begin{document}\n" + latex.String() + "\\end{document}\n"
		cmd := exec.Command(program, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "t.tex")
		cmd.Dir = t.TempDir()
		must.Do(t, os.WriteFile(filepath.Join(cmd.Dir, "t.tex"), []byte(text), 0o666))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s\n%s", err, out, text)
		}
	}
}

func TestPairedColumnsAreLeftOutTogether(t *testing.T) {
	pair := New(Column{Title: "row"}, Column{Title: "x", Unit: Pixels, Priority: 1}, Column{Title: "y", Unit: Pixels, Priority: 1, Paired: true})
	pair.Add(Integer(7), Number(1234.5), Number(2))
	var b bytes.Buffer
	if err := pair.Write(&b, AsText, 15); err != nil || strings.Contains(b.String(), "1234") || !strings.Contains(strings.Join(strings.Fields(b.String()), " "), "2 more columns: --wide") {
		t.Errorf("%v, with space for one column:\n%s", err, &b)
	}
}

func TestALineAboutOtherDescriptorsIsOneSentence(t *testing.T) {
	tab := New(Column{Name: "descriptor", Unit: Words}, Column{Name: "map", Title: "map", Unit: Share})
	tab.Add(Text("root=none"), Number(.5))
	tab.Tell(fact.New(fact.InvalidRows).Counting(2, 7).On("SIFT"), fact.New(fact.SamePosition).With("share", .112).On("SIFT"))
	var b bytes.Buffer
	must.Do(t, tab.Write(&b, LaTeX, 0))
	if want := "SIFT: in 11.2~\\% of the queries"; !strings.Contains(b.String(), want) {
		t.Errorf("got\n%s\nwithout %s", b.String(), want)
	}
}
