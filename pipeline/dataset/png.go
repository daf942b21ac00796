package dataset

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image/png"
	"strings"
)

const pngSignature = "\x89PNG\r\n\x1a\n"

// inspectPNG walks the chunks until IEND and checks the checksum of each (W3C,
// Portable Network Graphics Specification, section 5).
func inspectPNG(data []byte) (width, height int, err error) {
	pixels := false
	for at, first := len(pngSignature), true; ; first = false {
		if len(data)-at < 12 {
			return 0, 0, errTruncated
		}
		length := binary.BigEndian.Uint32(data[at:])
		if uint64(length) > uint64(len(data)-at-12) {
			return 0, 0, errTruncated
		}
		end := at + 8 + int(length)
		kind, body := string(data[at+4:at+8]), data[at+8:end]
		if sum := binary.BigEndian.Uint32(data[end:]); sum != crc32.ChecksumIEEE(data[at+4:end]) {
			return 0, 0, fmt.Errorf("damaged: the checksum of PNG chunk %q at byte %d is wrong", kind, at)
		}
		switch {
		case first && (kind != "IHDR" || length != 13):
			return 0, 0, fmt.Errorf("the first PNG chunk is %q of %d bytes, want IHDR of 13", kind, length)
		case first:
			w, h := binary.BigEndian.Uint32(body), binary.BigEndian.Uint32(body[4:])
			if w >= 1<<31 || h >= 1<<31 {
				return 0, 0, fmt.Errorf("%dx%d px, which is not valid for a PNG", w, h)
			}
			width, height = int(w), int(h)
		case kind == "acTL":
			return 0, 0, errors.New("the PNG is animated, want a single image")
		case kind == "IDAT":
			pixels = true
		case kind == "IEND" && !pixels:
			return 0, 0, errors.New("the PNG has no pixels")
		case kind == "IEND":
			return width, height, nil
		}
		at = end + 4
	}
}

// checkPNG returns an error if the pixels do not decode. OpenCV 4.10 returns the lines
// before the damage, and no error.
func checkPNG(data []byte) error {
	if _, err := png.Decode(bytes.NewReader(data)); err != nil {
		return fmt.Errorf("the PNG is damaged: %s", strings.TrimPrefix(err.Error(), "png: "))
	}
	return nil
}
