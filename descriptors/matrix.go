// Package descriptors holds descriptor matrices and the arithmetic on their
// rows that needs no pixels: rooting, normalisation, validity. It is pure Go.
package descriptors

import "fmt"

// An ElementType says how the elements of a Matrix are stored.
type ElementType uint8

const (
	// Uint8 rows hold small integers exactly, as OpenCV's SIFT produces them.
	Uint8 ElementType = iota
	// Float32 rows hold real numbers.
	Float32
	// Bits rows hold binary descriptors, eight bits to a byte.
	Bits
)

// String returns the name of the type in files and tables.
func (t ElementType) String() string {
	switch t {
	case Uint8:
		return "uint8"
	case Float32:
		return "float32"
	case Bits:
		return "bits"
	}
	return fmt.Sprintf("ElementType(%d)", uint8(t))
}

// A Matrix holds one descriptor per row, row i being that of keypoint i.
type Matrix struct {
	Rows, Dim int // Dim counts elements: numbers, or bits
	Type      ElementType

	Uint8   []uint8   // Type Uint8: Rows×Dim; Type Bits: Rows×⌈Dim/8⌉
	Float32 []float32 // Type Float32: Rows×Dim

	// UnitNorm, only with Type Uint8, says that the rows stand for their
	// L2-normalised selves, which are never written out: distances are then
	// those of the normalised rows, in exact arithmetic from the integers.
	UnitNorm bool

	// Invalid marks the rows that describe nothing: not finite, of zero norm
	// (Uint8 and Float32), or of a keypoint that could not be described. nil
	// means that there are none.
	Invalid []bool
}

// Stride returns the number of stored elements (bytes or floats) per row.
func (m *Matrix) Stride() int {
	if m.Type == Bits {
		return (m.Dim + 7) / 8
	}
	return m.Dim
}

// IsInvalid reports whether row i describes nothing.
func (m *Matrix) IsInvalid(i int) bool { return m.Invalid != nil && m.Invalid[i] }

// CountInvalid returns the number of invalid rows.
func (m *Matrix) CountInvalid() int {
	n := 0
	for _, v := range m.Invalid {
		if v {
			n++
		}
	}
	return n
}
