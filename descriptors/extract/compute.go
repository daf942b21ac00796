package extract

import (
	"cmp"
	"fmt"

	"gocv.io/x/gocv"

	"descbench/descriptors"
	"descbench/keypoints"
	"descbench/keypoints/detect"
)

// A query holds the keypoints to pass to OpenCV, in its form, and their rows.
type query struct {
	rows   []int
	given  []gocv.KeyPoint
	tagged bool
}

// queryOf returns the query of the describable keypoints.
func queryOf(kps []keypoints.Keypoint, describable func(keypoints.Keypoint) bool) (q query) {
	for row, k := range kps {
		if describable(k) {
			q.rows, q.given = append(q.rows, row), append(q.given, detect.ToOpenCV(k))
		}
	}
	return q
}

// tag stores the row of each keypoint as its class. OpenCV's BRISK and ORB drop and
// reorder keypoints, and ignore the class and return it with those that they keep.
func (q *query) tag() {
	q.tagged = true
	for i, row := range q.rows {
		q.given[i].ClassID = row
	}
}

// rowsOf returns the rows of the keypoints that OpenCV kept: without tags all of them, in
// order; their angles may differ.
func (q query) rowsOf(kept []gocv.KeyPoint) ([]int, error) {
	if q.tagged {
		rows := make([]int, len(kept))
		for i, k := range kept {
			rows[i] = k.ClassID
		}
		return rows, nil
	}
	if len(kept) != len(q.given) {
		return nil, fmt.Errorf("OpenCV kept %d of %d keypoints, want all", len(kept), len(q.given))
	}
	for i, k := range kept {
		k.Angle = q.given[i].Angle
		if k != q.given[i] {
			return nil, fmt.Errorf("OpenCV changed keypoint %d from %+v to %+v", i, q.given[i], kept[i])
		}
	}
	return q.rows, nil
}

// empty returns the matrix for rows of a kind, zeros.
func empty(kind string, rows int, p keypoints.Params) *descriptors.Matrix {
	k, _ := descriptors.FindKind(kind)
	dim, t := k.Shape(p)
	return descriptors.New(rows, dim, t)
}

// compute returns OpenCV's rows of n keypoints, of which it gets those of the query.
func compute(kind string, plane gocv.Mat, n int, p keypoints.Params, q query) (*descriptors.Matrix, error) {
	if len(q.given) == 0 { // gocv's Compute panics on an empty list
		return place(empty(kind, n, p), gocv.Mat{}, nil)
	}
	f := detect.Open(kind, p)
	defer f.Close()
	_, m, err := ask(func(noMask gocv.Mat) ([]gocv.KeyPoint, gocv.Mat) {
		return f.Compute(plane, noMask, q.given)
	}, func(kept []gocv.KeyPoint, mat gocv.Mat) (*descriptors.Matrix, error) {
		rows, err := q.rowsOf(kept)
		if err != nil {
			return nil, err
		}
		return place(empty(kind, n, p), mat, rows)
	})
	return m, err
}

// detectAndCompute returns the keypoints that OpenCV finds with the detector of a kind's
// name, and their rows.
func detectAndCompute(kind string, img detect.Image, p keypoints.Params) ([]keypoints.Keypoint, *descriptors.Matrix, error) {
	f := detect.Open(kind, p)
	defer f.Close()
	found, m, err := ask(func(noMask gocv.Mat) ([]gocv.KeyPoint, gocv.Mat) {
		return f.DetectAndCompute(img.Gray, noMask)
	}, func(found []gocv.KeyPoint, mat gocv.Mat) (*descriptors.Matrix, error) {
		return place(empty(kind, len(found), p), mat, upTo(len(found)))
	})
	return detect.FromOpenCV(found), m, err
}

// upTo returns the rows 0 to n-1.
func upTo(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// ask returns the keypoints of a call to OpenCV and the matrix made of its rows.
func ask(f func(noMask gocv.Mat) ([]gocv.KeyPoint, gocv.Mat), matrix func([]gocv.KeyPoint, gocv.Mat) (*descriptors.Matrix, error)) (kps []gocv.KeyPoint, m *descriptors.Matrix, err error) {
	noMask := gocv.NewMat()
	defer noMask.Close()
	var wrong error
	err = detect.Call(func() bool {
		var mat gocv.Mat
		kps, mat = f(noMask)
		defer mat.Close()
		m, wrong = matrix(kps, mat)
		return wrong == nil && len(kps) > 0
	})
	return kps, m, cmp.Or(err, wrong)
}

// place sets row rows[j] of m to row j of mat, for every j, and marks the others. It
// returns m. It fails if mat does not have len(rows) rows of
// the matrix's length and type, or if a row occurs twice or does not exist. Rows of
// integers, of SIFT, are floating-point numbers in mat.
func place(m *descriptors.Matrix, mat gocv.Mat, rows []int) (*descriptors.Matrix, error) {
	missing := make([]bool, m.Rows)
	for i := range missing {
		missing[i] = true
	}
	want := gocv.MatTypeCV32F
	if m.Type == descriptors.Bits {
		want = gocv.MatTypeCV8UC1
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
	if m.Type == descriptors.Bits {
		values, err := mat.DataPtrUint8()
		return m, copyRows(m.Uint8, values, m.Stride(), rows, err)
	}
	values, err := mat.DataPtrFloat32()
	if m.Type == descriptors.Float32 {
		return m, copyRows(m.Float32, values, m.Stride(), rows, err)
	}
	integers := make([]uint8, len(values))
	for i, v := range values {
		if !(v >= 0 && v <= 255) || v != float32(uint8(v)) {
			return nil, fmt.Errorf("OpenCV's row %d, element %d is %v, want an integer from 0 to 255", i/m.Dim, i%m.Dim, v)
		}
		integers[i] = uint8(v)
	}
	return m, copyRows(m.Uint8, integers, m.Stride(), rows, err)
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
