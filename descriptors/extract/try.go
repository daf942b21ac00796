package extract

import (
	"fmt"

	"gocv.io/x/gocv"

	"descbench/descriptors"
	"descbench/keypoints"
	"descbench/keypoints/detect"
)

// Try describes one keypoint of a small drawing, with the kind's defaults, and
// returns what keeps it from giving a valid row, if anything does.
func Try(k descriptors.Kind) error {
	const side = 64
	pixels := make([]byte, 0, side*side*3)
	for y := range side {
		for x := range side {
			pixels = append(pixels, byte(4*x), byte(2*(x+y)), byte(255-3*y))
		}
	}
	bgr, err := gocv.NewMatFromBytes(side, side, gocv.MatTypeCV8UC3, pixels)
	if err != nil {
		return fmt.Errorf("make a drawing: %w", err)
	}
	img, err := detect.NewImage(bgr)
	if err != nil {
		return err
	}
	defer img.Close()
	params := keypoints.Defaults(k.Params)
	point := keypoints.Keypoint{X: side / 2, Y: side / 2, Size: 8, Octave: 1 << 8, ClassID: -1}
	rows, err := Extract(img, []keypoints.Keypoint{point}, k.Name, params)
	if err != nil {
		return err
	}
	if rows.Dim != k.Dim || rows.Type != k.Type || rows.IsInvalid(0) {
		return fmt.Errorf("a drawing gave a row of %d × %s (invalid: %t), want %d × %s", rows.Dim, rows.Type, rows.IsInvalid(0), k.Dim, k.Type)
	}
	return nil
}
