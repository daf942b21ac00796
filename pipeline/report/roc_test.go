package report

import (
	"slices"
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
