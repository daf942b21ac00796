package unitfile

import (
	"fmt"

	"descbench/descriptors"
	"descbench/pipeline/files/npz"
)

// Features is the format of a descriptor matrix, such as the rows of an image. It has the arrays
//
//	descriptors   Rows×Dim uint8 or float32; bits: Rows×⌈Dim/8⌉ uint8
//	valid         Rows bool: the row describes something
//	element_type  text, "uint8", "float32" or "bits"
//	dim           int64, elements per row: numbers or bits
//	unit_norm     bool: the uint8 rows are compared in L2-normalised form
var Features = Format[*descriptors.Matrix]{"features", matrixMembers, readMatrix}

func matrixMembers(m *descriptors.Matrix) ([]npz.Member, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	elements := npz.Of(m.Uint8, m.Rows, m.Stride())
	if m.Type == descriptors.Float32 {
		elements = npz.Of(m.Float32, m.Rows, m.Stride())
	}
	return []npz.Member{
		elements.Member("descriptors"),
		npz.Of(m.Valid(), m.Rows).Member("valid"),
		npz.Text(m.Type.String(), 7).Member("element_type"),
		npz.Of([]int64{int64(m.Dim)}).Member("dim"),
		npz.Of([]bool{m.UnitNorm}).Member("unit_norm"),
	}, nil
}

func readMatrix(a *npz.Archive) (*descriptors.Matrix, error) {
	m := &descriptors.Matrix{}
	var err error
	if m.Type, err = readElementType(a); err != nil {
		return nil, err
	}
	if m.Type == descriptors.Float32 {
		m.Float32, err = readArray[float32](a, "descriptors", 2)
	} else {
		m.Uint8, err = readArray[uint8](a, "descriptors", 2)
	}
	if err != nil {
		return nil, err
	}
	dim, err := readArray[int64](a, "dim", 0)
	if err != nil {
		return nil, err
	}
	unit, err := readArray[bool](a, "unit_norm", 0)
	if err != nil {
		return nil, err
	}
	valid, err := readArray[bool](a, "valid", 1)
	if err != nil {
		return nil, err
	}
	m.Rows, m.Dim, m.UnitNorm = len(valid), int(dim[0]), unit[0]
	for i, v := range valid {
		if !v {
			m.Mark(i)
		}
	}
	return m, m.Check()
}

func readElementType(a *npz.Archive) (descriptors.ElementType, error) {
	array, err := a.Array("element_type")
	if err != nil {
		return 0, err
	}
	name, err := array.Text()
	if t, ok := descriptors.FindElementType(name); ok {
		return t, nil
	}
	if err == nil {
		err = fmt.Errorf("want uint8, float32 or bits, found %q", name)
	}
	return 0, fmt.Errorf("element_type: %w", err)
}

// readArray returns the elements of an array with the given number of dimensions.
func readArray[T npz.Element](a *npz.Archive, name string, dimensions int) ([]T, error) {
	array, err := a.Array(name)
	if err != nil {
		return nil, err
	}
	v, err := npz.Elements[T](array, dimensions)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return v, nil
}
