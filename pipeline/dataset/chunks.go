package dataset

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/png"
)

func sizeOfPNG(data []byte) (image.Config, error) { return png.DecodeConfig(bytes.NewReader(data)) }

func decodePNG(data, bgr []byte) error {
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return err
	}
	return toBGR(img, bgr)
}

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
