package report

import (
	"bytes"
	"fmt"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"descbench/eval/must"

	"descbench/eval/binary"
	"descbench/pipeline/report/figure"
	"descbench/pipeline/report/table"
)

// system returns a system of a few samples, positives nearer by the shift.
func system(t *testing.T, name string, shift float64) binary.System {
	t.Helper()
	var samples binary.Samples
	for i := range 10 {
		samples.Add(true, float64(i))
		samples.Add(false, float64(i)+shift)
	}
	curve, err := samples.Curve()
	must.Do(t, err)
	s := binary.System{Name: name, Summary: curve.Summary(), Rule: must.Get(binary.ParseOperatingPoint("youden"))(t), Curve: curve.Thin(1000)}
	s.At = &s.Summary.Youden
	return s
}

func TestFiguresAreTheSameBytesEveryTime(t *testing.T) {
	var systems []binary.System
	for i := range 8 { // more than there are colours
		systems = append(systems, system(t, fmt.Sprint("system ", i), float64(i)))
	}
	for _, extension := range []string{".svg", ".png", ".pdf", ".PNG"} {
		var files [2][]byte
		for i := range files {
			path := filepath.Join(t.TempDir(), "roc"+extension)
			must.Do(t, figure.Write(path, ROC(systems, figure.NewLook), figure.Column))
			var err error
			if files[i], err = os.ReadFile(path); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(files[0], files[1]) || len(files[0]) < 1000 {
			t.Errorf("%s: %d bytes and %d bytes differ", extension, len(files[0]), len(files[1]))
		}
		if extension == ".png" {
			if _, err := png.Decode(bytes.NewReader(files[0])); err != nil {
				t.Errorf("the PNG does not decode: %v", err)
			}
		}
	}
}

func TestTheGraphShowsCurvesChanceAndOneOperatingPointEach(t *testing.T) {
	one := system(t, "one class", 3)
	one.Summary.ROCAUC, one.At = math.NaN(), nil
	noPoint := system(t, "no point", 3)
	noPoint.At = nil
	text := func(systems ...binary.System) string {
		path := filepath.Join(t.TempDir(), "roc.svg")
		must.Do(t, figure.Write(path, ROC(systems, figure.NewLook), figure.Column))
		b, err := os.ReadFile(path)
		must.Do(t, err)
		return string(b)
	}
	systems := []binary.System{system(t, "first", 2), system(t, "second", 5), one, noPoint}
	shown := text(systems...)
	for _, want := range []string{"first (AUC ", "second (AUC ", "no point (AUC ", ">chance<", "best Youden index", "false positive rate", "true positive rate"} {
		if !strings.Contains(shown, want) {
			t.Errorf("the graph has no %q", want)
		}
	}
	if strings.Contains(shown, "one class") {
		t.Error("a system of one class has a curve")
	}
	// Each of two operating points is a shape of its own, and so is that of the legend.
	systems[0].At, systems[1].At = nil, nil
	if dots := strings.Count(shown, "<path") - strings.Count(text(systems...), "<path"); dots != 3 {
		t.Errorf("%d dots, want 3", dots)
	}
}

func TestDecisionsHaveTheColourOfTheirSystemAndAMarkForEachRule(t *testing.T) {
	systems := []binary.System{system(t, "a", 1), system(t, "b", 2)}
	systems[0].Index, systems[1].Index = 1, 3
	var decisions []binary.Decision
	for _, rule := range []string{"nearest", "mutual"} {
		for _, s := range systems {
			decisions = append(decisions, binary.Decision{System: s.Name, Index: s.Index, Rule: rule, Counts: binary.Confusion{TP: 3, FP: 1, TN: 3, FN: 1}})
		}
	}
	var looks []int
	for _, c := range ROCPoints(systems, decisions, figure.NewLook).Curves {
		if c.Marks {
			looks = append(looks, c.Look.Colour, c.Look.Mark)
		}
	}
	if want := []int{1, 0, 3, 0, 1, 2, 3, 2}; !slices.Equal(looks, want) { // 1 and 3 are the marks of the systems
		t.Errorf("colours and marks %v, want %v", looks, want)
	}
}

func TestUndefinedFiguresReadUndefined(t *testing.T) {
	var samples binary.Samples
	samples.Add(true, 1, 2)
	curve, err := samples.Curve()
	must.Do(t, err)
	at := curve.At(1)
	s := binary.System{Name: "half", Summary: curve.Summary(), Rule: must.Get(binary.ParseOperatingPoint("threshold=1"))(t), At: &at}
	s.ROCAUC.Low, s.ROCAUC.High = math.NaN(), math.NaN()
	s.AveragePrecision = s.ROCAUC
	var out strings.Builder
	must.Do(t, SystemsTable([]binary.System{s}, -1, nil, nil).Write(&out, table.AsText, 0))
	WriteMatrices(&out, []binary.System{s}, nil)
	for _, want := range []string{
		`(?m)^half +2 +0 +undefined +undefined +undefined +undefined +undefined +100.00 +100.00 +100.00 +100.00 +threshold=1 +1 +1 +0 +1 +0 +1 +1 +50.00 +undefined +`,
		`false positive rate .* undefined  FP / negatives = 0 / 0`,
		`Matthews correlation +undefined`,
	} {
		if !regexp.MustCompile(want).MatchString(out.String()) {
			t.Errorf("no %s in\n%s", want, out.String())
		}
	}
}
