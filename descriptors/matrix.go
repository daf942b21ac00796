// Package descriptors provides descriptor matrices and the operations on their
// rows that need no pixels: rooting, normalisation, pooling, fusion and
// validity. It is pure Go.
package descriptors

import (
	"fmt"
	"slices"
)

// An ElementType says how the elements of a Matrix are stored.
type ElementType uint8

const (
	// Uint8 rows hold small integers exactly, as OpenCV's SIFT produces them.
	Uint8 ElementType = iota
	// Float32 rows hold real numbers.
	Float32
	// Bits rows hold binary descriptors, eight bits to a byte. If the last byte
	// holds fewer, they are its low bits, as in OpenCV's AKAZE, and the others
	// are 0.
	Bits
)

// elementTypes are the names of the types in files and tables.
var elementTypes = []string{"uint8", "float32", "bits"}

// String returns the type's name in files and tables.
func (t ElementType) String() string { return elementTypes[t] }

// FindElementType returns the type with the given name and whether it exists.
func FindElementType(name string) (t ElementType, ok bool) {
	i := slices.Index(elementTypes, name)
	return ElementType(max(i, 0)), i >= 0
}

// MaxDim is the maximum number of elements of a row, far above that of any
// descriptor. It limits what is allocated for rows that a file merely declares.
const MaxDim = 1 << 16

// A Matrix holds one descriptor per row; row i describes keypoint i.
//
// Invalid rows do not describe their keypoint. The code that fills a matrix
// marks them once, with Mark and MarkEmpty. Every matrix derived from it keeps
// the marks, and code that compares rows relies on them.
type Matrix struct {
	Rows, Dim int // Dim counts elements: numbers, or bits
	Type      ElementType

	Uint8   []uint8   // Type Uint8: Rows×Dim; Type Bits: Rows×⌈Dim/8⌉
	Float32 []float32 // Type Float32: Rows×Dim

	// UnitNorm, only with Type Uint8, says that the rows represent their
	// L2-normalised values, which are never written out. Distances are then
	// those of the normalised rows, computed exactly from the integers.
	UnitNorm bool

	invalid []bool // per row; nil: all are valid
}

// New returns a matrix of zeros in which no row is marked.
func New(rows, dim int, t ElementType) *Matrix {
	m := &Matrix{Rows: rows, Dim: dim, Type: t}
	if t == Float32 {
		m.Float32 = make([]float32, rows*m.Stride())
	} else {
		m.Uint8 = make([]uint8, rows*m.Stride())
	}
	return m
}

// Check returns an error if the fields of m are inconsistent.
func (m *Matrix) Check() error {
	if m.Rows < 0 || m.Dim <= 0 {
		return fmt.Errorf("want a shape of at least 0×1, found %d×%d", m.Rows, m.Dim)
	}
	if m.Dim > MaxDim {
		return fmt.Errorf("want at most %d elements per row, found %d×%d", MaxDim, m.Rows, m.Dim)
	}
	stored, other := len(m.Uint8), len(m.Float32)
	switch m.Type {
	case Uint8, Bits:
	case Float32:
		stored, other = other, stored
	default:
		return fmt.Errorf("unknown element type %d", m.Type)
	}
	if stored != m.Rows*m.Stride() || other != 0 {
		return fmt.Errorf("want %d×%d elements of type %v, found %d, and %d of a different type", m.Rows, m.Stride(), m.Type, stored, other)
	}
	if m.UnitNorm && m.Type != Uint8 {
		return fmt.Errorf("unit norm is only for uint8 rows, found %v", m.Type)
	}
	return nil
}

// Stride returns the number of stored elements (bytes or floats) per row.
func (m *Matrix) Stride() int {
	if m.Type == Bits {
		return (m.Dim + 7) / 8
	}
	return m.Dim
}
