package estimate_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gocv.io/x/gocv"

	"descbench/descriptors"
	"descbench/eval/must"
	"descbench/eval/nearest"
	"descbench/eval/paired"
)

// BenchmarkBFMatcher sets our search beside OpenCV's brute-force matcher: the
// two nearest of 5000 candidates (500 with -short) for as many queries of 128 elements, on
// the same rows and one thread. The search also ranks a truth per query and
// checks mutuality, which the matcher does not. It lives here because
// eval/nearest knows no OpenCV.
func BenchmarkBFMatcher(b *testing.B) {
	rows, dim := 5000, 128
	if testing.Short() {
		rows = 500
	}
	gocv.SetNumThreads(1)
	r := rand.New(rand.NewPCG(1, 2))
	matrix := func(typ descriptors.ElementType) *descriptors.Matrix {
		m := &descriptors.Matrix{Rows: rows, Dim: dim, Type: typ}
		for range rows * dim {
			if typ == descriptors.Uint8 {
				m.Uint8 = append(m.Uint8, uint8(r.IntN(161)*r.IntN(161)/160))
			} else {
				m.Float32 = append(m.Float32, float32(r.NormFloat64()/math.Sqrt(float64(dim))))
			}
		}
		return m
	}
	for _, typ := range []descriptors.ElementType{descriptors.Uint8, descriptors.Float32} {
		queries, candidates := matrix(typ), matrix(typ)
		truth := make([]int32, rows)
		for i := range truth {
			truth[i] = int32(i)
		}
		query, train := mat(b, queries), mat(b, candidates)
		b.Run(typ.String()+"/BFMatcher", func(b *testing.B) {
			matcher := gocv.NewBFMatcherWithParams(gocv.NormL2, false)
			defer matcher.Close()
			defer paired.PerOp(b)()
			for b.Loop() {
				if got := matcher.KnnMatch(query, train, 2); len(got) != rows {
					b.Fatalf("%d lists of matches, want %d", len(got), rows)
				}
			}
		})
		b.Run(typ.String()+"/descbench", func(b *testing.B) {
			defer paired.PerOp(b)()
			for b.Loop() {
				must.Get(nearest.Search(b.Context(), queries, candidates, truth))(b)
			}
		})
	}
}

// mat returns the rows of m as OpenCV has them.
func mat(b *testing.B, m *descriptors.Matrix) gocv.Mat {
	typ, raw := gocv.MatTypeCV8UC1, m.Uint8
	if m.Type == descriptors.Float32 {
		typ, raw = gocv.MatTypeCV32FC1, nil
		for _, x := range m.Float32 {
			bits := math.Float32bits(x)
			raw = append(raw, byte(bits), byte(bits>>8), byte(bits>>16), byte(bits>>24))
		}
	}
	out := must.Get(gocv.NewMatFromBytes(m.Rows, m.Dim, typ, raw))(b)
	b.Cleanup(func() { out.Close() })
	return out
}
