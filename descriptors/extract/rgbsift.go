package extract

import (
	"fmt"

	"gocv.io/x/gocv"

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
