package extract

import (
	"fmt"

	"gocv.io/x/gocv"

	"descbench/descriptors"
	"descbench/keypoints"
	"descbench/keypoints/detect"
)

// rgbPlanes describes keypoints in the red, green and blue planes, in this order:
// 3×128 elements per row (van de Sande, Gevers, Snoek, PAMI 2010, section 3).
func rgbPlanes() []part {
	return []part{siftOf("red", channel(2)), siftOf("green", channel(1)), siftOf("blue", channel(0))}
}

// channel returns a channel of the colour image, in OpenCV's order B, G, R.
func channel(c int) func(detect.Image) (gocv.Mat, error) {
	return func(img detect.Image) (gocv.Mat, error) {
		plane := gocv.NewMat()
		if err := gocv.ExtractChannel(img.BGR, &plane, c); err != nil {
			_ = plane.Close()
			return gocv.Mat{}, fmt.Errorf("extract colour channel %d: %w", c, detect.OneLine(err))
		}
		return plane, nil
	}
}

// meanOfPlanes returns the mean of the three rows that RGB-SIFT concatenates,
// rounded once to float32.
func meanOfPlanes(rgb *descriptors.Matrix, _ keypoints.Params) (*descriptors.Matrix, error) {
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
