package extract

import (
	"fmt"
	"slices"

	"gocv.io/x/gocv"

	"descbench/descriptors"
	"descbench/keypoints"
	"descbench/keypoints/detect"
)

const siftDim = 128

// siftOf describes keypoints in a plane, which is 8-bit and of the size of the
// image, with 128 elements per row. Keypoints that are not describable keep a row
// of zeros. The caller of plane closes the matrix; with an error there is none.
func siftOf(name string, plane func(detect.Image) (gocv.Mat, error)) part {
	return part{
		name: "sift " + name,
		describe: func(img detect.Image, kps []keypoints.Keypoint, p keypoints.Params) (*descriptors.Matrix, error) {
			m, err := plane(img)
			if err != nil {
				return nil, err
			}
			defer m.Close()
			return describePlane(m, kps, p)
		},
		company: func(img detect.Image, kps []keypoints.Keypoint, p keypoints.Params) string {
			pyramid, _ := siftInput(kps, img.Width(), img.Height(), p)
			return fmt.Sprintf("doubled: %v", pyramid.doubled())
		},
	}
}

// grayPlane returns a copy, which costs nothing next to a scale space.
func grayPlane(img detect.Image) (gocv.Mat, error) { return img.Gray.Clone(), nil }

func describePlane(plane gocv.Mat, kps []keypoints.Keypoint, p keypoints.Params) (*descriptors.Matrix, error) {
	m := descriptors.New(len(kps), siftDim, descriptors.Uint8)
	pyramid, below := siftInput(kps, plane.Cols(), plane.Rows(), p)
	n := len(pyramid.given)
	described, err := compute("sift", plane, n, p, query{rows: upTo(n), given: pyramid.given})
	if err != nil {
		return nil, err
	}
	for j, row := range pyramid.rows {
		m.CopyRow(row, described, j)
	}
	for j, row := range below.rows {
		described, err := computeEnlarged(plane, below.given[j], p)
		if err != nil {
			return nil, err
		}
		m.CopyRow(row, described, 0)
	}
	return m, nil
}

// doubled reports whether OpenCV starts the pyramid at the doubled image. It does
// so only if a keypoint needs it, and otherwise gets different pixels in the
// octaves above.
func (q query) doubled() bool {
	return slices.ContainsFunc(q.given, func(k gocv.KeyPoint) bool {
		octave, _ := keypoints.UnpackOctave(int32(k.Octave))
		return octave < 0
	})
}

// siftInput returns the describable keypoints: those of OpenCV's pyramid, perhaps with one
// more that has no row, and those below it.
func siftInput(kps []keypoints.Keypoint, w, h int, p keypoints.Params) (pyramid, below query) {
	for row, k := range kps {
		if !describable(k, w, h, p.Int("n_octave_layers")) {
			continue
		}
		if k.Angle == keypoints.NoAngle && p[descriptors.OpenCVAngle] != true {
			k.Angle = 0 // upright
		}
		q := &pyramid
		if belowPyramid(k) {
			q = &below
		}
		q.rows, q.given = append(q.rows, row), append(q.given, detect.ToOpenCV(k))
	}
	if len(pyramid.given) > 0 && p.Choice("pyramid") == "full" {
		pyramid.given = append(pyramid.given, gocv.KeyPoint{X: float64(w / 2), Y: float64(h / 2), Size: 2, Octave: 1<<8 | 255})
	}
	return pyramid, below
}

// detectAndDescribeSIFT marks the rows that describePlane would leave at zero.
func detectAndDescribeSIFT(kind string, img detect.Image, p keypoints.Params) ([]keypoints.Keypoint, *descriptors.Matrix, error) {
	found, m, err := detectAndCompute(kind, img, p)
	for i, k := range found {
		if err == nil && !describable(k, img.Width(), img.Height(), p.Int("n_octave_layers")) {
			m.Mark(i)
		}
	}
	return found, m, err
}
