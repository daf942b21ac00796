package report

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"descbench/eval/must"

	"descbench/eval/binary"
	"descbench/pipeline/report/figure"
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
