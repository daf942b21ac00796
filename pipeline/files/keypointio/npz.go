package keypointio

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"descbench/keypoints"
	"descbench/pipeline/files/npz"
)

// PositionsName is the array of positions. D2-Net (Dusmanu et al., CVPR 2019)
// and R2D2 (Revaud et al., NeurIPS 2019) write this array and scores.
const PositionsName = "keypoints"

// arrayName returns the array name of a column. Every column except the first
// two, which are in PositionsName, can have its own array.
func arrayName(c keypoints.Column) string {
	if c.Name == "response" {
		return "scores"
	}
	return c.Name
}

// About says what an archive tells about its positions.
type About struct {
	Size []float64 // width and height of the image in which they are, nil without
	Half bool      // they are 16-bit numbers, which are rounded
}

// ReadArchive reads the keypoints of an archive. The archive must have
//
//	keypoints  N×2: x, y in px; N×3: x, y, size; N×4: x, y, size, angle
//
// and may have, with one element per keypoint (N or N×1),
//
//	scores            the response
//	size, angle       unless they are columns of keypoints
//	octave, class_id  whole numbers
//
// and image_size, the width and the height of the image in which the positions are (hloc),
// of any integer type or float32 or float64, in C or Fortran order. Other
// arrays remain unread. Errors contain the array name and the row.
//
// The third column is a size in px, as in R2D2's files. D2-Net's arrays are
// also N×3, but their third column is the image reduction factor, 1 without
// --multiscale.
func ReadArchive(archive *npz.Archive) (set keypoints.Set, about About, err error) {
	array, err := archive.Array(PositionsName)
	if err != nil {
		return keypoints.Set{}, about, err
	}
	about.Half = strings.HasSuffix(array.Type, "f2")
	columns, err := readPositions(array, &set)
	if err != nil {
		return keypoints.Set{}, about, err
	}
	for i, c := range keypoints.Columns()[2:] { // after x and y
		if !archive.Has(arrayName(c)) {
			continue
		}
		if 2+i < columns {
			return keypoints.Set{}, about, fmt.Errorf("%s is given twice: as an array and as a column of %s", c.Name, PositionsName)
		}
		if err := readColumn(archive, c, set); err != nil {
			return keypoints.Set{}, about, err
		}
	}
	about.Size, err = archive.Numbers("image_size")
	return set, about, err
}

// readPositions creates the keypoints of set from the columns of the array
// keypoints and returns the number of columns.
func readPositions(array npz.Array, set *keypoints.Set) (columns int, err error) {
	if len(array.Shape) != 2 || array.Shape[1] < 2 || array.Shape[1] > 4 {
		return 0, fmt.Errorf("%s: shape %s, want (N, 2), (N, 3) or (N, 4)", PositionsName, array.ShapeString())
	}
	n, width := array.Shape[0], array.Shape[1]
	if n > maxKeypoints {
		return 0, fmt.Errorf("%s: shape %s, want at most %d rows", PositionsName, array.ShapeString(), maxKeypoints)
	}
	set.Keypoints = slices.Repeat([]keypoints.Keypoint{unset}, n)
	return width, SetColumns(set.Keypoints, keypoints.Columns()[:width], PositionsName, array)
}

// SetColumns stores the elements of an array of this name, row by row, in columns of the keypoints.
func SetColumns(points []keypoints.Keypoint, columns []keypoints.Column, name string, array npz.Array) error {
	err := array.Each(func(i int, v float64) error {
		row := i / len(columns)
		if err := columns[i%len(columns)].Set(&points[row], v); err != nil {
			return fmt.Errorf("row %d: %w", row, err)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// readColumn stores the elements of a column's array in the keypoints.
func readColumn(archive *npz.Archive, c keypoints.Column, set keypoints.Set) error {
	name := arrayName(c)
	array, err := archive.Array(name)
	if err != nil {
		return err
	}
	n := set.Len()
	if !slices.Equal(array.Shape, []int{n}) && !slices.Equal(array.Shape, []int{n, 1}) {
		return fmt.Errorf("%s: shape %s, want (%d,), one element per keypoint", name, array.ShapeString(), n)
	}
	return SetColumns(set.Keypoints, []keypoints.Column{c}, name, array)
}

// WriteNPZ writes the arrays keypoints (N×2), size, angle and scores (float32),
// octave, class_id and image_size (int32), that of the image of the set, uncompressed. ReadFile
// returns the same bits, equal sets give equal bytes, and numpy.load opens the file. Source is not
// written.
func WriteNPZ(w io.Writer, set keypoints.Set, width, height int) error {
	return npz.WriteArchive(w, Members(set, width, height), "")
}

// Members returns the arrays of WriteNPZ, for archives that also contain other
// arrays such as descriptors.
func Members(set keypoints.Set, width, height int) []npz.Member {
	n := set.Len()
	positions := make([]float32, 0, 2*n)
	for _, k := range set.Keypoints {
		positions = append(positions, k.X, k.Y)
	}
	members := []npz.Member{npz.Of(positions, n, 2).Member(PositionsName)}
	for _, c := range keypoints.Columns()[2:] { // after x and y
		members = append(members, Array(c, set).Member(arrayName(c)))
	}
	return append(members, npz.Of([]int32{int32(width), int32(height)}, 2).Member("image_size"))
}

// Array returns one column of the set as a float32 or int32 array.
func Array(c keypoints.Column, set keypoints.Set) npz.Array {
	if c.Int != nil {
		return arrayOf(c.Int, set)
	}
	return arrayOf(c.Real, set)
}

func arrayOf[T npz.Element](of func(*keypoints.Keypoint) *T, set keypoints.Set) npz.Array {
	v := make([]T, set.Len())
	for i := range v {
		v[i] = *of(&set.Keypoints[i])
	}
	return npz.Of(v, len(v))
}
