package pairwise

import (
	"math"

	"descbench/descriptors"
	"descbench/eval/nearest"
	"descbench/eval/patches"
)

// A RowPair is a row of each of two matrices, which are given by their indices in a list.
type RowPair struct{ MatrixA, RowA, MatrixB, RowB int32 }

// PairKeys sets dst[k] to the Key of pair k of rows of the matrices, all of one type and
// dimension.
func (m Measure) PairKeys(dst []float64, matrices []*descriptors.Matrix, pairs []RowPair) {
	if len(pairs) == 0 {
		return
	}
	if m.distance == patches.L1 || matrices[0].Type != descriptors.Float32 {
		for k, r := range pairs {
			dst[k] = m.Key(matrices[r.MatrixA], int(r.RowA), matrices[r.MatrixB], int(r.RowB))
		}
		return
	}
	n := matrices[0].Dim
	row := func(matrix, row int32) []float32 { return matrices[matrix].Float32[int(row)*n:][:n] }
	var a, b [4][]float32
	for k := 0; k < len(pairs); k += len(a) {
		for l := range a {
			r := pairs[min(k+l, len(pairs)-1)]
			a[l], b[l] = row(r.MatrixA, r.RowA), row(r.MatrixB, r.RowB)
		}
		squared := nearest.SquaredDistances4(&a, &b)
		copy(dst[k:len(pairs)], squared[:])
	}
	for k, r := range pairs {
		if matrices[r.MatrixA].IsInvalid(int(r.RowA)) || matrices[r.MatrixB].IsInvalid(int(r.RowB)) {
			dst[k] = math.Inf(1)
		}
	}
}
