package extract

import (
	"fmt"
	"math"

	"gocv.io/x/gocv"

	"descbench/descriptors"
	"descbench/keypoints"
	"descbench/keypoints/detect"
)

// Try detects keypoints in a drawing and describes them, with the kind's
// defaults, and returns what keeps it from giving a valid row, if anything does.
func Try(k descriptors.Kind) error {
	img, err := drawing()
	if err != nil {
		return err
	}
	defer img.Close()
	d, _ := keypoints.FindDetector(k.Detector())
	set, err := Detect(img, d.Name, keypoints.Defaults(d.Params))
	if err != nil {
		return err
	}
	params := keypoints.Defaults(k.Params)
	rows, err := Extract(img, set.Keypoints, k.Name, params)
	if err != nil {
		return err
	}
	dim, t := k.Shape(params)
	if rows.Dim != dim || rows.Type != t || rows.CountInvalid() == rows.Rows {
		return fmt.Errorf("a drawing gave %d rows of %d × %s, %d of them invalid, want some valid ones of %d × %s",
			rows.Rows, rows.Dim, rows.Type, rows.CountInvalid(), dim, t)
	}
	return nil
}

// drawing returns a picture of coloured discs on a slope, in which every
// detector finds something.
func drawing() (detect.Image, error) {
	const side, spacing = 160, 32
	pixels := make([]byte, 0, side*side*3)
	for y := range side {
		for x := range side {
			radius := float64(5 + 2*(x/spacing+2*(y/spacing))%9)
			if math.Hypot(float64(x%spacing-spacing/2), float64(y%spacing-spacing/2)) < radius {
				pixels = append(pixels, byte(30+x/2), byte(20+y/2), 40)
			} else {
				pixels = append(pixels, byte(120+x/3), 200, byte(230-y/3))
			}
		}
	}
	borrowed, err := gocv.NewMatFromBytes(side, side, gocv.MatTypeCV8UC3, pixels)
	if err != nil {
		return detect.Image{}, fmt.Errorf("make a drawing: %w", err)
	}
	return detect.NewImage(borrowed)
}
