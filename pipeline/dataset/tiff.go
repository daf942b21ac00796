package dataset

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// Tags of TIFF 6.0, section 8. EXIF data have the same form.
const (
	tiffOrientation = 274
	tiffSamples     = 277
	tiffPlanar      = 284
)

// chooseTIFF refuses what the decoder reads wrongly or in part.
func chooseTIFF(data []byte) (picture, exif []byte, err error) {
	d, err := readTIFF(data)
	if err != nil {
		return nil, nil, err
	}
	switch samples := d.one(tiffSamples, 1); {
	case d.more:
		err = errors.New("the TIFF has several pages, want a single image")
	case samples != 1 && samples != 3:
		err = fmt.Errorf("the TIFF has %d samples per pixel (4 are alpha or CMYK), want 1 (grey) or 3 (RGB)", samples)
	case samples > 1 && d.one(tiffPlanar, 1) != 1:
		err = errors.New("the TIFF stores colours in separate planes, want them together")
	}
	return data, data, err
}

// A tiffDirectory holds the numbers of the first directory of a TIFF file that stand
// alone.
type tiffDirectory struct {
	fields map[uint16]int
	more   bool // further directories follow
}

func readTIFF(data []byte) (d tiffDirectory, err error) {
	var order binary.ByteOrder = binary.LittleEndian
	if bytes.HasPrefix(data, []byte("MM")) {
		order = binary.BigEndian
	}
	if len(data) < 8 {
		return d, errTruncated
	}
	at := int64(order.Uint32(data[4:]))
	if at+2 > int64(len(data)) {
		return d, errTruncated
	}
	end := at + 2 + 12*int64(order.Uint16(data[at:]))
	if end+4 > int64(len(data)) {
		return d, errTruncated
	}
	d.more = order.Uint32(data[end:]) != 0
	d.fields = make(map[uint16]int)
	for entry := data[at+2 : end]; len(entry) > 0; entry = entry[12:] {
		switch kind := order.Uint16(entry[2:]); {
		case order.Uint32(entry[4:]) != 1:
		case kind == 3: // SHORT
			d.fields[order.Uint16(entry)] = int(order.Uint16(entry[8:]))
		case kind == 4: // LONG
			d.fields[order.Uint16(entry)] = int(order.Uint32(entry[8:]))
		}
	}
	return d, nil
}

// one returns the number of a field, or a default without the field.
func (d tiffDirectory) one(tag uint16, otherwise int) int {
	if n, ok := d.fields[tag]; ok {
		return n
	}
	return otherwise
}
