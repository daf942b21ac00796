package extract

import (
	"fmt"

	"descbench/descriptors"
	"descbench/descriptors/surf"
	"descbench/keypoints"
	"descbench/keypoints/detect"
)

// SURFImplementation is the name of the SURF implementation in use. OpenCV's SURF is
// not in its main modules nor in Debian's packages.
const SURFImplementation = "descbench's own"

// detectSURF finds SURF keypoints in the grey image, strongest first. The class
// is the sign of the Laplacian.
func detectSURF(img detect.Image, p keypoints.Params) ([]keypoints.Keypoint, error) {
	gray, params, err := surfInput(img, p)
	if err != nil {
		return nil, err
	}
	return surf.Detect(gray, params), nil
}

// extractSURF describes keypoints by position and size; their orientation is
// recomputed.
func extractSURF(img detect.Image, kps []keypoints.Keypoint, p keypoints.Params) (*descriptors.Matrix, error) {
	gray, params, err := surfInput(img, p)
	if err != nil {
		return nil, err
	}
	_, m := surf.Describe(gray, kps, params)
	return m, nil
}

func detectAndDescribeSURF(img detect.Image, p keypoints.Params) ([]keypoints.Keypoint, *descriptors.Matrix, error) {
	gray, params, err := surfInput(img, p)
	if err != nil {
		return nil, nil, err
	}
	found, m := surf.DetectAndDescribe(gray, params)
	return found, m, nil
}

// surfInput returns the input of package surf: the grey image, which shares the
// pixels of img, and the parameters of the surf detector, the descriptor or
// both; parameters missing from p get their defaults.
func surfInput(img detect.Image, p keypoints.Params) (*surf.Gray, surf.Params, error) {
	pixels, err := img.Gray.DataPtrUint8()
	if err != nil {
		return nil, surf.Params{}, fmt.Errorf("grey image: %w", err)
	}
	gray := &surf.Gray{Pix: pixels, Width: img.Width(), Height: img.Height()}
	p = detect.Complete("surf", p)
	return gray, surf.Params{
		HessianThreshold: p.Float("hessian_threshold"),
		NOctaves:         p.Int("n_octaves"),
		NOctaveLayers:    p.Int("n_octave_layers"),
		Extended:         p.Bool("extended"),
		Upright:          p.Bool("upright"),
	}, nil
}
