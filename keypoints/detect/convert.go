package detect

import (
	"gocv.io/x/gocv"

	"descbench/keypoints"
)

// FromOpenCV converts gocv's keypoints without loss: gocv's 64-bit numbers were
// 32-bit in OpenCV.
func FromOpenCV(kps []gocv.KeyPoint) []keypoints.Keypoint {
	out := make([]keypoints.Keypoint, len(kps))
	for i, k := range kps {
		out[i] = keypoints.Keypoint{
			X: float32(k.X), Y: float32(k.Y), Size: float32(k.Size), Angle: float32(k.Angle),
			Response: float32(k.Response), Octave: int32(k.Octave), ClassID: int32(k.ClassID),
		}
	}
	return out
}

// ToOpenCV converts one keypoint to gocv's type.
func ToOpenCV(k keypoints.Keypoint) gocv.KeyPoint {
	return gocv.KeyPoint{
		X: float64(k.X), Y: float64(k.Y), Size: float64(k.Size), Angle: float64(k.Angle),
		Response: float64(k.Response), Octave: int(k.Octave), ClassID: int(k.ClassID),
	}
}
