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
	planes := make([]gocv.Mat, 3)
	for i := range planes {
		planes[i] = gocv.NewMat()
	}
	defer closeAll(planes)
	for i := range planes {
		channel := 2 - i // OpenCV's order is B, G, R
		if err := gocv.ExtractChannel(img.BGR, &planes[i], channel); err != nil {
			return nil, fmt.Errorf("extract colour channel %d: %w", channel, detect.OneLine(err))
		}
	}
	return siftOfPlanes(planes, kps, p)
}

// extractRGBSIFTMean returns the mean of the three rows that RGB-SIFT
// concatenates, rounded once to float32.
func extractRGBSIFTMean(img detect.Image, kps []keypoints.Keypoint, p keypoints.Params) (*descriptors.Matrix, error) {
	rgb, err := extractRGBSIFT(img, kps, p)
	if err != nil {
		return nil, err
	}
	m := descriptors.New(rgb.Rows, siftDim, descriptors.Float32)
	for i := range m.Rows {
		row := rgb.Uint8[i*rgb.Dim:][:rgb.Dim]
		for j := range siftDim {
			sum := int(row[j]) + int(row[siftDim+j]) + int(row[2*siftDim+j])
			m.Float32[i*siftDim+j] = float32(sum) / 3
		}
	}
	return m, nil
}
