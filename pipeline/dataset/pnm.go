package dataset

import (
	"errors"
	"fmt"
)

// isPNM reports whether a file is a PBM, PGM or PPM image: ASCII (P1 to P3) or binary
// (P4 to P6).
func isPNM(data []byte) bool {
	return len(data) > 2 && data[0] == 'P' && '1' <= data[1] && data[1] <= '6'
}

// inspectPNM reads the header of a binary PPM (P6), PGM (P5) or PBM (P4) image and
// checks that the file has the length that follows from it (netpbm, ppm(5)).
func inspectPNM(data []byte, maxPixels int) (width, height int, err error) {
	if data[1] < '4' {
		return 0, 0, fmt.Errorf("the image is ASCII (P%c), want it binary (P%c)", data[1], data[1]+3)
	}
	width, height, at, err := pnmSize(data)
	if err != nil {
		return 0, 0, err
	}
	largest := 1
	if data[1] > '4' {
		if largest, at, err = pnmNumber(data, at); err != nil {
			return 0, 0, err
		}
		if largest != 255 && largest != 65535 {
			// OpenCV does not scale samples of other ranges.
			return 0, 0, fmt.Errorf("samples up to %d, want 255 or 65535", largest)
		}
	}
	if width < 1 || height < 1 || width > maxPixels/height {
		return width, height, nil // inspect reports the error
	}
	at++                   // a single blank ends the header
	row := (width + 7) / 8 // bytes
	if data[1] > '4' {
		row = width
	}
	if data[1] == '6' {
		row *= 3
	}
	if largest == 65535 {
		row *= 2
	}
	if want := row * height; len(data)-at < want {
		return 0, 0, fmt.Errorf("%w: %d bytes of pixels, want %d", errTruncated, max(0, len(data)-at), want)
	}
	return width, height, nil
}

// pnmSize reads the width and the height, and returns the index behind them.
func pnmSize(data []byte) (width, height, at int, err error) {
	if width, at, err = pnmNumber(data, 2); err == nil {
		height, at, err = pnmNumber(data, at)
	}
	return width, height, at, err
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
			return 0, 0, fmt.Errorf("byte %d of the PPM header is %q, want a number", at, c)
		default:
			for ; at < len(data) && '0' <= data[at] && data[at] <= '9'; at++ {
				if n = 10*n + int(data[at]-'0'); n > 1<<30 {
					return 0, 0, errors.New("a number of the PPM header is too large")
				}
			}
			return n, at, nil
		}
	}
	return 0, 0, errTruncated
}
