package extract

import (
	"fmt"

	"gocv.io/x/gocv"

	"descbench/descriptors"
	"descbench/keypoints"
	"descbench/keypoints/detect"
)

// CanShare reports whether DetectAndDescribe takes the pair: whether detector
// and descriptor are of one scale space, which is then built once.
func CanShare(detector string, detectorParams keypoints.Params, kind string, kindParams keypoints.Params) bool {
	return detector == "sift" && kind == "sift" &&
		detectorParams.Int("n_octave_layers") == kindParams.Int("n_octave_layers") &&
		detectorParams.Float("sigma") == kindParams.Float("sigma") &&
		kindParams.Choice("pyramid") == "full" // the detector's pyramid always is
}

// DetectAndDescribe returns what Detect and Extract of its keypoints return,
// bit by bit, in one pass over the image. It fails unless CanShare.
func DetectAndDescribe(img detect.Image, detector string, detectorParams keypoints.Params, kind string, kindParams keypoints.Params) (keypoints.Set, *descriptors.Matrix, error) {
	if !CanShare(detector, detectorParams, kind, kindParams) {
		return keypoints.Set{}, nil, fmt.Errorf("detector %s (%v) and descriptor %s (%v) have no pyramid in common", detector, detectorParams, kind, kindParams)
	}
	if err := img.Check(); err != nil {
		return keypoints.Set{}, nil, fmt.Errorf("detect and describe %s: %w", kind, err)
	}
	found, rows, err := detectAndComputeSIFT(img.Gray, detectorParams)
	if err != nil {
		return keypoints.Set{}, nil, fmt.Errorf("detect and describe %s: %w", kind, err)
	}
	set := keypoints.Set{Keypoints: detect.FromOpenCV(found)}
	m := &descriptors.Matrix{Rows: set.Len(), Dim: siftDim, Type: descriptors.Uint8, Uint8: rows}
	for i, k := range set.Keypoints {
		if !describable(k, img.Width(), img.Height(), kindParams.Int("n_octave_layers")) {
			clear(m.Uint8[i*siftDim : (i+1)*siftDim]) // as Extract leaves it
		}
	}
	markZeroRows(m)
	return set, m, nil
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
