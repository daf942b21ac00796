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

// typeOf returns the type of the rows of a file that states its type or not ("").
// bytes says that every number in the file is a whole number from 0 to 255 and
// stored as one.
func (o Options) typeOf(stated Elements, columns int, bytes bool) (descriptors.ElementType, error) {
	switch {
	case stated != "" && o.Elements != "" && stated != o.Elements:
		return 0, fmt.Errorf("the file states %s, but the config says elements: %s; correct or remove elements", stated, o.Elements)
	case stated == "" && o.Elements == "" && bytes && columns <= maxPackedBytes:
		return 0, fmt.Errorf("rows of %d bytes %w", columns, ErrUnstated)
	case stated == "":
		stated = o.Elements
	}
	if stated == "" {
		return descriptors.Float32, nil
	}
	t, ok := descriptors.FindElementType(string(stated))
	if !ok {
		return 0, fmt.Errorf("element type %s, want uint8, float32 or bits", stated)
	}
	return t, nil
}

// statedElements returns the type that an archive states for its rows, "" if it does
// not.
func statedElements(archive *npz.Archive) (Elements, error) {
	if !archive.Has(elementTypeArray) {
		return "", nil
	}
	array, err := archive.Array(elementTypeArray)
	if err != nil {
		return "", err
	}
	name, err := array.Text()
	if err != nil {
		return "", fmt.Errorf("%s: %w", elementTypeArray, err)
	}
	if _, ok := descriptors.FindElementType(name); !ok {
		return "", fmt.Errorf("%s: %.20q, want uint8, float32 or bits", elementTypeArray, name)
	}
	return Elements(name), nil
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
