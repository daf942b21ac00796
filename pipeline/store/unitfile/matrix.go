package unitfile

import (
	"fmt"

	"descbench/descriptors"
	"descbench/pipeline/files/importer"
	"descbench/pipeline/files/npz"
)

// Features is the format of a descriptor matrix, such as the rows of an image: the arrays of
// importer.RowMembers, and unit_norm, a bool: the uint8 rows are compared in L2-normalised form.
var Features = Format[*descriptors.Matrix]{
	kind: "features",
	members: func(m *descriptors.Matrix) ([]npz.Member, error) {
		members, err := importer.RowMembers(m)
		return append(members, npz.Of([]bool{m.UnitNorm}).Member("unit_norm")), err
	},
	read: func(a *npz.Archive) (*descriptors.Matrix, error) {
		m, err := importer.StoredRows(a)
		if err != nil {
			return nil, err
		}
		unit, err := readArray[bool](a, "unit_norm", 0)
		if err != nil {
			return nil, err
		}
		m.UnitNorm = unit[0]
		return m, m.Check()
	},
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
