package nearest_test

import (
	"testing"

	"descbench/descriptors"
	"descbench/eval/nearest"
)

func TestDistancesOfPairsAreThoseOfSingleOnes(t *testing.T) {
	r := generator(3)
	for _, dim := range []int{1, 3, 4, 7, 36, 128} {
		var matrices []*descriptors.Matrix
		for m := range 3 {
			m := descriptors.New(5+m, dim, descriptors.Float32)
			for i := range m.Float32 {
				m.Float32[i] = float32(r.NormFloat64() * 1e3)
			}
			matrices = append(matrices, m)
		}
		for _, kernel := range nearest.Kernels() {
			p := nearest.NewPairsWith(matrices, kernel)
			for n := range 40 {
				pairs, got := make([]nearest.RowPair, n), make([]float64, n)
				for k := range pairs {
					a, b := r.IntN(3), r.IntN(3)
					pairs[k] = nearest.RowPair{MatrixA: int32(a), RowA: int32(r.IntN(5 + a)), MatrixB: int32(b), RowB: int32(r.IntN(5 + b))}
				}
				p.Squared(got, pairs)
				for k, q := range pairs {
					want := nearest.SquaredDistance(matrices[q.MatrixA], int(q.RowA), matrices[q.MatrixB], int(q.RowB))
					if got[k] != want {
						t.Fatalf("%s, dimension %d: %+v, pair %d of %d, is %v, want %v", kernel, dim, q, k, n, got[k], want)
					}
				}
			}
			p.Close()
		}
	}
}

func TestAPairOfARowThatDoesNotExistPanics(t *testing.T) {
	p := nearest.NewPairs([]*descriptors.Matrix{descriptors.New(2, 4, descriptors.Float32)})
	defer p.Close()
	for _, pair := range []nearest.RowPair{{RowA: 2}, {RowB: -1}, {MatrixB: 1}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%+v: no panic", pair)
				}
			}()
			p.Squared(make([]float64, 1), []nearest.RowPair{pair})
		}()
	}
}
