package extract

import (
	"fmt"
	"math/rand/v2"

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

// Drawing returns a synthetic image of coloured discs that lie on top of each other, in which
// every detector finds keypoints, corner and blob detectors more than 500. It is not square, so
// that positions in wrong order are outside. The caller closes it.
func Drawing() (detect.Image, error) {
	const width, height, discs = 352, 264, 1800
	random := rand.New(rand.NewPCG(1, 0))
	pixels := make([]byte, width*height*3)
	for range discs {
		x0, y0, radius := random.IntN(width), random.IntN(height), 3+random.IntN(12)
		colour := []byte{byte(random.IntN(256)), byte(random.IntN(256)), byte(random.IntN(256))}
		for y := max(0, y0-radius); y < min(height, y0+radius); y++ {
			for x := max(0, x0-radius); x < min(width, x0+radius); x++ {
				if (x-x0)*(x-x0)+(y-y0)*(y-y0) < radius*radius {
					copy(pixels[3*(y*width+x):], colour)
				}
			}
		}
	}
	borrowed, err := gocv.NewMatFromBytes(height, width, gocv.MatTypeCV8UC3, pixels)
	if err != nil {
		return detect.Image{}, fmt.Errorf("make a synthetic image: %w", err)
	}
	return detect.NewImage(borrowed)
}
