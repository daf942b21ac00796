package dataset

import (
	"errors"
	"fmt"
	"image"
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

func readPNM(data []byte) (h pnm, err error) {
	at := 2
	for _, n := range []*int{&h.width, &h.height} {
		if *n, at, err = pnmNumber(data, at); err != nil {
			return h, err
		}
	}
	h.channels, h.bytes = 1+2*int(data[1]-'5'), 1
	largest := 0
	if largest, at, err = pnmNumber(data, at); err != nil {
		return h, err
	}
	if largest != 255 && largest != 65535 {
		return h, fmt.Errorf("samples up to %d, want 255 or 65535", largest)
	}
	if largest == 65535 {
		h.bytes = 2
	}
	h.pixels = at + 1 // behind a single blank
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

// pnmNumber reads a number of the header, skipping blanks and comments before it.
func pnmNumber(data []byte, at int) (n, next int, err error) {
	for comment := false; at < len(data); at++ {
		c := data[at]
		switch {
		case comment:
			comment = c != '\n' && c != '\r'
		case c == '#':
			comment = true
		case c == ' ' || '\t' <= c && c <= '\r':
		case c < '0' || c > '9':
			return 0, 0, fmt.Errorf("byte %d of the header is %q, want a number", at, c)
		default:
			for ; at < len(data) && '0' <= data[at] && data[at] <= '9'; at++ {
				if n = 10*n + int(data[at]-'0'); n > 1<<30 {
					return 0, 0, errors.New("a number of the header is too large")
				}
			}
			return n, at, nil
		}
	}
	return 0, 0, errTruncated
}
