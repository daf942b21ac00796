package ranking

import (
	"fmt"
	"testing"

	"descbench/eval/scope"
)

// BenchmarkResult folds the tallies of one descriptor over scenes as many as
// HPatches has, with and without the intervals.
func BenchmarkResult(b *testing.B) {
	a := newAccumulator(Options{TolerancePx: 3, Cutoffs: []int{1, 5, 10}})
	for i := range 116 {
		rows := make([]row, 20)
		for j := range rows {
			rows[j] = row{truth: float64(j % 5), less: int32((i + j*j) % 29), nearest: float64(j % 7)}
		}
		for k := int32(2); k <= 6; k++ {
			add(b, a, pairOf(fmt.Sprintf("%c_%03d", "iv"[i%2], i), k, 30, 0, rows...))
		}
	}
	for name, list := range map[string]func() *scope.List{
		"intervals": scope.NewList, "none": func() *scope.List { return &scope.List{} },
	} {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				a.result(list())
			}
		})
	}
}
