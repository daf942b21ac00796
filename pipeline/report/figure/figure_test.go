package figure

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"descbench/eval/must"

	"gonum.org/v1/plot/vg"
	"pgregory.net/rapid"
)

func example(n int) *Graph {
	g := &Graph{X: Rate("false positive rate (1 - specificity)"), Y: Rate("true positive rate (sensitivity)"),
		References: []Reference{{Name: "chance", Points: []Point{{X: 0, Y: 0}, {X: 1, Y: 1}}}}, Dots: "operating point: youden"}
	for i := range n {
		var c Curve
		c.Name, c.System, c.Look = fmt.Sprintf("system_%d (AUC 0.%d)", i, 9999-13*i), i, NewLook(i)
		for j := range 5001 {
			x := float64(j) / 5000
			c.Points = append(c.Points, Point{X: x, Y: math.Pow(x, 1/(2+float64(i)))})
		}
		c.Dot = &c.Points[500]
		g.Curves = append(g.Curves, c)
	}
	return g
}

// A viewer shows the images of a pair upright: here white above and black below.
func TestImagesInAPDFStandUpright(t *testing.T) {
	if _, err := exec.LookPath("pdftoppm"); err != nil {
		t.Skip("no pdftoppm (Debian package poppler-utils)")
	}
	img := image.NewGray(image.Rect(0, 0, 100, 100))
	for i := range 50 * 100 {
		img.Pix[i] = 255
	}
	pdf, err := render(".pdf", &Pair{Images: [2]image.Image{img, img}}, Column)
	must.Do(t, err)
	draw := exec.Command("pdftoppm", "-png", "-r", "50")
	draw.Stdin = bytes.NewReader(pdf)
	shown, err := draw.Output()
	must.Do(t, err)
	page, err := png.Decode(bytes.NewReader(shown))
	must.Do(t, err)
	dark := 0 // rows from the lowest dark one up
	lowest := -1
	for y := page.Bounds().Max.Y - 1; y >= 0; y-- {
		if v, _, _, _ := page.At(page.Bounds().Dx()/4, y).RGBA(); v < 0x8000 {
			dark++
			lowest = max(lowest, y)
		}
	}
	if side := page.Bounds().Dx() / 2; dark < side/3 || lowest < page.Bounds().Max.Y-side/3 {
		t.Errorf("%d dark rows, the lowest %d of %d; want the lower half of images %d high", dark, lowest, page.Bounds().Max.Y, side)
	}
}

func TestThinningMovesNoPointByMoreThanAStep(t *testing.T) {
	all := example(3).Curves[2].Points
	kept := thin(all, Rate(""), Rate(""))
	if len(kept) > 2*steps || kept[0] != all[0] || kept[len(kept)-1] != all[len(all)-1] {
		t.Fatalf("%d of %d points kept, from %v to %v", len(kept), len(all), kept[0], kept[len(kept)-1])
	}
	for _, p := range all {
		if !slices.ContainsFunc(kept, func(k Point) bool { return steps*math.Hypot(p.X-k.X, p.Y-k.Y) < 1 }) {
			t.Fatalf("no point of the thinned curve is within a step of %v", p)
		}
	}
}

func TestStylesDifferForTwoHundredSystems(t *testing.T) {
	seen := map[string]int{}
	for i := range 210 {
		look := fmt.Sprint(NewLook(i).line(), NewLook(i).mark().Shape)
		if j, ok := seen[look]; ok {
			t.Fatalf("systems %d and %d look the same", j, i)
		}
		seen[look] = i
		if i < 60 { // in grey, dash and mark tell any two of the first sixty apart, and marks twelve
			for j := range i {
				if mark := fmt.Sprint(NewLook(i).mark().Shape) == fmt.Sprint(NewLook(j).mark().Shape); mark && (i < 12 || fmt.Sprint(NewLook(i).line().Dashes) == fmt.Sprint(NewLook(j).line().Dashes)) {
					t.Fatalf("systems %d and %d differ in colour only", j, i)
				}
			}
		}
	}
}

// The width of "rate" in Liberation Sans, whose advances are those of Arial, is 0.333+0.556+0.278+0.556 em.
func TestTextHasFallbackFontsAndItsWidth(t *testing.T) {
	b, err := render(".svg", &Graph{X: Axis{Label: "rate"}}, Column)
	must.Do(t, err)
	if !bytes.Contains(b, []byte("'Liberation Sans',Arial,Helvetica,sans-serif")) || !regexp.MustCompile(`textLength="13\.7\d" [^>]*>rate<`).Match(b) {
		t.Errorf("%s", b)
	}
}

func exampleBars(n int) *Bars {
	b := &Bars{X: Share("mAP"), Levels: []Level{{Name: "chance", Value: 0.01}}}
	for i := range n {
		b.Bars = append(b.Bars, Bar{Name: fmt.Sprintf("a system with a long name, number %d", i), System: i, Look: NewLook(i), Value: 0.9 / float64(i+1), Interval: &Interval{0.8 / float64(i+1), 0.95 / float64(i+1)}})
	}
	return b
}

// The widest and highest page of common paper formats that figures must fit is A4
// without margins of 2 cm.
func TestEveryKindFitsAPage(t *testing.T) {
	for _, d := range []Figure{example(12), exampleBars(12), exampleBars(30), &Graph{}, &Graph{X: Rate("recall"), Y: Rate("precision")}, &Bars{}} {
		for _, width := range []vg.Length{Column, Page} {
			if h := height(d, width); h > 257*vg.Millimeter || h < 8*vg.Millimeter {
				t.Errorf("%T of width %.0f mm: height %.0f mm", d, width.Points()/vg.Millimeter.Points(), h.Points()/vg.Millimeter.Points())
			}
			b, err := render(".svg", d, width)
			must.Do(t, err)
			if len(b) > 200_000 {
				t.Errorf("%T: %d bytes, want at most 200 kB", d, len(b))
			}
			outside(t, d, width, b)
		}
	}
}

var rotated = regexp.MustCompile(`(?s)<g transform="rotate.*?</g>`)

var position = regexp.MustCompile(`<text x="([-0-9.]+)" y="([-0-9.]+)"[^>]*>([^<]*)<`)

func height(d Figure, width vg.Length) vg.Length {
	data, below := layout(d, d.legend(), width)
	return data + below + 2*gap
}

// outside reports level texts that start outside of a figure, or that end to the right of
// it.
func outside(t *testing.T, d Figure, width vg.Length, svg []byte) {
	t.Helper()
	for _, found := range position.FindAllSubmatch(rotated.ReplaceAll(svg, nil), -1) {
		x, _ := strconv.ParseFloat(string(found[1]), 64)
		y, _ := strconv.ParseFloat(string(found[2]), 64)
		if x < -1 || y > 1 || -y > height(d, width).Points()+1 || x > width.Points() {
			t.Errorf("%T of width %.0f: text %q at %v, %v", d, width.Points(), found[3], x, y)
		}
	}
}

// The label of this axis is wider than what long names leave for the bars.
func TestLongNamesAreCutAndLeaveRoomForTheBars(t *testing.T) {
	b := &Bars{X: Share("patch matching, mean average precision"), Bars: []Bar{{Name: "sift", Value: 0.8}, {Name: "hardnet_liberty_augmented_v2", Value: 0.35}}}
	if got, want := Shortened(b, Column), "hardnet_li…mented_v2 is hardnet_liberty_augmented_v2."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := Shortened(&Bars{Bars: []Bar{{Name: "SIFT, OpenCV default"}}}, Column); got != "" {
		t.Errorf("of 20 characters: %q", got)
	}
	svg, err := render(".svg", b, Column)
	must.Do(t, err)
	at := make(map[string]float64)
	for _, found := range position.FindAllSubmatch(svg, -1) {
		at[string(found[3])], _ = strconv.ParseFloat(string(found[1]), 64)
	}
	if axis := (at["80"] - at["0"]) / Column.Points(); !(axis > 0.3) {
		t.Errorf("80 of 100 %% take %.2f of the width, want a third", axis)
	}
}

func TestBarsStartAtZero(t *testing.T) {
	x := exampleBars(3).axis()
	if x.Min != 0 || x.Max < 0.95 || x.Max > 1 {
		t.Errorf("axis from %v to %v, want 0 to about 0.95", x.Min, x.Max)
	}
}

func TestAxesEndAtTicksAroundTheData(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first, last, percent := -1_000_000, 1_000_000, rapid.Bool().Draw(t, "percent") // thousandths
		if percent {                                                                   // shares
			first, last = 0, 1000
		}
		least := rapid.IntRange(first, last).Draw(t, "low")
		low, high := float64(least)/1000, float64(rapid.IntRange(least, last).Draw(t, "high"))/1000
		a := Axis{Percent: percent}.over(low, high)
		if a.Min > low || a.Max < high || a.Max-a.Min > 3*max(high-low, a.least(high)) {
			t.Fatalf("range %v to %v for data from %v to %v", a.Min, a.Max, low, high)
		}
		ticks := a.ticks(a.Min, a.Max)
		if len(ticks) < 3 || len(ticks) > 9 {
			t.Fatalf("%d ticks: %v", len(ticks), ticks)
		}
	})
}

func TestTicksAreRoundNumbers(t *testing.T) {
	labels := func(a Axis) (out []string) {
		for _, tick := range a.ticks(a.Min, a.Max) {
			if tick.Label != "" {
				out = append(out, tick.Label)
			}
		}
		return out
	}
	for _, c := range []struct {
		axis Axis
		want string
	}{
		{Axis{Max: 1}, "0.0 0.2 0.4 0.6 0.8 1.0"},
		{Axis{Max: 1, Percent: true}, "0 20 40 60 80 100"},
		{Axis{Min: 1, Max: 10, Whole: true}, "1 2 3 4 5 6 7 8 9 10"},
		{Axis{Min: -0.3, Max: 0.3, Percent: true}, "−30 −20 −10 0 10 20 30"},
		{Axis{Min: 1, Max: 200, Log: true}, "1 2 5 10 20 50 100 200"},
		{Axis{Min: 1, Max: 20000, Log: true}, "1 10 100 1000 10000"},
		{Axis{Min: 0.02, Max: 0.6, Log: true}, "0.02 0.05 0.1 0.2 0.5"},
	} {
		if got := strings.Join(labels(c.axis), " "); got != c.want {
			t.Errorf("%+v: ticks %s, want %s", c.axis, got, c.want)
		}
	}
}

// Of 501 points at equal distances, the marks of system 0 are a sixth of the line apart.
func TestMarksAreSpreadOverTheCurve(t *testing.T) {
	var c Curve
	for i := range 501 {
		c.Points = append(c.Points, Point{float64(i), 3 * float64(i)})
	}
	x, y := Axis{Max: 500}, Axis{Max: 1500}
	marked := c.marked(x, y)
	if len(marked) != 6 {
		t.Errorf("%d marks, want 6", len(marked))
	}
	for i, p := range marked {
		if want := 500. / 6 * (0.2 + float64(i)); math.Abs(p.X-want) > 1.5 || p.Y != 3*p.X {
			t.Errorf("mark %d at %v, want one near %v on the curve", i, p, want)
		}
	}
	few := []Point{{0, 0}, {1, 1}}
	if got := (Curve{Points: few}).marked(Rate(""), Rate("")); len(got) != 2 {
		t.Errorf("%d marks of 2 points", len(got))
	}
}

func TestASystemLooksTheSameInEveryKind(t *testing.T) {
	look := NewLook(5)
	for _, d := range []Figure{
		&Graph{X: Rate(""), Y: Rate(""), Curves: []Curve{{System: 3, Look: look, Points: []Point{{0, 0}, {1, 1}}}}},
		&Graph{X: Rate(""), Y: Rate(""), Curves: []Curve{{System: 3, Look: look, Marks: true, Points: []Point{{0.5, 0.5}}, Along: []*Interval{{0.1, 0.9}}}}},
		&Bars{X: Rate(""), Bars: []Bar{{System: 3, Look: look, Value: 1}}},
	} {
		b, err := render(".svg", d, Column)
		must.Do(t, err)
		if of := regexp.MustCompile(`(?s)<g data-system="3".*?</g>`).Find(b); bytes.Count(of, []byte("#56B4E9")) < 2 {
			t.Errorf("%T: system 3 is %s, want a mark and a line or bar", d, of)
		}
	}
}

// An element of a page has the values that tables print, and no name of a system.
func TestPagesHaveTheValuesOfSystems(t *testing.T) {
	g := &Graph{X: Axis{Label: "a<b", Whole: true}, Y: Share("MMA"), Curves: []Curve{{Name: "sift", System: 2, Points: []Point{{1, 0.5}, {2, 0.25}}, Along: []*Interval{{0.4, 0.6}}}}}
	b := &Bars{X: Share("mAP"), Bars: []Bar{{Name: "set", System: 1, Value: 0.5}}}
	rows := &Graph{X: Share("mAP"), Y: Axis{Label: "scene", Names: []string{"v_a", "v_b"}}, Curves: []Curve{{Marks: true, Points: []Point{{0.5, 1}}}}}
	for d, want := range map[Figure][]string{
		g:    {`data-labels="a&lt;b;MMA (%)"`, `;1;50.0 [40.0, 60.0]|`, `;2;25.0"`, `<g data-system="2" class="band">`},
		rows: {`data-labels="mAP (%);scene"`, `;50.00;v_b"`},
		b:    {`data-labels="mAP (%)"`, `<g data-system="1" class="row"`, `;50.00"`},
	} {
		element := string(Embed(d, "title"))
		for _, want := range want {
			if !strings.Contains(element, want) {
				t.Errorf("%s lacks %s", element, want)
			}
		}
		if strings.Contains(element, "sift") || strings.Contains(element, "xmlns") {
			t.Errorf("%s is not part of a page with a legend", element)
		}
	}
}

func TestLongNamesAreCutAndStayDistinct(t *testing.T) {
	style := textStyle()
	names := []string{"experiments/2024/hardnet-liberty-32x32:fused", "sift"}
	got := fit(names, 80, style)
	if style.Width(got[0]) > 80 || !strings.HasPrefix(got[0], "experi") || !strings.HasSuffix(got[0], "fused") || !strings.Contains(got[0], "…") || got[1] != "sift" {
		t.Errorf("%q", got)
	}
	for _, names := range [][]string{
		{"a_descriptor_of_scale_1_with_a_long_name", "a_descriptor_of_scale_2_with_a_long_name"},
		{"1_descriptor_with_a_very_long_name_indeed_x", "2_descriptor_with_a_very_long_name_indeed_x"},
		{"a_descriptor_with_a_very_long_name_number_12", "a_descriptor_with_a_very_long_name_number_13"},
	} {
		if got := fit(names, 110, style); got[0] == got[1] || style.Width(got[1]) > 110 {
			t.Errorf("%q", got)
		}
	}
}

func TestTextOfPDFHasTheEncodingOfItsFont(t *testing.T) {
	g := &Graph{X: Axis{Label: "extraction (µs)", Max: 1}, Y: Axis{Label: "a–b", Min: -1, Max: 1}}
	b, err := render(".pdf", g, Column)
	must.Do(t, err)
	if len(b) > 60_000 {
		t.Errorf("%d bytes for a figure with a few letters", len(b))
	}
	var text []byte
	for _, part := range bytes.Split(b, []byte("stream\n"))[1:] {
		if z, err := zlib.NewReader(bytes.NewReader(part)); err == nil {
			content, _ := io.ReadAll(z) // what follows the stream is not part of it
			text = append(text, content...)
		}
	}
	for _, want := range []string{"(extraction \\(\xb5s\\))Tj", "(a\x96b)Tj", "(\x961.0)Tj"} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("the PDF does not show %q", want)
		}
	}
	g.Curves = []Curve{{Name: "δ"}}
	if _, err := render(".pdf", g, Column); err == nil || !strings.Contains(err.Error(), `the text "δ" has "δ"`) {
		t.Errorf("a letter that the font of PDF files lacks: %v", err)
	}
}

func TestCharactersThatTheFontLacksAreNamed(t *testing.T) {
	g := &Graph{X: Rate("x"), Y: Rate("y"), Curves: []Curve{{Name: "sift 漢"}}}
	for _, format := range []string{".png", ".pdf"} {
		if _, err := render(format, g, Column); err == nil || !strings.Contains(err.Error(), `the text "sift 漢" has "漢", which the font of figures lacks`) {
			t.Errorf("%s: error %v", format, err)
		}
	}
	if b, err := render(".svg", g, Column); err != nil || !bytes.Contains(b, []byte("sift 漢")) {
		t.Errorf("SVG: %v", err)
	}
}

func TestBandsOfMoreThanTwoCurvesAreNotDrawn(t *testing.T) {
	g := &Graph{X: Axis{Max: 1}, Y: Axis{Whole: true}}
	for range 2 {
		g.Curves = append(g.Curves, Curve{Points: []Point{{0, 4}, {1, 5}}, Along: []*Interval{{0, 8}, {1, 9}}})
	}
	if _, y := g.axes(g.banded(false)); !g.banded(false) || y.Max < 9 {
		t.Errorf("two bands: %v, axis to %v, want all, to 9 at least", g.banded(false), y.Max)
	}
	g.Curves = append(g.Curves, g.Curves[0])
	if _, y := g.axes(g.banded(false)); g.banded(false) || y.Max > 7 {
		t.Errorf("three bands: %v, axis to %v, want none, to the lines", g.banded(false), y.Max)
	}
}
