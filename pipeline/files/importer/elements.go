package importer

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"descbench/descriptors"
	"descbench/pipeline/files/npz"
)

// Elements states the type of the rows of a file: the name of a
// descriptors.ElementType, or "" to leave it to the file.
type Elements string

// The values of Elements.
const (
	Bits    Elements = "bits"    // packed bits, compared by Hamming distance
	Uint8   Elements = "uint8"   // numbers stored as bytes
	Float32 Elements = "float32" // any numbers
)

// ErrUnstated reports a file whose rows may be packed bits as well as numbers:
// their distances differ, and neither the file nor Options.Elements says which.
var ErrUnstated = errors.New("may be packed bits or numbers; " +
	"set elements to bits (as of ORB, BRISK or AKAZE), uint8 or float32")

// maxPackedBytes is the length of the longest binary descriptors in use: 512
// bits (BRISK, FREAK). Longer rows of bytes are numbers, such as those of SIFT.
const maxPackedBytes = 64

// typeOf returns the type of the rows in an array: that which the options or the archive states.
func (o Options) typeOf(archive *npz.Archive, rows npz.Array) (descriptors.ElementType, error) {
	elements := o.Elements
	if archive.Has(elementTypeArray) {
		array, err := archive.Array(elementTypeArray)
		if err != nil {
			return 0, err
		}
		stated, err := array.Text()
		if err != nil {
			return 0, fmt.Errorf("%s: %w", elementTypeArray, err)
		}
		if elements != "" && stated != string(elements) {
			return 0, fmt.Errorf("%s: the file states %.20s, but the config says elements: %s; correct or remove elements", descriptorsArray, stated, elements)
		}
		elements = Elements(stated)
	}
	if elements == "" && rows.Shape[1] <= maxPackedBytes && holdsBytes(rows) {
		return 0, fmt.Errorf("%s: rows of %d bytes %w", descriptorsArray, rows.Shape[1], ErrUnstated)
	} else if elements == "" {
		return descriptors.Float32, nil
	}
	t, ok := descriptors.FindElementType(string(elements))
	if !ok {
		return 0, fmt.Errorf("%s: %.20q, want uint8, float32 or bits", elementTypeArray, elements)
	}
	return t, nil
}

// holdsBytes reports whether an array has elements, all of them whole numbers
// from 0 to 255 of an integer type.
func holdsBytes(array npz.Array) bool {
	if !strings.ContainsAny(kindOf(array)[:1], "iu") || slices.Contains(array.Shape, 0) {
		return false
	}
	return array.Each(func(_ int, v float64) error {
		if v < 0 || v > math.MaxUint8 {
			return errors.New("not a byte")
		}
		return nil
	}) == nil
}

// kindOf returns an array's element type without its byte order, such as u1.
func kindOf(array npz.Array) string { return strings.TrimLeft(array.Type, "<>|=") }

// checkPadding returns an error if the last byte of a row holds bits beyond
// m.Dim. Distances are of whole bytes, so these must be 0 in valid rows.
func checkPadding(m *descriptors.Matrix) error {
	used := m.Dim % 8
	if m.Type != descriptors.Bits || used == 0 {
		return nil
	}
	for i := range m.Rows {
		if last := m.Uint8[(i+1)*m.Stride()-1]; last>>used != 0 && !m.IsInvalid(i) {
			return fmt.Errorf("row %d: the last byte is %d, want at most %d: only its low %d bits belong to the %d bits of a row",
				i, last, 1<<used-1, used, m.Dim)
		}
	}
	return nil
}
