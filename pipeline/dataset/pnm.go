package dataset

import (
	"fmt"
	"image"
	"regexp"
	"strconv"
	"strings"
)

// A pnm is the header of a binary PPM (P6) or PGM (P5) image (netpbm, ppm(5)).
type pnm struct {
	width, height int
	channels      int
	bytes         int // of a sample
	pixels        int // where they begin in the file
}

func sizeOfPNM(data []byte) (image.Config, error) {
	h, err := readPNM(data)
	return image.Config{Width: h.width, Height: h.height}, err
}

// pnmHeader matches width, height and the largest sample, which follow blanks and comments, and a single blank.
var pnmHeader = regexp.MustCompile(`^P[56]` + strings.Repeat(`(?:[\s\v]|#[^\r\n]*[\r\n])+(\d{1,9})`, 3) + `[\s\v]`)

func readPNM(data []byte) (h pnm, err error) {
	m := pnmHeader.FindSubmatch(data)
	if m == nil {
		return h, fmt.Errorf("the header begins with %q, want width, height and the largest sample, of up to nine digits each", data[:min(40, len(data))])
	}
	h.width, _ = strconv.Atoi(string(m[1])) // digits
	h.height, _ = strconv.Atoi(string(m[2]))
	h.channels, h.bytes, h.pixels = 1+2*int(data[1]-'5'), 1, len(m[0])
	switch largest := string(m[3]); largest {
	case "255":
	case "65535":
		h.bytes = 2
	default:
		return h, fmt.Errorf("samples up to %s, want 255 or 65535", largest)
	}
	return h, nil
}

// decodePNM keeps the high byte of samples.
func decodePNM(data, bgr []byte) error {
	h, err := readPNM(data)
	if err != nil {
		return err
	}
	if have, want := max(0, len(data)-h.pixels), h.width*h.height*h.channels*h.bytes; have < want {
		return fmt.Errorf("%w: %d bytes of pixels, want %d", errTruncated, have, want)
	}
	data = data[h.pixels:]
	for i := range bgr {
		pixel, sample := i/3, (2-i%3)%h.channels // the file has red first
		bgr[i] = data[(pixel*h.channels+sample)*h.bytes]
	}
	return nil
}
