package dataset

import (
	"bytes"
	"errors"
	"fmt"
)

// maxPixels is the maximum size of an image: 64 megapixels. A header with a
// larger size is more likely to be damaged than real.
const maxPixels = 1 << 26

// errTruncated is the fault of a file that ends too early.
var errTruncated = errors.New("the image file is truncated")

// inspect returns the width and height of a PNG, JPEG or binary PPM image. It
// checks that the file is complete without decoding it, because OpenCV decodes
// the existing part of a truncated image and fills the rest with grey. Like
// OpenCV, it detects the format from the content, not from the file name.
func inspect(data []byte) (width, height int, err error) {
	switch {
	case len(data) == 0:
		return 0, 0, errors.New("the file is empty, want a PNG, JPEG or PPM image")
	case bytes.HasPrefix(data, []byte(pngSignature)):
		width, height, err = inspectPNG(data)
	case bytes.HasPrefix(data, []byte{0xff, 0xd8, 0xff}):
		width, height, err = inspectJPEG(data)
	case bytes.HasPrefix(data, []byte("P6")), bytes.HasPrefix(data, []byte("P5")):
		width, height, err = inspectPNM(data)
	default:
		return 0, 0, fmt.Errorf("begins with %q, want a PNG, JPEG or binary PPM image", data[:min(8, len(data))])
	}
	if err != nil {
		return 0, 0, err
	}
	if width < 1 || height < 1 || width > maxPixels/height {
		return 0, 0, fmt.Errorf("%dx%d px, want at least 1 px and at most %d", width, height, maxPixels)
	}
	return width, height, nil
}
