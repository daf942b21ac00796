package descriptors

import (
	"fmt"
	"math"
)

// A Norm is what the rows of a matrix are scaled to length 1 in.
type Norm uint8

const (
	// NoNorm leaves rows as they are.
	NoNorm Norm = iota
	// L2 is the Euclidean norm.
	L2
	// L1 is the sum of absolute values.
	L1
)

// String returns the name of the norm in configs.
func (n Norm) String() string {
	switch n {
	case NoNorm:
		return "none"
	case L2:
		return "l2"
	case L1:
		return "l1"
	}
	return fmt.Sprintf("Norm(%d)", uint8(n))
}

// MarshalText returns String, so that JSON has the name.
func (n Norm) MarshalText() ([]byte, error) { return []byte(n.String()), nil }

// Normalize returns m with every row scaled to length 1 in the norm. Norms are
// summed in float64 and each element is rounded to float32 once; Uint8 rows
// under L2 keep their integers, with UnitNorm set, so that distances stay exact.
//
// Invalid rows stay so and are zero. It fails if m holds bits, except with
// NoNorm. The result shares with m what did not have to change; m is not
// modified.
func Normalize(m *Matrix, norm Norm) (*Matrix, error) {
	if norm == NoNorm {
		return m, nil
	}
	if m.Type == Bits {
		return nil, fmt.Errorf("normalize %v: rows of %v have no norm, want uint8 or float32", norm, m.Type)
	}
	var length func(row []float64) float64
	switch {
	case norm == L2 && m.Type == Uint8:
		out := *m
		out.UnitNorm = true
		return &out, nil
	case norm == L2:
		length = euclidean
	case norm == L1:
		length = absolute
	default:
		return nil, fmt.Errorf("normalize: unknown norm %v", norm)
	}
	return m.scaleRows(length), nil
}

// writtenOut returns m itself unless it has UnitNorm, and then the normalised
// rows that it stands for, each element rounded to float32 once.
func (m *Matrix) writtenOut() *Matrix {
	if !m.UnitNorm {
		return m
	}
	return m.scaleRows(euclidean)
}

// scaleRows returns a Float32 matrix of the rows of m divided by their length.
func (m *Matrix) scaleRows(length func(row []float64) float64) *Matrix {
	out, _ := m.mapRows(func(_ int, row []float64) error { // fails only where this does
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
