package nearest

import (
	"fmt"
	"math"

	"descbench/descriptors"
)

// validRows are the valid rows of a matrix, in order. Kernels see only these,
// so they need no rule for invalid rows.
type validRows struct {
	m     *descriptors.Matrix
	index []int32   // per valid row: its row in m; -1: zeros
	place []int32   // per row of m: its place in index; -1: invalid
	norm  []float64 // per valid row: the sum of its squares; Bits: of its set bits
	zeros []float32 // what floats returns for zeros; nil without such rows
}

func newValidRows(m *descriptors.Matrix) *validRows {
	v := &validRows{
		m:     m,
		index: make([]int32, 0, m.Rows),
		place: make([]int32, m.Rows),
		norm:  make([]float64, 0, m.Rows),
	}
	for i := range m.Rows {
		v.place[i] = -1
		if m.IsInvalid(i) {
			continue
		}
		v.place[i] = int32(len(v.index))
		v.index = append(v.index, int32(i))
		v.norm = append(v.norm, squaredNorm(m, i))
	}
	return v
}

// newRowsInPlace treats every row as valid. An invalid row becomes zeros with
// infinite norm, so the usual formula gives an infinite d². It has no place.
func newRowsInPlace(m *descriptors.Matrix) *validRows {
	v := &validRows{m: m, index: make([]int32, m.Rows), norm: make([]float64, m.Rows)}
	for i := range m.Rows {
		v.index[i], v.norm[i] = -1, math.Inf(1)
		if !m.IsInvalid(i) {
			v.index[i], v.norm[i] = int32(i), squaredNorm(m, i)
		} else if v.zeros == nil {
			v.zeros = make([]float32, m.Dim)
		}
	}
	return v
}

func (v *validRows) len() int { return len(v.index) }

// bytes returns valid row i of a Uint8 or Bits matrix.
func (v *validRows) bytes(i int) []uint8 {
	n := v.m.Stride()
	if v.index[i] < 0 {
		return make([]uint8, n)
	}
	at := int(v.index[i]) * n
	return v.m.Uint8[at : at+n : at+n]
}

// floats returns valid row i of a Float32 matrix.
func (v *validRows) floats(i int) []float32 {
	n := v.m.Dim
	if v.index[i] < 0 {
		return v.zeros
	}
	at := int(v.index[i]) * n
	return v.m.Float32[at : at+n : at+n]
}

// squaredNorm returns the sum of the squares of row i, or the number of set
// bits of a bit row. It is exact except for Float32. There it is NaN or +Inf
// exactly if some element is, because squares of float32 numbers neither
// overflow nor underflow in float64. It panics if the row should have been
// marked invalid.
func squaredNorm(m *descriptors.Matrix, i int) float64 {
	sum := sumOfSquares(m, i)
	if !(sum < math.Inf(1)) || sum == 0 && m.UnitNorm {
		panic(fmt.Sprintf("nearest: row %d has the squared norm %v and is not marked invalid", i, sum))
	}
	return sum
}

func sumOfSquares(m *descriptors.Matrix, i int) float64 {
	n := m.Stride()
	switch m.Type {
	case descriptors.Float32:
		sum := 0.0
		for _, x := range m.Float32[i*n : (i+1)*n] {
			sum += float64(x) * float64(x) // exact squares, so that fused operations give the same bits
		}
		return sum
	case descriptors.Bits:
		return float64(dotBits(m.Uint8[i*n:(i+1)*n], m.Uint8[i*n:(i+1)*n]))
	}
	return float64(dotBytes(m.Uint8[i*n:(i+1)*n], m.Uint8[i*n:(i+1)*n]))
}
