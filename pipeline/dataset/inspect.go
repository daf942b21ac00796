package dataset

import (
	"bytes"
	"errors"
	"fmt"
)

// errTruncated is the fault of a file that ends too early.
var errTruncated = errors.New("the image file is truncated")

// formats names the formats of images.
const formats = "want a PNG, JPEG, binary PPM, PGM or PBM, BMP, TIFF, WebP or JPEG 2000 image"

// inspect returns the width and height of an image of at most maxPixels. It checks that the file is complete without decoding it, because
// OpenCV decodes the existing part of a truncated image and fills the rest with
// grey. Like OpenCV, it detects the format from the content, not from the file
// name.
func inspect(data []byte, maxPixels int) (width, height int, err error) {
	switch {
	case len(data) == 0:
		return 0, 0, errors.New("the file is empty, " + formats)
	case bytes.HasPrefix(data, []byte(pngSignature)):
		width, height, err = inspectPNG(data)
	case isJPEG(data):
		width, height, err = inspectJPEG(data)
	case isPNM(data):
		width, height, err = inspectPNM(data, maxPixels)
	case bytes.HasPrefix(data, []byte(bmpSignature)):
		width, height, err = inspectBMP(data, maxPixels)
	case isTIFF(data):
		width, height, err = inspectTIFF(data)
	case isWebP(data):
		width, height, err = inspectWebP(data)
	case isJP2(data):
		width, height, err = inspectJP2(data)
	default:
		return 0, 0, fmt.Errorf("begins with %q, %s", data[:min(8, len(data))], formats)
	}
	if err != nil {
		return 0, 0, err
	}
	if width < 1 || height < 1 {
		return 0, 0, fmt.Errorf("the image is %dx%d px, want at least 1x1", width, height)
	}
	if width > maxPixels/height {
		return 0, 0, fmt.Errorf("the image is %dx%d px, %.1f megapixels, want at most %g (dataset.max_megapixels)",
			width, height, float64(width)*float64(height)/1e6, float64(maxPixels)/1e6)
	}
	return width, height, nil
}
