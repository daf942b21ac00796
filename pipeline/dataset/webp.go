package dataset

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"golang.org/x/image/webp"
)

func isWebP(data []byte) bool {
	return len(data) >= 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP"
}

// inspectWebP walks the chunks of the file (RFC 9649, section 2). A WebP has no
// checksums; its codes break at some damage only.
func inspectWebP(data []byte) (width, height int, err error) {
	end := int64(8) + int64(binary.LittleEndian.Uint32(data[4:]))
	if end > int64(len(data)) {
		return 0, 0, errTruncated
	}
	pixels := false
	for at := int64(12); at+8 <= end; {
		kind, length := string(data[at:at+4]), int64(binary.LittleEndian.Uint32(data[at+4:]))
		body := at + 8
		switch {
		case body+length > end:
			return 0, 0, fmt.Errorf("damaged: WebP chunk %q at byte %d is %d bytes long, but %d follow", kind, at, length, end-body)
		case kind == "ANIM" || kind == "ANMF":
			return 0, 0, errors.New("the WebP is animated, want a single image")
		case kind == "VP8 " || kind == "VP8L":
			pixels = true
		}
		at = body + length + length%2
	}
	if !pixels {
		return 0, 0, errors.New("the WebP has no pixels")
	}
	c, err := webp.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return 0, 0, fmt.Errorf("damaged: %w", err)
	}
	return c.Width, c.Height, nil
}
