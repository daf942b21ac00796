package importer

import (
	"fmt"
	"io"

	"descbench/descriptors"
	"descbench/keypoints"
	"descbench/pipeline/files/keypointio"
	"descbench/pipeline/files/npz"
)

// Names of the arrays in addition to those of the keypoints.
const (
	descriptorsArray = "descriptors"
	elementTypeArray = "element_type"
	validArray       = "valid"
	dimArray         = "dim"
)

func readArchive(archive *npz.Archive, o Options) (*Features, error) {
	set, about, err := keypointio.ReadArchive(archive)
	if err != nil {
		return nil, err
	}
	f := &Features{Keypoints: set, About: about}
	if !o.KeypointsOnly {
		f.Descriptors, err = readRows(archive, set.Len(), o)
	}
	f.Ignored = archive.Unread()
	return f, err
}

// StoredRows returns the rows of an archive with the arrays of RowMembers, as they were.
func StoredRows(archive *npz.Archive) (*descriptors.Matrix, error) {
	return readRows(archive, -1, Options{})
}

// readRows reads the descriptors of n keypoints, or of as many as there are if n is negative.
func readRows(archive *npz.Archive, n int, o Options) (*descriptors.Matrix, error) {
	array, err := archive.Array(descriptorsArray)
	if err != nil {
		return nil, err
	}
	if err := checkShape(array, n, o); err != nil {
		return nil, fmt.Errorf("%s: %w", descriptorsArray, err)
	}
	elements, err := o.typeOf(archive, array)
	if err != nil {
		return nil, err
	}
	m, err := matrixOf(array, elements)
	if err != nil && kindOf(array) == "b1" {
		err = fmt.Errorf("%w; pack bits: np.packbits(rows, axis=1)", err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", descriptorsArray, err)
	}
	if archive.Has(validArray) {
		if err := readValid(archive, m); err != nil {
			return nil, err
		}
	}
	if m.Type == descriptors.Bits && archive.Has(dimArray) {
		if m.Dim, err = readDim(archive, array.Shape[1]); err != nil {
			return nil, err
		}
		if err := checkPadding(m); err != nil {
			return nil, fmt.Errorf("%s: %w", descriptorsArray, err)
		}
	}
	return m, nil
}

// checkShape returns an error if an array does not hold a row for each of n keypoints, if n is not negative.
func checkShape(array npz.Array, n int, o Options) error {
	shape, of := array.Shape, "keypoint"
	if o.Patches {
		of = "patch"
	}
	if len(shape) == 2 && (n < 0 || shape[0] == n) && shape[1] > 0 {
		return nil
	}
	hint := ""
	switch {
	case len(shape) != 2:
	case shape[0] < n && !o.Patches && shape[1] != n:
		hint = "; OpenCV's compute leaves out keypoints near the edge: a larger border avoids that"
	case shape[1] == n:
		hint = "; it may be transposed: want N×D"
	}
	return fmt.Errorf("shape %s, want (%d, D), one row per %s%s", array.ShapeString(), n, of, hint)
}

// matrixOf converts an array of rows to a matrix. Rows that do not exist are of
// any type: numpy's empty arrays are of float64.
func matrixOf(array npz.Array, elements descriptors.ElementType) (*descriptors.Matrix, error) {
	shape := array.Shape
	if elements != descriptors.Float32 && shape[0] > 0 && kindOf(array) != "u1" {
		return nil, fmt.Errorf("element type %s, want |u1 for %v rows", array.Type, elements)
	}
	perColumn := 1 // elements
	if elements == descriptors.Bits {
		perColumn = 8
	}
	if most := descriptors.MaxDim / perColumn; shape[1] > most {
		return nil, fmt.Errorf("shape %s, want at most %d columns", array.ShapeString(), most)
	}
	m := &descriptors.Matrix{Rows: shape[0], Dim: shape[1] * perColumn, Type: elements}
	var err error
	if elements == descriptors.Float32 { // faster than one by one
		m.Float32, err = npz.Elements[float32](array, 2)
	} else {
		m.Uint8, err = npz.Elements[uint8](array, 2)
	}
	if err == nil {
		return m, nil
	}
	m = descriptors.New(m.Rows, m.Dim, elements)
	err = array.Each(func(i int, v float64) error {
		if elements == descriptors.Float32 {
			m.Float32[i] = float32(v)
		} else {
			m.Uint8[i] = uint8(v)
		}
		return nil
	})
	return m, err
}

func readValid(archive *npz.Archive, m *descriptors.Matrix) error {
	array, err := archive.Array(validArray)
	if err != nil {
		return err
	}
	valid, err := npz.Elements[bool](array, 1)
	if err != nil {
		return fmt.Errorf("%s: %w", validArray, err)
	}
	if len(valid) != m.Rows {
		return fmt.Errorf("%s: shape %s, want (%d,), one element per keypoint", validArray, array.ShapeString(), m.Rows)
	}
	for i, v := range valid {
		if !v {
			m.Mark(i)
		}
	}
	return nil
}

// readDim returns the number of bits of a row of bytes.
func readDim(archive *npz.Archive, columns int) (int, error) {
	values, err := archive.Numbers(dimArray)
	if err != nil {
		return 0, err
	}
	least, most := 8*columns-7, 8*columns
	if len(values) != 1 || values[0] != float64(int(values[0])) || int(values[0]) < least || int(values[0]) > most {
		return 0, fmt.Errorf("%s: %v, want one number from %d to %d, the number of bits used in %d bytes", dimArray, values, least, most, columns)
	}
	return int(values[0]), nil
}

// RowMembers returns the arrays of descriptors: as stored (bits packed eight to a byte), valid,
// element_type, and for bits dim. UnitNorm is not among them.
func RowMembers(m *descriptors.Matrix) ([]npz.Member, error) {
	err := m.Check()
	if err == nil {
		err = checkPadding(m)
	}
	if err != nil {
		return nil, fmt.Errorf("descriptors: %w", err)
	}
	array := npz.Of(m.Uint8, m.Rows, m.Stride())
	if m.Type == descriptors.Float32 {
		array = npz.Of(m.Float32, m.Rows, m.Stride())
	}
	members := []npz.Member{array.Member(descriptorsArray), npz.Of(m.Valid(), m.Rows).Member(validArray),
		npz.Text(m.Type.String(), len(m.Type.String())).Member(elementTypeArray)}
	if m.Type == descriptors.Bits {
		members = append(members, npz.Of([]int32{int32(m.Dim)}).Member(dimArray))
	}
	return members, nil
}

// Export writes the keypoints of an image and their descriptors as an .npz file. Read returns
// the same bits, and numpy.load opens the file. The arrays are those of
// keypointio.WriteNPZ and RowMembers. Source and UnitNorm are not written:
// integer rows with UnitNorm are written as integers.
func Export(w io.Writer, set keypoints.Set, width, height int, m *descriptors.Matrix) error {
	if m.Rows != set.Len() {
		return fmt.Errorf("export features: %d keypoints and %d descriptors, want equal numbers", set.Len(), m.Rows)
	}
	rows, err := RowMembers(m)
	if err == nil {
		err = npz.WriteArchive(w, append(keypointio.Members(set, width, height), rows...), "")
	}
	if err != nil {
		return fmt.Errorf("export features: %w", err)
	}
	return nil
}
