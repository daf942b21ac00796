package nearest_test

import (
	"context"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"descbench/descriptors"
	"descbench/eval/must"
	"descbench/eval/nearest"
)

func generator(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

func bytesOf(dim int, rows ...[]uint8) *descriptors.Matrix {
	return &descriptors.Matrix{Rows: len(rows), Dim: dim, Type: descriptors.Uint8, Uint8: slices.Concat(rows...)}
}

func floatsOf(dim int, rows ...[]float32) *descriptors.Matrix {
	return &descriptors.Matrix{Rows: len(rows), Dim: dim, Type: descriptors.Float32, Float32: slices.Concat(rows...)}
}

func TestPointsOnALineAreRankedAsOnPaper(t *testing.T) {
	// Candidates at 1, 3, 5, 5, 9 and one marked invalid at 4; queries at 4, 8
	// and 5, and a zero row, which is invalid.
	candidates := bytesOf(1, []uint8{1}, []uint8{3}, []uint8{5}, []uint8{5}, []uint8{9}, []uint8{4})
	candidates.Mark(5)
	queries := bytesOf(1, []uint8{4}, []uint8{8}, []uint8{5}, []uint8{0})
	queries.MarkEmpty()
	want := &nearest.Result{
		Less:            []int32{0, 3, 5, 5},
		Equal:           []int32{2, 0, 0, 0},
		Nearest:         []int32{1, 4, 2, -1},
		Second:          []int32{2, 2, 3, -1},
		NearestDistance: []float64{1, 1, 0, math.NaN()},
		SecondDistance:  []float64{1, 3, 0, math.NaN()},
		Mutual:          []bool{true, true, true, false},
	}
	got := everyKernel(t, queries, candidates, []int32{3, 1, 5, 0})
	if err := compare(got, want, false); err != nil {
		t.Error(err)
	}
}

// The sizes meet every remainder of vectors, panels, tiles and blocks.
func TestKernelsAgreeWithSortingAtEverySizeAndDimension(t *testing.T) {
	kinds := []descriptors.Matrix{
		{Type: descriptors.Uint8}, {Type: descriptors.Uint8, UnitNorm: true},
		{Type: descriptors.Float32}, {Type: descriptors.Bits},
	}
	for seed, dim := range []int{1, 3, 31, 64, 66, 128, 384, 385, 1000} {
		sizes := [][2]int{{0, 0}, {0, 3}, {3, 0}, {1, 1}, {2, 1}, {1, 2}, {5, 67}, {66, 7}, {2, 69}, {3, 517}}
		if dim <= 31 {
			sizes = append(sizes, [2]int{150, 300}, [2]int{65, 517})
		}
		for _, size := range sizes {
			for _, kind := range kinds {
				for _, levels := range []int{1, 200} {
					queries, candidates := kind, kind
					queries.Dim, candidates.Dim = dim, dim
					queries.Rows, candidates.Rows = size[0], size[1]
					fill(&queries, uint64(seed), levels, 0.3)
					fill(&candidates, uint64(seed)+100, levels, 0.3)
					truth := make([]int32, size[0])
					for i := range truth {
						truth[i] = int32(i%(size[1]+1)) - 1
					}
					if err := checkKernels(t, &queries, &candidates, truth); err != nil {
						t.Fatalf("%v (unit norm %t), dimension %d, %d×%d, %d levels: %v",
							kind.Type, kind.UnitNorm, dim, size[0], size[1], levels, err)
					}
				}
			}
		}
	}
}

func TestLargestUint8RowsDoNotOverflow(t *testing.T) {
	for _, dim := range []int{4096, 33025} {
		full, one, half := slices.Repeat([]uint8{255}, dim), make([]uint8, dim), make([]uint8, dim)
		one[dim-1] = 1
		for k := range half[:dim/2] {
			half[k] = 255
		}
		queries, candidates := bytesOf(dim, one, full, half), bytesOf(dim, full, half, one)
		for _, unitNorm := range []bool{false, true} {
			queries.UnitNorm, candidates.UnitNorm = unitNorm, unitNorm
			truth := []int32{0, 1, 2}
			if err := checkKernels(t, queries, candidates, truth); err != nil {
				t.Errorf("dimension %d, unit norm %t: %v", dim, unitNorm, err)
			}
		}
	}
}

// preciseUnitDistance is √(2 − 2ab/√(aa·bb)) with 300 bits.
func preciseUnitDistance(aa, bb, ab int64) float64 {
	number := func(x int64) *big.Float { return new(big.Float).SetPrec(300).SetInt64(x) }
	root := new(big.Float).SetPrec(300).Sqrt(new(big.Float).Mul(number(aa), number(bb)))
	cos := new(big.Float).Quo(number(ab), root)
	d2 := new(big.Float).Mul(number(2), new(big.Float).Sub(number(1), cos))
	d, _ := new(big.Float).Sqrt(d2).Float64()
	return d
}

func TestInputThatDoesNotFitIsRefusedByName(t *testing.T) {
	good := func() *descriptors.Matrix { return bytesOf(2, []uint8{1, 2}, []uint8{3, 4}) }
	for _, c := range []struct {
		change func(q, c *descriptors.Matrix, truth *[]int32)
		want   string
	}{
		{func(q, c *descriptors.Matrix, _ *[]int32) { c.Type = descriptors.Bits; c.Dim = 16 }, "queries are uint8 and candidates bits"},
		{func(q, c *descriptors.Matrix, _ *[]int32) { c.Dim, c.Rows = 4, 1 }, "queries have dimension 2 and candidates 4"},
		{func(q, c *descriptors.Matrix, _ *[]int32) { c.UnitNorm = true }, "unit norm is false for queries and true for candidates"},
		{func(q, c *descriptors.Matrix, _ *[]int32) { q.Rows = 3 }, "queries: want 3×2 elements of type uint8, found 4"},
		{func(q, c *descriptors.Matrix, _ *[]int32) { q.Dim = 0 }, "queries: want a shape of at least 0×1, found 2×0"},
		{func(q, c *descriptors.Matrix, _ *[]int32) { q.Type = 9 }, "queries: unknown element type 9"},
		{func(q, c *descriptors.Matrix, _ *[]int32) {
			*q = *floatsOf(1, []float32{1})
			q.UnitNorm = true
		}, "queries: unit norm is only for uint8 rows, found float32"},
		{func(q, c *descriptors.Matrix, _ *[]int32) {
			*q = *bytesOf(33026, make([]uint8, 33026))
		}, "queries: uint8 rows of dimension 33026, want at most 33025"},
		{func(_, _ *descriptors.Matrix, truth *[]int32) { *truth = []int32{0} }, "1 truths for 2 queries"},
		{func(_, _ *descriptors.Matrix, truth *[]int32) { *truth = []int32{0, 2} }, "truth of query 1 is row 2"},
		{func(_, _ *descriptors.Matrix, truth *[]int32) { *truth = []int32{-2, 0} }, "truth of query 0 is row -2"},
	} {
		q, candidates, truth := good(), good(), []int32{0, 1}
		c.change(q, candidates, &truth)
		_, err := nearest.Search(t.Context(), q, candidates, truth)
		must.FailAbout(t, err, c.want)
	}
}

func TestPortableKernelIsAlwaysThereAndLast(t *testing.T) {
	names := nearest.Kernels()
	if names[len(names)-1] != "portable" || names[0] != nearest.Default() {
		t.Errorf("kernels %v with default %q, want portable last and the default first", names, nearest.Default())
	}
}

func TestCancelledSearchReturnsTheReason(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m := floatsOf(1, []float32{1}, []float32{2})
	if _, err := nearest.Search(ctx, m, m, []int32{0, 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}
