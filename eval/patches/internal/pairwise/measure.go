// Package pairwise compares descriptors: two rows, a row with its nearest neighbours,
// or many rows with one list of candidates. Every comparison yields a key that increases with the
// distance. Equal pairs have equal keys, no matter which function computes them.
package pairwise

import (
	"math"

	"descbench/descriptors"
	"descbench/eval/nearest"
	"descbench/eval/patches"
)

// A Measure is a distance between rows. For L2 and L2Squared, the key of two
// rows is their squared distance as computed by nearest.SquaredDistance. For L1
// it is the distance, a sum in float64 in ascending order of the index; that of
// integers is exact.
type Measure patches.Distance

const ofL1 = Measure(patches.L1)

// Distance returns the distance for a key.
func (m Measure) Distance(key float64) float64 {
	if m == Measure(patches.L2) {
		return math.Sqrt(key)
	}
	return key
}

// Key compares row i of a with row j of b. It is +Inf if either row is invalid.
func (m Measure) Key(a *descriptors.Matrix, i int, b *descriptors.Matrix, j int) float64 {
	if a.IsInvalid(i) || b.IsInvalid(j) {
		return math.Inf(1)
	}
	n := a.Stride()
	switch {
	case a.Type == descriptors.Bits || m != ofL1:
		// The same for every distance of bits: each different bit counts 1.
		return nearest.SquaredDistance(a, i, b, j)
	case a.Type == descriptors.Uint8:
		return float64(absoluteUint8(a.Uint8[i*n:(i+1)*n], b.Uint8[j*n:(j+1)*n]))
	default:
		return absoluteFloat32(a.Float32[i*n:(i+1)*n], b.Float32[j*n:(j+1)*n])
	}
}

func absoluteUint8(a, b []uint8) int {
	b = b[:len(a)]
	sum := 0
	for i, x := range a {
		d := int(x) - int(b[i])
		sum += max(d, -d)
	}
	return sum
}

func absoluteFloat32(a, b []float32) float64 {
	b = b[:len(a)]
	sum := 0.0
	for i, x := range a {
		sum += math.Abs(float64(x) - float64(b[i]))
	}
	return sum
}

// A RowPair is a row of each of two matrices, which are given by their indices in a list.
type RowPair struct{ MatrixA, RowA, MatrixB, RowB int32 }

// PairKeys sets dst[k] to the Key of pair k of rows of the matrices, all of one type and
// dimension.
func (m Measure) PairKeys(dst []float64, matrices []*descriptors.Matrix, pairs []RowPair) {
	if len(pairs) == 0 {
		return
	}
	if m == ofL1 || matrices[0].Type != descriptors.Float32 {
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
