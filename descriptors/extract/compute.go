package extract

import (
	"fmt"

	"gocv.io/x/gocv"

	"descbench/descriptors"
	"descbench/keypoints"
	"descbench/keypoints/detect"
)

// A shape is the shape and element type of a matrix.
type shape struct {
	rows, dim int
	t         descriptors.ElementType
}

// tagged returns the describable keypoints in OpenCV's form, each with its row
// as class. OpenCV's BRISK and ORB ignore the class and return it with
// the keypoints that they keep.
func tagged(kps []keypoints.Keypoint, describable func(keypoints.Keypoint) bool) []gocv.KeyPoint {
	var given []gocv.KeyPoint
	for row, k := range kps {
		if describable(k) {
			k.ClassID = int32(row)
			given = append(given, detect.ToOpenCV(k))
		}
	}
	return given
}

// tags returns the rows that tagged stored in the keypoints kept.
func tags(kept []gocv.KeyPoint) ([]int, error) {
	rows := make([]int, len(kept))
	for i, k := range kept {
		rows[i] = k.ClassID
	}
	return rows, nil
}

// compute returns a matrix with OpenCV's rows for the given keypoints. OpenCV
// may drop and reorder keypoints; rowsOf returns the rows of the matrix that
// belong to the ones it kept.
func compute(s shape, f gocv.Feature2DComputer, gray gocv.Mat, given []gocv.KeyPoint, rowsOf func(kept []gocv.KeyPoint) ([]int, error)) (*descriptors.Matrix, error) {
	if len(given) == 0 { // gocv's Compute panics on an empty list
		return place(s, gocv.Mat{}, nil)
	}
	noMask := gocv.NewMat()
	defer noMask.Close()

	var m *descriptors.Matrix
	var wrong error
	err := detect.Call(func() bool {
		kept, mat := f.Compute(gray, noMask, given)
		defer mat.Close()
		var rows []int
		if rows, wrong = rowsOf(kept); wrong == nil {
			m, wrong = place(s, mat, rows)
		}
		return wrong == nil && len(kept) > 0
	})
	if err == nil {
		err = wrong
	}
	return m, err
}

// detectAndCompute returns the keypoints that OpenCV finds and their rows.
func detectAndCompute(f gocv.Feature2DDetectComputer, gray gocv.Mat, dim int, t descriptors.ElementType) (found []keypoints.Keypoint, m *descriptors.Matrix, err error) {
	noMask := gocv.NewMat()
	defer noMask.Close()

	var wrong error
	err = detect.Call(func() bool {
		kps, mat := f.DetectAndCompute(gray, noMask)
		defer mat.Close()
		found = detect.FromOpenCV(kps)
		rows := make([]int, len(kps))
		for i := range rows {
			rows[i] = i
		}
		m, wrong = place(shape{len(kps), dim, t}, mat, rows)
		return wrong == nil && len(kps) > 0
	})
	if err == nil {
		err = wrong
	}
	return found, m, err
}

// place returns a matrix whose row rows[j] is row j of mat, for every j, and
// whose other rows are marked. It fails if mat does not have len(rows) rows of
// the matrix's length and type, or if a row occurs twice or does not exist.
func place(s shape, mat gocv.Mat, rows []int) (*descriptors.Matrix, error) {
	m := descriptors.New(s.rows, s.dim, s.t)
	missing := make([]bool, m.Rows)
	for i := range missing {
		missing[i] = true
	}
	want := gocv.MatTypeCV8UC1
	if m.Type == descriptors.Float32 {
		want = gocv.MatTypeCV32F
	}
	if len(rows) > 0 && (mat.Rows() != len(rows) || mat.Cols() != m.Stride() || mat.Type() != want) {
		return nil, fmt.Errorf("OpenCV returned %d×%d descriptors of type %v, want %d×%d of type %v",
			mat.Rows(), mat.Cols(), mat.Type(), len(rows), m.Stride(), want)
	}
	for _, row := range rows {
		if row < 0 || row >= m.Rows || !missing[row] {
			return nil, fmt.Errorf("OpenCV returned a descriptor for keypoint %d, want at most one for each of %d keypoints", row, m.Rows)
		}
		missing[row] = false
	}
	for row, is := range missing {
		if is {
			m.Mark(row)
		}
	}
	if len(rows) == 0 {
		return m, nil
	}
	if m.Type == descriptors.Float32 {
		values, err := mat.DataPtrFloat32()
		return m, copyRows(m.Float32, values, m.Stride(), rows, err)
	}
	values, err := mat.DataPtrUint8()
	return m, copyRows(m.Uint8, values, m.Stride(), rows, err)
}

func copyRows[T uint8 | float32](to, from []T, stride int, rows []int, err error) error {
	if err != nil {
		return fmt.Errorf("OpenCV's descriptors: %w", err)
	}
	for j, row := range rows {
		copy(to[row*stride:][:stride], from[j*stride:])
	}
	return nil
}
