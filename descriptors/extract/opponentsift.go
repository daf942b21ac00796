package extract

import (
	"fmt"

	"gocv.io/x/gocv"

	"descbench/keypoints/detect"
)

// opponentPlanes describes keypoints in the planes of the opponent colour space
// O1 = (R-G)/√2, O2 = (R+G-2B)/√6, O3 = (R+G+B)/√3, in this order: 3×128 elements
// per row (van de Sande, Gevers, Snoek, PAMI 2010, section 3).
//
// The planes have 8 bits: the possible range of each is mapped linearly to 0 to 255
// and rounded to the nearest integer. SIFT does not depend on offset and gain, so
// only the rounding affects it.
func opponentPlanes() []part {
	return []part{
		siftOf("opponent 1", opponent(func(b, g, r int) int { return (r - g + 255 + 1) / 2 })),       // from the range -255 to 255
		siftOf("opponent 2", opponent(func(b, g, r int) int { return (r + g - 2*b + 510 + 2) / 4 })), // from the range -510 to 510
		siftOf("opponent 3", opponent(func(b, g, r int) int { return (r + g + b + 1) / 3 })),         // from the range 0 to 765
	}
}

// opponent returns the plane of a function of the colour.
func opponent(of func(b, g, r int) int) func(detect.Image) (gocv.Mat, error) {
	return func(img detect.Image) (gocv.Mat, error) {
		pixels, err := img.BGR.DataPtrUint8()
		if err != nil {
			return gocv.Mat{}, fmt.Errorf("colour image: %w", err)
		}
		plane := make([]uint8, len(pixels)/3)
		for i := range plane {
			plane[i] = uint8(of(int(pixels[3*i]), int(pixels[3*i+1]), int(pixels[3*i+2])))
		}
		return gocv.NewMatFromBytes(img.Height(), img.Width(), gocv.MatTypeCV8UC1, plane)
	}
}
