package extract

import (
	"fmt"

	"gocv.io/x/gocv"

	"descbench/descriptors"
	"descbench/keypoints"
	"descbench/keypoints/detect"
)

// newMatrix returns a matrix of zeros.
func newMatrix(rows, dim int, t descriptors.ElementType) *descriptors.Matrix {
	m := &descriptors.Matrix{Rows: rows, Dim: dim, Type: t}
	if t == descriptors.Float32 {
		m.Float32 = make([]float32, rows*m.Stride())
	} else {
		m.Uint8 = make([]uint8, rows*m.Stride())
	}
	return m
}

// tagged returns the describable keypoints in OpenCV's form, each with its row
// as class. OpenCV's BRISK, ORB and SURF ignore the class and return it with
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

// compute fills m, which holds zeros, with OpenCV's rows for the given
// keypoints. OpenCV may drop and reorder keypoints; rowsOf returns the rows of
// m that belong to the ones it kept.
func compute(m *descriptors.Matrix, f gocv.Feature2DComputer, gray gocv.Mat, given []gocv.KeyPoint, rowsOf func(kept []gocv.KeyPoint) ([]int, error)) error {
	if len(given) == 0 {
		return place(m, gocv.Mat{}, nil) // gocv's Compute panics on an empty list
	}
	noMask := gocv.NewMat()
	defer noMask.Close()

	var wrong error
	err := detect.Call(func() bool {
		kept, mat := f.Compute(gray, noMask, given)
		defer mat.Close()
		var rows []int
		if rows, wrong = rowsOf(kept); wrong == nil {
			wrong = place(m, mat, rows)
		}
		return wrong == nil && len(kept) > 0
	})
	if err != nil {
		return err
	}
	return wrong
}

// detectAndCompute returns the keypoints that OpenCV finds and their rows.
func detectAndCompute(f gocv.Feature2DDetectComputer, gray gocv.Mat, dim int, t descriptors.ElementType) (found []keypoints.Keypoint, m *descriptors.Matrix, err error) {
	noMask := gocv.NewMat()
	defer noMask.Close()

	var wrong error
	err = detect.Call(func() bool {
		kps, mat := f.DetectAndCompute(gray, noMask)
		defer mat.Close()
		found, m = detect.FromOpenCV(kps), newMatrix(len(kps), dim, t)
		rows := make([]int, len(kps))
		for i := range rows {
			rows[i] = i
		}
		wrong = place(m, mat, rows)
		return wrong == nil && len(kps) > 0
	})
	if err == nil {
		err = wrong
	}
	return found, m, err
}

// place copies row j of mat to row rows[j] of m for every j and marks all other
// rows of m invalid. It fails if mat does not have len(rows) rows of m's length
// and type, or if a row of m occurs twice or does not exist.
func place(m *descriptors.Matrix, mat gocv.Mat, rows []int) error {
	missing := make([]bool, m.Rows)
	for i := range missing {
		missing[i] = true
	}
	m.Invalid = nil
	if len(rows) < m.Rows {
		m.Invalid = missing
	}
	if len(rows) == 0 {
		return nil
	}
	want := gocv.MatTypeCV8UC1
	if m.Type == descriptors.Float32 {
		want = gocv.MatTypeCV32F
	}
	if mat.Rows() != len(rows) || mat.Cols() != m.Stride() || mat.Type() != want {
		return fmt.Errorf("OpenCV returned %d×%d descriptors of type %v, want %d×%d of type %v",
			mat.Rows(), mat.Cols(), mat.Type(), len(rows), m.Stride(), want)
	}
	for _, row := range rows {
		if row < 0 || row >= m.Rows || !missing[row] {
			return fmt.Errorf("OpenCV returned a descriptor for keypoint %d, want at most one for each of %d keypoints", row, m.Rows)
		}
		missing[row] = false
	}
	if m.Type == descriptors.Float32 {
		values, err := mat.DataPtrFloat32()
		return copyRows(m.Float32, values, m.Stride(), rows, err)
	}
	values, err := mat.DataPtrUint8()
	return copyRows(m.Uint8, values, m.Stride(), rows, err)
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
