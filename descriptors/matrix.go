// Package descriptors provides descriptor matrices and the operations on their
// rows that need no pixels: rooting, normalisation, pooling, fusion and
// validity. It is pure Go.
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

// String returns the type's name in files and tables.
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

// A Matrix holds one descriptor per row; row i describes keypoint i.
type Matrix struct {
	Rows, Dim int // Dim counts elements: numbers, or bits
	Type      ElementType

	Uint8   []uint8   // Type Uint8: Rows×Dim; Type Bits: Rows×⌈Dim/8⌉
	Float32 []float32 // Type Float32: Rows×Dim

	// UnitNorm, only with Type Uint8, says that the rows represent their
	// L2-normalised values, which are never written out. Distances are then
	// those of the normalised rows, computed exactly from the integers.
	UnitNorm bool

	// Invalid marks rows that do not describe anything: rows with non-finite
	// elements or zero norm (Uint8 and Float32), and rows of keypoints that
	// could not be described. nil means that all rows are valid.
	Invalid []bool
}

// Stride returns the number of stored elements (bytes or floats) per row.
func (m *Matrix) Stride() int {
	if m.Type == Bits {
		return (m.Dim + 7) / 8
	}
	return m.Dim
}

// IsInvalid reports whether row i is marked invalid.
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
