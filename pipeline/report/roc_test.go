package report

import (
	"slices"
	"testing"

	"descbench/eval/binary"
	"descbench/pipeline/report/figure"
)

func TestDecisionsHaveTheColourOfTheirSystemAndAMarkForEachRule(t *testing.T) {
	systems := []binary.System{{Name: "a", Index: 1}, {Name: "b", Index: 3}}
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
	if want := []int{1, 2, 3, 4, 1, 3, 3, 5}; !slices.Equal(looks, want) { // 1 and 3 are the marks of the systems
		t.Errorf("colours and marks %v, want %v", looks, want)
	}
}
