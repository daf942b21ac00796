package dataset

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
)

// choosePNG looks for chunks that say more than the pixels (W3C, Portable Network
// Graphics Specification, section 11).
func choosePNG(data []byte) (picture, exif []byte, err error) {
	for at := 8; at+8 <= len(data); {
		end := at + 8 + int(binary.BigEndian.Uint32(data[at:]))
		switch string(data[at+4 : at+8]) {
		case "IEND":
			if end+4 <= len(data) {
				return data, exif, nil
			}
		case "acTL":
			return nil, nil, errors.New("the PNG is animated, want a single image")
		case "eXIf":
			exif = data[at+8 : min(end, len(data))]
		}
		at = end + 4 // behind the checksum
	}
	return nil, nil, errTruncated
}

// chooseWebP returns a file of only the chunk with colours (RFC 9649, section 2), so
// that its size cannot differ from the one in a header before it.
func chooseWebP(data []byte) (picture, exif []byte, err error) {
	for at := 12; at+8 <= len(data); {
		length := int(binary.LittleEndian.Uint32(data[at+4:]))
		end := at + 8 + length
		body := data[at+8 : min(end, len(data))]
		switch string(data[at : at+4]) {
		case "ANIM", "ANMF":
			return nil, nil, errors.New("the WebP is animated, want a single image")
		case "EXIF":
			exif = bytes.TrimPrefix(body, []byte(exifSignature))
		case "VP8 ", "VP8L":
			picture = slices.Concat(data[:12], data[at:at+8], body)
		}
		at = end + length%2
	}
	switch end := 8 + int(binary.LittleEndian.Uint32(data[4:])); {
	case end > len(data):
		return nil, nil, errTruncated
	case picture == nil:
		return nil, nil, errors.New("the WebP has no pixels")
	}
	return picture, exif, nil
}
