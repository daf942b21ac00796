package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"io"
	"strings"

	"descbench/keypoints/detect"
)

// errTruncated is the fault of a file that ends too early.
var errTruncated = errors.New("the image file is truncated")

// wanted names the formats of images.
const wanted = "want a PNG, JPEG, binary PPM or PGM image" + convert

// convert tells how to change the format of an image.
const convert = " (ImageMagick: convert FILE FILE.png)"

// A format reads one kind of image files. The content decides the format, not the name
// of the file. A decoder must return an error for a file that is truncated: nothing
// else checks that.
type format struct {
	name  string
	magic string // the beginning of files
	// choose returns the part of a file that is its only image, and its EXIF data, or
	// refuses a file whose pixels have no single meaning. Nil: the whole file is the
	// image.
	choose func(data []byte) (picture, exif []byte, err error)
	size   func(picture []byte) (image.Config, error) // needs only the beginning
	decode func(picture, bgr []byte) error            // writes blue, green and red of each pixel
}

var formats = []format{
	{"PNG", "\x89PNG\r\n\x1a\n", choosePNG, sizeOfPNG, decodePNG},
	{"JPEG", "\xff\xd8\xff", chooseJPEG, sizeOfJPEG, decodeJPEG},
	{"PNM", "P5", nil, sizeOfPNM, decodePNM},
	{"PNM", "P6", nil, sizeOfPNM, decodePNM},
}

// formatOf returns the format of a file.
func formatOf(data []byte) (format, error) {
	if len(data) == 0 {
		return format{}, errors.New("the file is empty, " + wanted)
	}
	for _, f := range formats {
		if bytes.HasPrefix(data, []byte(f.magic)) {
			return f, nil
		}
	}
	return format{}, fmt.Errorf("begins with %q, %s", data[:min(8, len(data))], wanted)
}

// A header is what the header of an image file says.
type header struct {
	format
	picture       []byte // the image in the file
	width, height int    // px
}

// readHeader returns the header of an image of at most maxPixels, without its pixels.
// It refuses images that are to be turned: homographies refer to pixels as stored.
func readHeader(data []byte, maxPixels int) (h header, err error) {
	if h.format, err = formatOf(data); err != nil {
		return h, err
	}
	var exif []byte
	if h.picture = data; h.choose != nil {
		if h.picture, exif, err = h.choose(data); err != nil {
			return h, err
		}
	}
	if turned := orientation(exif); turned != 1 {
		return h, fmt.Errorf("the %s is stored turned or mirrored (orientation %d), want orientation 1: homographies refer to pixels as stored; if these do, remove the tag (exiftool -Orientation= FILE), else turn the pixels", h.name, turned)
	}
	c, err := h.size(h.picture)
	if err != nil {
		return h, h.damage(err)
	}
	h.width, h.height = c.Width, c.Height
	if h.width < 1 || h.height < 1 {
		return h, fmt.Errorf("the image is %dx%d px, want at least 1x1", h.width, h.height)
	}
	if h.width > maxPixels/h.height {
		return h, fmt.Errorf("the image is %dx%d px, %.1f megapixels, want at most %g (dataset.max_megapixels)",
			h.width, h.height, float64(h.width)*float64(h.height)/1e6, float64(maxPixels)/1e6)
	}
	return h, nil
}

// damage returns the error of a decoder as one line that names the format.
func (f format) damage(err error) error {
	if errors.Is(err, errTruncated) {
		return err
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errTruncated
	}
	text := detect.OneLine(err).Error()
	for _, prefix := range []string{strings.ToLower(f.name) + ": ", "invalid format: "} {
		text = strings.TrimPrefix(text, prefix)
	}
	return fmt.Errorf("cannot decode the %s: %s", f.name, text)
}
