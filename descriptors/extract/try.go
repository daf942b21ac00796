package extract

import (
	"fmt"
	"math"

	"gocv.io/x/gocv"

	"descbench/descriptors"
	"descbench/keypoints"
	"descbench/keypoints/detect"
)

// Try detects keypoints in a synthetic image and describes them with the kind's
// default parameters. It returns an error if it gets no valid row.
func Try(k descriptors.Kind) error {
	img, err := Drawing()
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
		return fmt.Errorf("a synthetic image gave %d rows of %d × %s, %d of them invalid, want at least 1 valid row of %d × %s",
			rows.Rows, rows.Dim, rows.Type, rows.CountInvalid(), dim, t)
	}
	return nil
}

// Drawing returns a synthetic image of coloured discs on a gradient, in which
// every detector finds keypoints. The caller closes it.
func Drawing() (detect.Image, error) {
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
		return detect.Image{}, fmt.Errorf("make a synthetic image: %w", err)
	}
	return detect.NewImage(borrowed)
}
