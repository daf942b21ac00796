package extract

import (
	"fmt"

	"gocv.io/x/gocv"

	"descbench/descriptors"
	"descbench/keypoints"
	"descbench/keypoints/detect"
)

// extractRGBSIFT describes the keypoints in the red, green and blue planes, in
// this order: 3×128 elements per row (van de Sande, Gevers, Snoek, PAMI 2010,
// section 3).
func extractRGBSIFT(img detect.Image, kps []keypoints.Keypoint, p keypoints.Params) (*descriptors.Matrix, error) {
	var planes [3]gocv.Mat
	for i := range planes {
		planes[i] = gocv.NewMat()
		defer planes[i].Close()
		channel := 2 - i // OpenCV's order is B, G, R
		if err := gocv.ExtractChannel(img.BGR, &planes[i], channel); err != nil {
			return nil, fmt.Errorf("channel %d of the image: %w", channel, err)
		}
	}
	return siftOfPlanes(planes[:], kps, p)
}
