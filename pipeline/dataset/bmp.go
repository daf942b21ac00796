package dataset

import (
	"encoding/binary"
	"fmt"
)

const bmpSignature = "BM"

// inspectBMP reads the header of an uncompressed BMP image and checks that the file has
// the length that follows from it (Microsoft, Bitmap Storage: BITMAPFILEHEADER and
// BITMAPINFOHEADER).
func inspectBMP(data []byte, maxPixels int) (width, height int, err error) {
	if len(data) < 18 {
		return 0, 0, errTruncated
	}
	u16 := func(at int) int { return int(binary.LittleEndian.Uint16(data[at:])) }
	i32 := func(at int) int { return int(int32(binary.LittleEndian.Uint32(data[at:]))) }
	if header := i32(14); header < 40 {
		return 0, 0, fmt.Errorf("the BMP has a header of %d bytes, want at least 40", header)
	}
	if len(data) < 14+40 {
		return 0, 0, errTruncated
	}
	width, height = i32(18), i32(22)
	if height < 0 { // stored from top to bottom
		height = -height
	}
	bits, compression := u16(28), i32(30)
	if bits != 8 && bits != 24 && bits != 32 || compression != 0 {
		return 0, 0, fmt.Errorf("the BMP has %d bits per pixel and compression %d, want 8, 24 or 32 bits and no compression (0)", bits, compression)
	}
	if width < 1 || height < 1 || width > maxPixels/height {
		return width, height, nil // inspect reports the error
	}
	at, begin := i32(10), 14+i32(14)
	if bits == 8 { // the colours that samples stand for, all 256 if their number is 0
		colours := i32(46)
		if colours == 0 {
			colours = 256
		}
		if colours < 1 || colours > 256 {
			return 0, 0, fmt.Errorf("damaged: the BMP has a palette of %d colours, want 1 to 256", colours)
		}
		begin += 4 * colours
	}
	if at >= 0 && at < begin {
		return 0, 0, fmt.Errorf("damaged: the pixels of the BMP begin at byte %d, in its header or palette, which end at byte %d", at, begin)
	}
	if want := (width*bits + 31) / 32 * 4 * height; at < 0 || len(data)-at < want {
		return 0, 0, fmt.Errorf("%w: %d bytes of pixels, want %d", errTruncated, max(0, len(data)-max(0, at)), want)
	}
	return width, height, nil
}
