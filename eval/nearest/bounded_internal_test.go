package nearest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"descbench/descriptors"
)

// The canonical distance of every pair must lie between the bounds that the
// float kernels' own dot products give, seen from either side.
func TestCanonicalDistanceLiesWithinTheBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, dim := range []int{1, 2, 17, 128, 1000, 4096} {
		for _, magnitude := range []float64{1, 300, 1e15, 1e-21, 1e-40} {
			for _, sign := range []float64{0, -1} { // 0: all elements positive, the sums at their largest
				m := &descriptors.Matrix{Rows: 24, Dim: dim, Type: descriptors.Float32}
				for range m.Rows * dim {
					m.Float32 = append(m.Float32, float32(magnitude*(1e-3+r.Float64()+sign*r.Float64())))
				}
				rows := newValidRows(m)
				for _, k := range kernels() {
					t.Run(fmt.Sprintf("%s/%d/%g/%g", k.name, dim, magnitude, sign), func(t *testing.T) { checkBounds(t, rows, k) })
				}
			}
		}
	}
}

func checkBounds(t *testing.T, rows *validRows, k kernel) {
	n := rows.len()
	at := tile{rows: n, cols: n, stride: maxStride}
	dots := make([]float32, blockRows*at.stride)
	k.float.fill(dots, at, k.float.queries(rows), k.float.candidates(rows))
	for i := range n {
		aLo, aHi := floatBounds(rows.norm[i], rows.m.Dim)
		for j := range n {
			bLo, bHi := floatBounds(rows.norm[j], rows.m.Dim)
			d, p := squaredDistance(rows.floats(i), rows.floats(j)), dots[i*at.stride+j]
			if lo, hi := float64(bLo-2*p)+float64(aLo), float64(bHi-2*p)+float64(aHi); d < lo || d > hi {
				t.Fatalf("rows %d and %d: d² = %g outside [%g, %g]", i, j, d, lo, hi)
			}
			if lo, hi := float64(aLo-2*p)+float64(bLo), float64(aHi-2*p)+float64(bHi); d < lo || d > hi {
				t.Fatalf("rows %d and %d, exchanged: d² = %g outside [%g, %g]", i, j, d, lo, hi)
			}
		}
	}
}

func TestBoundsAreInfiniteWhereTheProofEnds(t *testing.T) {
	for _, c := range []struct {
		norm float64
		dim  int
	}{{0x1p121, 128}, {1e77, 1}, {1, 200_000}} {
		lo, hi := floatBounds(c.norm, c.dim)
		if !math.IsInf(float64(lo), -1) || !math.IsInf(float64(hi), 1) {
			t.Errorf("norm %g, dimension %d: bounds %g and %g, want infinite ones", c.norm, c.dim, lo, hi)
		}
	}
}

func TestSearchStopsAtTheTileWhereItIsCancelled(t *testing.T) {
	m := &descriptors.Matrix{Rows: 5 * blockRows, Dim: 1, Type: descriptors.Uint8, Uint8: make([]uint8, 5*blockRows)}
	for i := range m.Uint8 {
		m.Uint8[i] = 1
	}
	s := newSearch(m, m, make([]int32, m.Rows), portableKernel())
	ctx, cancel := context.WithCancel(t.Context())
	tiles := 0
	err := run(ctx, s, make([]rowState, m.Rows), maxPanel, func(tile, columns) {
		if tiles++; tiles == 3 {
			cancel()
		}
	}, func(float64, int, int) float64 { return 0 })
	if !errors.Is(err, context.Canceled) || tiles != 3 {
		t.Errorf("%d tiles and error %v, want 3 and context.Canceled", tiles, err)
	}
}
