package keypointio

import (
	"fmt"
	"io"
	"slices"

	"descbench/keypoints"
	"descbench/keypoints/npz"
)

// positionsName is the array of positions. D2-Net (Dusmanu et al., CVPR 2019) and
// R2D2 (Revaud et al., NeurIPS 2019) write it, and scores.
const positionsName = "keypoints"

// ReadArchive reads the keypoints of an archive. It must have
//
//	keypoints  N×2: x, y in px; N×3: x, y, size; N×4: x, y, size, angle
//
// and may have, with one element per keypoint (N or N×1),
//
//	scores            the response
//	size, angle       unless they are columns of keypoints
//	octave, class_id  whole numbers
//
// of any integer type or float32 or float64, in C or Fortran order. Other arrays
// stay unread. Errors name the array, and the row.
//
// The third column is a size as in R2D2's files, in px. D2-Net's are N×3 too, but
// the third is how many times the image was reduced, 1 without --multiscale.
func ReadArchive(archive *npz.Archive) (set keypoints.Set, err error) {
	columns, err := readPositions(archive, &set)
	if err != nil {
		return keypoints.Set{}, err
	}
	for _, a := range attributes[2:] { // behind x and y
		if !archive.Has(a.array) {
			continue
		}
		if slices.Contains(columns, a.name) {
			return keypoints.Set{}, fmt.Errorf("%s is given twice, as an array and as a column of %s", a.name, positionsName)
		}
		if err := readAttribute(archive, a, set); err != nil {
			return keypoints.Set{}, err
		}
	}
	return set, nil
}

// readPositions makes the keypoints of set from the columns of the array
// keypoints, and returns the names of the columns.
func readPositions(archive *npz.Archive, set *keypoints.Set) (columns []string, err error) {
	array, err := archive.Array(positionsName)
	if err != nil {
		return nil, err
	}
	if len(array.Shape) != 2 || array.Shape[1] < 2 || array.Shape[1] > 4 {
		return nil, fmt.Errorf("%s: shape %s, want (N, 2), (N, 3) or (N, 4)", positionsName, array.ShapeString())
	}
	values, err := array.Float64s()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", positionsName, err)
	}
	n, width := array.Shape[0], array.Shape[1]
	set.Keypoints = slices.Repeat([]keypoints.Keypoint{unset}, n)
	for row := range n {
		for j, a := range attributes[:width] {
			if err := a.set(&set.Keypoints[row], values[row*width+j]); err != nil {
				return nil, fmt.Errorf("%s: row %d: %w", positionsName, row, err)
			}
		}
	}
	for _, a := range attributes[:width] {
		columns = append(columns, a.name)
	}
	return columns, nil
}

// readAttribute stores the elements of an array in the keypoints.
func readAttribute(archive *npz.Archive, a attribute, set keypoints.Set) error {
	array, err := archive.Array(a.array)
	if err != nil {
		return err
	}
	n := set.Len()
	if !slices.Equal(array.Shape, []int{n}) && !slices.Equal(array.Shape, []int{n, 1}) {
		return fmt.Errorf("%s: shape %s, want (%d,), one for each keypoint", a.array, array.ShapeString(), n)
	}
	values, err := array.Float64s()
	if err != nil {
		return fmt.Errorf("%s: %w", a.array, err)
	}
	for row, v := range values {
		if err := a.set(&set.Keypoints[row], v); err != nil {
			return fmt.Errorf("%s: row %d: %w", a.array, row, err)
		}
	}
	return nil
}

// WriteNPZ writes the arrays keypoints (N×2), size, angle and scores (float32),
// octave and class_id (int32), uncompressed, so that ReadFile gives back the same
// bits, equal sets give equal bytes, and numpy.load opens it. Source is not
// written.
func WriteNPZ(w io.Writer, set keypoints.Set) error {
	return npz.WriteArchive(w, Members(set), "")
}

// Members returns the arrays of WriteNPZ, for archives with others beside them,
// such as descriptors.
func Members(set keypoints.Set) []npz.Member {
	n := set.Len()
	positions := make([]float32, 0, 2*n)
	for _, k := range set.Keypoints {
		positions = append(positions, k.X, k.Y)
	}
	members := []npz.Member{npz.Of(positions, n, 2).Member(positionsName)}
	for _, a := range attributes[2:] { // behind x and y
		members = append(members, column(a, set).Member(a.array))
	}
	return members
}

func column(a attribute, set keypoints.Set) npz.Array {
	n := set.Len()
	if a.int != nil {
		v := make([]int32, n)
		for i := range v {
			v[i] = *a.int(&set.Keypoints[i])
		}
		return npz.Of(v, n)
	}
	v := make([]float32, n)
	for i := range v {
		v[i] = *a.real(&set.Keypoints[i])
	}
	return npz.Of(v, n)
}
