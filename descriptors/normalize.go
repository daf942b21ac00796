package descriptors

import (
	"fmt"
	"math"
)

// A Norm is the norm in which rows are scaled to length 1.
type Norm uint8

const (
	// NoNorm leaves rows unchanged.
	NoNorm Norm = iota
	// L2 is the Euclidean norm.
	L2
	// L1 is the sum of absolute values.
	L1
)

// String returns the norm's config name.
func (n Norm) String() string {
	return [...]string{"none", "l2", "l1"}[n]
}

// Normalize returns m with every row scaled to length 1 in the norm. Norms are
// summed in float64 and each element is rounded to float32 once. Uint8 rows
// under L2 keep their integers, with UnitNorm set, so distances stay exact.
//
// Invalid rows stay invalid and are zero. Normalize fails if m holds bits,
// except with NoNorm. The result shares unchanged data with m; m is not
// modified.
func Normalize(m *Matrix, norm Norm) (*Matrix, error) {
	if norm == NoNorm {
		return m, nil
	}
	if m.Type == Bits {
		return nil, fmt.Errorf("normalize %v: %v rows have no norm, want uint8 or float32", norm, m.Type)
	}
	var length func(row []float64) float64
	switch {
	case norm == L2 && m.Type == Uint8:
		out := *m
		out.UnitNorm = true
		return &out, nil
	case norm == L2:
		length = euclidean
	default:
		length = absolute
	}
	return m.scaleRows(length), nil
}

// WrittenOut returns m itself, or, if it has UnitNorm, the normalised rows that
// it represents, each element rounded to float32 once.
func (m *Matrix) WrittenOut() *Matrix {
	if !m.UnitNorm {
		return m
	}
	return m.scaleRows(euclidean)
}

// scaleRows returns a Float32 matrix with each row of m divided by its length.
func (m *Matrix) scaleRows(length func(row []float64) float64) *Matrix {
	out, _ := m.mapRows(func(_ int, row []float64) error { // cannot fail: f returns no errors
		l := length(row)
		for j := range row {
			row[j] /= l
		}
		return nil
	})
	return out
}

func euclidean(row []float64) float64 {
	sum := 0.0
	for _, v := range row {
		sum += float64(v * v) // the conversion keeps compilers from fusing
	}
	return math.Sqrt(sum)
}

func absolute(row []float64) float64 {
	sum := 0.0
	for _, v := range row {
		sum += math.Abs(v)
	}
	return sum
}
