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

// extractSURF describes keypoints by position and size; their orientation is
// recomputed.
func extractSURF(img detect.Image, kps []keypoints.Keypoint, p keypoints.Params) (*descriptors.Matrix, error) {
	gray, err := surfGray(img)
	if err != nil {
		return nil, err
	}
	_, m := surf.Describe(gray, kps, p)
	return m, nil
}

func detectAndDescribeSURF(_ string, img detect.Image, p keypoints.Params) ([]keypoints.Keypoint, *descriptors.Matrix, error) {
	gray, err := surfGray(img)
	if err != nil {
		return nil, nil, err
	}
	found, m := surf.DetectAndDescribe(gray, p)
	return found, m, nil
}

// surfGray returns the grey image for package surf, which shares the pixels of img.
func surfGray(img detect.Image) (*surf.Gray, error) {
	pixels, err := img.Gray.DataPtrUint8()
	if err != nil {
		return nil, fmt.Errorf("grey image: %w", err)
	}
	return &surf.Gray{Pix: pixels, Width: img.Width(), Height: img.Height()}, nil
}
