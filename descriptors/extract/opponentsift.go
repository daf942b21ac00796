package extract

import (
	"errors"
	"fmt"

	"gocv.io/x/gocv"

	"descbench/descriptors"
	"descbench/keypoints"
	"descbench/keypoints/detect"
)

// extractOpponentSIFT describes the keypoints in the planes of the opponent
// colour space O1 = (R-G)/√2, O2 = (R+G-2B)/√6, O3 = (R+G+B)/√3, in this order:
// 3×128 elements per row (van de Sande, Gevers, Snoek, PAMI 2010, section 3).
func extractOpponentSIFT(img detect.Image, kps []keypoints.Keypoint, p keypoints.Params) (*descriptors.Matrix, error) {
	planes, err := opponentPlanes(img.BGR)
	defer closeAll(planes)
	if err != nil {
		return nil, err
	}
	return siftOfPlanes(planes, kps, p)
}

// opponentPlanes returns O1, O2 and O3 in 8 bits: the possible range of each is
// mapped linearly to 0 to 255 and rounded to the nearest integer. SIFT does not
// depend on offset and gain, so only the rounding affects it.
func opponentPlanes(bgr gocv.Mat) ([]gocv.Mat, error) {
	pixels, err := bgr.DataPtrUint8()
	if err != nil {
		return nil, fmt.Errorf("colour image: %w", err)
	}
	planes := make([]gocv.Mat, 3)
	var o [3][]uint8
	for i := range planes {
		err := detect.Call(func() bool {
			planes[i] = gocv.NewMatWithSize(bgr.Rows(), bgr.Cols(), gocv.MatTypeCV8UC1)
			return !planes[i].Empty() // as it is without memory
		})
		if err == nil {
			o[i], err = planes[i].DataPtrUint8()
		}
		if err == nil && len(o[i]) != bgr.Rows()*bgr.Cols() {
			err = errors.New("OpenCV returned no matrix")
		}
		if err != nil {
			return planes[:i+1], fmt.Errorf("opponent colour plane %d: %w", i+1, err)
		}
	}
	for i := range o[0] {
		b, g, r := int(pixels[3*i]), int(pixels[3*i+1]), int(pixels[3*i+2])
		o[0][i] = uint8((r - g + 255 + 1) / 2)       // from the range -255 to 255
		o[1][i] = uint8((r + g - 2*b + 510 + 2) / 4) // from the range -510 to 510
		o[2][i] = uint8((r + g + b + 1) / 3)         // from the range 0 to 765
	}
	return planes, nil
}

func closeAll(mats []gocv.Mat) {
	for i := range mats {
		mats[i].Close()
	}
}
