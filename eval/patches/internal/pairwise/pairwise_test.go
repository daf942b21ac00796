package pairwise

import (
	"math"
	"math/rand/v2"
	"testing"

	"descbench/descriptors"
	"descbench/eval/must"
	"descbench/eval/patches"
)

// A sample of each type: few distinct values, so that distances tie, rows of
// zeros, and for float32 rows that are not finite.
func samples(rng *rand.Rand, rows, dim int) map[string]*descriptors.Matrix {
	small := &descriptors.Matrix{Rows: rows, Dim: dim, Type: descriptors.Uint8, Uint8: make([]uint8, rows*dim)}
	real := &descriptors.Matrix{Rows: rows, Dim: dim, Type: descriptors.Float32, Float32: make([]float32, rows*dim)}
	broken := &descriptors.Matrix{Rows: rows, Dim: dim, Type: descriptors.Float32, Float32: make([]float32, rows*dim)}
	huge := &descriptors.Matrix{Rows: rows, Dim: dim, Type: descriptors.Float32, Float32: make([]float32, rows*dim)}
	for i := range rows * dim {
		if i/dim%7 == 3 {
			continue // a row of zeros
		}
		small.Uint8[i] = uint8(rng.IntN(3)) * 120
		real.Float32[i] = float32(rng.NormFloat64())
		broken.Float32[i] = float32(rng.IntN(3)) - 1.5
		huge.Float32[i] = real.Float32[i] * 1e25
	}
	for i := 2; i < rows; i += 11 {
		broken.Float32[i*dim] = float32(math.NaN())
		broken.Mark(i)
	}
	copy(real.Float32[5*dim:6*dim], real.Float32[9*dim:10*dim]) // twins
	binary := &descriptors.Matrix{Rows: rows, Dim: dim, Type: descriptors.Bits}
	binary.Uint8 = make([]uint8, rows*binary.Stride())
	for i := range binary.Uint8 {
		binary.Uint8[i] = uint8(rng.IntN(256)) & 0xf0
	}
	return map[string]*descriptors.Matrix{"uint8": small, "float32": real, "not finite": broken, "huge": huge, "bits": binary}
}

// naive is the distance as the benchmark's documents give it.
func naive(d patches.Distance, a *descriptors.Matrix, i int, b *descriptors.Matrix, j int) float64 {
	x, y := patches.AppendRow(nil, a, i), patches.AppendRow(nil, b, j)
	sum := 0.0
	for k := range x {
		diff := float64(x[k]) - float64(y[k])
		if d == patches.L2 || d == patches.L2Squared {
			sum += diff * diff
		} else {
			sum += math.Abs(diff)
		}
	}
	if math.IsNaN(sum) {
		return math.Inf(1)
	}
	return sum
}

func eachSample(t *testing.T, f func(t *testing.T, m Measure, a, b *descriptors.Matrix)) {
	rng := rand.New(rand.NewPCG(1, 2))
	as, bs := samples(rng, 70, 24), samples(rng, 301, 24)
	for name, a := range as {
		for _, d := range []patches.Distance{patches.L2, patches.L1} {
			t.Run(name+"/"+string(d), func(t *testing.T) { f(t, Measure(d), a, bs[name]) })
		}
	}
}

func TestAKeyIsTheDistanceByItsDefinition(t *testing.T) {
	eachSample(t, func(t *testing.T, m Measure, a, b *descriptors.Matrix) {
		for i := range a.Rows {
			for j := range b.Rows {
				key, want := m.Key(a, i, b, j), naive(patches.Distance(m), a, i, b, j)
				if key != want && !(math.Abs(key-want) <= 1e-12*want) {
					t.Fatalf("rows %d and %d: %v, want %v", i, j, key, want)
				}
			}
		}
	})
}

func TestTheNearestRowsAreThoseThatAFullScanFinds(t *testing.T) {
	eachSample(t, func(t *testing.T, m Measure, a, b *descriptors.Matrix) {
		for _, side := range [][2]*descriptors.Matrix{{a, b}, {b, a}} { // fewer queries than rows, and more
			queries, rows := side[0], side[1]
			first, keys, err := m.First(queries, rows)
			must.Do(t, err)
			for q, list := range must.Get(NewCandidates(m, rows))(t).Nearest(queries, 2, nil) {
				found := [2]int32{-1, -1}
				for n, c := range list {
					if !math.IsInf(c.Key, 1) {
						found[n] = int32(c.Row)
					}
				}
				want, key := twoNearest(m, queries, q, rows), math.Inf(1)
				if want[0] >= 0 {
					key = m.Key(queries, q, rows, int(want[0]))
				}
				if found != want || first[q] != want[0] || keys[q] != key {
					t.Fatalf("query %d of %d: %v, and %d at %v; want %v at %v", q, queries.Rows, list, first[q], keys[q], want, key)
				}
			}
		}
	})
}

func twoNearest(m Measure, a *descriptors.Matrix, i int, b *descriptors.Matrix) [2]int32 {
	rows := [2]int32{-1, -1}
	for n := range rows {
		least := math.Inf(1)
		for j := range b.Rows {
			if key := m.Key(a, i, b, j); key < least && int32(j) != rows[0] {
				least, rows[n] = key, int32(j)
			}
		}
	}
	return rows
}
