//go:build gocv_contrib_xfeatures2d

package extract

import (
	"descbench/descriptors"
	"descbench/keypoints"
	"descbench/keypoints/detect"
)

// extractSURF describes keypoints by position and size. OpenCV finds their
// orientation anew and drops those without a gradient in the image.
func extractSURF(img detect.Image, kps []keypoints.Keypoint, p keypoints.Params) (*descriptors.Matrix, error) {
	dim, t := shapeOf("surf", p)
	m := newMatrix(len(kps), dim, t)
	w, h := float32(img.Width()), float32(img.Height())
	// OpenCV checks hardly anything itself: the window, 21 pixels a scale wide,
	// must have a pixel, and be no matter of gigabytes.
	given := tagged(kps, func(k keypoints.Keypoint) bool {
		scale := k.Size * 1.2 / 9
		return k.Finite() && 21*scale >= 1 && scale <= min(w, h)+1 && k.X >= -0.5 && k.X < w-0.5 && k.Y >= -0.5 && k.Y < h-0.5
	})
	surf, err := detect.NewSURF(p)
	if err != nil {
		return nil, err
	}
	defer surf.Close()
	return m, compute(m, &surf, img.Gray, given, tags)
}

func detectAndDescribeSURF(img detect.Image, dp, kp keypoints.Params) ([]keypoints.Keypoint, *descriptors.Matrix, error) {
	dim, t := shapeOf("surf", kp)
	surf, err := detect.NewSURF(union(dp, kp))
	if err != nil {
		return nil, nil, err
	}
	defer surf.Close()
	return detectAndCompute(&surf, img.Gray, dim, t)
}
