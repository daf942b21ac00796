package nearest_test

import (
	"fmt"
	"testing"

	"descbench/descriptors"
	"descbench/eval/nearest"
)

// BenchmarkMeasure takes the rows of BenchmarkSearch, one worker. All distances
// of a query at a time compare with a search of one worker; in lists, each
// query has 500 candidates from all over the matrix.
func BenchmarkMeasure(b *testing.B) {
	const n, listed = 5000, 500
	for _, c := range []struct {
		name string
		kind descriptors.Matrix
	}{
		{"uint8", descriptors.Matrix{Type: descriptors.Uint8, Dim: 128}},
		{"uint8-unit-norm", descriptors.Matrix{Type: descriptors.Uint8, Dim: 128, UnitNorm: true}},
		{"float32", descriptors.Matrix{Type: descriptors.Float32, Dim: 128}},
		{"bits", descriptors.Matrix{Type: descriptors.Bits, Dim: 256}},
	} {
		queries, candidates, truth := benchmarkRows(c.kind, n)
		lists := make([][]int32, n)
		for q := range lists {
			for k := range listed {
				lists[q] = append(lists[q], int32((q*31+k*4999+1)%n))
			}
		}
		for _, kernel := range nearest.Kernels() {
			measure, err := nearest.NewMeasureWith(queries, candidates, kernel)
			if err != nil {
				b.Fatal(err)
			}
			dst := make([]float64, n)
			run := func(name string, pairs float64, pass func()) {
				b.Run(fmt.Sprintf("%s/%s/%s", c.name, kernel, name), func(b *testing.B) {
					for b.Loop() {
						pass()
					}
					b.ReportMetric(pairs*float64(b.N)/b.Elapsed().Seconds()/1e9, "Gpairs/s")
				})
			}
			opt := nearest.Options{Kernel: kernel, Workers: 1}
			run("search", n*n, func() {
				if _, err := nearest.Search(b.Context(), queries, candidates, truth, opt); err != nil {
					b.Fatal(err)
				}
			})
			run("distances", n*n, func() {
				for q := range n {
					measure.Distances(q, 0, dst)
				}
			})
			run("to", n*listed, func() {
				for q, list := range lists {
					measure.To(q, list, dst)
				}
			})
			run("order", n*listed, func() {
				for q, list := range lists {
					measure.Order(q, list, dst)
				}
			})
		}
	}
}
