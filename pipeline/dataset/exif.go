package dataset

import (
	"bytes"
	"encoding/binary"
)

// orientation returns how the pixels of an image are to be turned, 1 if they are upright or if
// the EXIF data do not say it (CIPA DC-008, Exif 2.3, section 4.6.4). The data have the form
// of TIFF 6.0, section 8.
func orientation(exif []byte) int {
	if len(exif) < 8 {
		return 1
	}
	var order binary.ByteOrder = binary.LittleEndian
	if bytes.HasPrefix(exif, []byte("MM")) {
		order = binary.BigEndian
	}
	at := int64(order.Uint32(exif[4:])) + 2
	if at > int64(len(exif)) {
		return 1
	}
	entry := exif[at:]
	for range order.Uint16(exif[at-2:]) {
		if len(entry) < 12 {
			break
		}
		if order.Uint16(entry) == 274 {
			if order.Uint16(entry[2:]) == 4 { // LONG, else SHORT
				return int(order.Uint32(entry[8:]))
			}
			return int(order.Uint16(entry[8:]))
		}
		entry = entry[12:]
	}
	return 1
}
