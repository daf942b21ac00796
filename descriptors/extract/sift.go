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
	if len(pyramid.rows) > 0 { // gocv's Compute panics on an empty list
		described, err := computeSIFT(plane, pyramid.given, p)
		if err != nil {
			return nil, err
		}
		for j, row := range pyramid.rows {
			copy(m.Uint8[row*siftDim:][:siftDim], described[j*siftDim:])
		}
	}
	for j, row := range below.rows {
		described, err := computeEnlarged(plane, below.given[j], p)
		if err != nil {
			return nil, err
		}
		copy(m.Uint8[row*siftDim:][:siftDim], described)
	}
	return m, nil
}

// A siftQuery holds describable keypoints in OpenCV's form and their rows. given
// may be longer.
type siftQuery struct {
	rows  []int
	given []gocv.KeyPoint
}

// doubled reports whether OpenCV starts the pyramid at the doubled image. It does
// so only if a keypoint needs it, and otherwise gets different pixels in the
// octaves above.
func (q siftQuery) doubled() bool {
	return slices.ContainsFunc(q.given, func(k gocv.KeyPoint) bool {
		octave, _ := keypoints.UnpackOctave(int32(k.Octave))
		return octave < 0
	})
}

// siftInput returns the describable keypoints: those of OpenCV's pyramid, and
// those below it.
func siftInput(kps []keypoints.Keypoint, w, h int, p keypoints.Params) (pyramid, below siftQuery) {
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

// computeSIFT returns OpenCV's rows for the keypoints, 128 elements each.
func computeSIFT(plane gocv.Mat, kps []gocv.KeyPoint, p keypoints.Params) ([]uint8, error) {
	layers, sigma := p.Int("n_octave_layers"), p.Float("sigma")
	sift := gocv.NewSIFTWithParams(nil, &layers, nil, nil, &sigma)
	defer sift.Close()
	noMask := gocv.NewMat()
	defer noMask.Close()

	var rows []uint8
	var wrong error
	err := detect.Call(func() bool {
		kept, mat := sift.Compute(plane, noMask, kps)
		defer mat.Close()
		rows, wrong = siftRows(mat, kps, kept)
		return wrong == nil
	})
	if err != nil {
		return nil, err
	}
	return rows, wrong
}

// detectAndDescribeSIFT clears the rows that describePlane would leave at zero.
func detectAndDescribeSIFT(img detect.Image, detectorParams, kindParams keypoints.Params) ([]keypoints.Keypoint, *descriptors.Matrix, error) {
	kps, rows, err := detectAndComputeSIFT(img.Gray, detectorParams)
	if err != nil {
		return nil, nil, err
	}
	found := detect.FromOpenCV(kps)
	m := &descriptors.Matrix{Rows: len(found), Dim: siftDim, Type: descriptors.Uint8, Uint8: rows}
	for i, k := range found {
		if !describable(k, img.Width(), img.Height(), kindParams.Int("n_octave_layers")) {
			clear(m.Uint8[i*siftDim : (i+1)*siftDim])
		}
	}
	return found, m, nil
}

func detectAndComputeSIFT(gray gocv.Mat, p keypoints.Params) (found []gocv.KeyPoint, rows []uint8, err error) {
	sift := detect.NewSIFT(p)
	defer sift.Close()
	noMask := gocv.NewMat()
	defer noMask.Close()

	var wrong error
	err = detect.Call(func() bool {
		kps, mat := sift.DetectAndCompute(gray, noMask)
		defer mat.Close()
		found, rows, wrong = kps, nil, nil
		if len(kps) == 0 {
			return false // an exception, or an image without keypoints
		}
		rows, wrong = siftRows(mat, kps, kps)
		return wrong == nil
	})
	if err == nil {
		err = wrong
	}
	return found, rows, err
}

// siftRows copies OpenCV's rows, which hold integers from 0 to 255 as
// floating-point numbers. It checks that they do and that they belong to the
// requested keypoints in order.
func siftRows(mat gocv.Mat, asked, kept []gocv.KeyPoint) ([]uint8, error) {
	if len(kept) != len(asked) {
		return nil, fmt.Errorf("OpenCV kept %d of %d keypoints, want all", len(kept), len(asked))
	}
	for i := range asked {
		if kept[i] != asked[i] {
			return nil, fmt.Errorf("OpenCV changed keypoint %d from %+v to %+v", i, asked[i], kept[i])
		}
	}
	if mat.Rows() != len(asked) || mat.Cols() != siftDim || mat.Type() != gocv.MatTypeCV32F {
		return nil, fmt.Errorf("OpenCV returned %d×%d descriptors of type %v, want %d×%d of type %v",
			mat.Rows(), mat.Cols(), mat.Type(), len(asked), siftDim, gocv.MatTypeCV32F)
	}
	values, err := mat.DataPtrFloat32()
	if err != nil {
		return nil, fmt.Errorf("OpenCV's descriptors: %w", err)
	}
	rows := make([]uint8, len(values))
	for i, v := range values {
		if !(v >= 0 && v <= 255) || v != float32(uint8(v)) {
			return nil, fmt.Errorf("OpenCV's SIFT row %d, element %d is %v, want an integer from 0 to 255", i/siftDim, i%siftDim, v)
		}
		rows[i] = uint8(v)
	}
	return rows, nil
}
