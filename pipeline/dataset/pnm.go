package dataset

import (
	"errors"
	"fmt"
	"image"
)

// A pnm is the header of a binary PPM (P6), PGM (P5) or PBM (P4) image (netpbm, ppm(5)).
type pnm struct {
	width, height int
	channels      int // 0: bits
	bytes         int // of a sample
	pixels        int // where they begin in the file
}

func choosePNM(data []byte) (picture, exif []byte, err error) {
	switch {
	case len(data) > 1 && '1' <= data[1] && data[1] <= '3':
		return nil, nil, fmt.Errorf("the image is ASCII (P%c), want it binary (P%c)", data[1], data[1]+3)
	case len(data) > 1 && (data[1] < '4' || data[1] > '6'):
		return nil, nil, fmt.Errorf("begins with %q, %s", data[:min(8, len(data))], wanted)
	}
	return data, nil, nil
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
	if kind := data[1]; kind > '4' {
		h.channels, h.bytes = 1+2*int(kind-'5'), 1
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
	}
	h.pixels = at + 1 // behind a single blank
	return h, nil
}

// decodePNM keeps the high byte of samples.
func decodePNM(data []byte) (image.Image, error) {
	h, err := readPNM(data)
	if err != nil {
		return nil, err
	}
	row := h.width * h.channels * h.bytes
	if h.channels == 0 {
		row = (h.width + 7) / 8
	}
	if have, want := max(0, len(data)-h.pixels), row*h.height; have < want {
		return nil, fmt.Errorf("%w: %d bytes of pixels, want %d", errTruncated, have, want)
	}
	data = data[h.pixels:]
	img := image.NewRGBA(image.Rect(0, 0, h.width, h.height))
	for i := range h.width * h.height {
		to := img.Pix[4*i:]
		if h.channels == 0 { // 1 is black
			x, y := i%h.width, i/h.width
			to[0] = 255 * (1 - data[y*row+x/8]>>(7-x%8)&1)
			to[1], to[2] = to[0], to[0]
			continue
		}
		for c := range 3 {
			to[c] = data[(i*h.channels+c%h.channels)*h.bytes]
		}
	}
	return img, nil
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
