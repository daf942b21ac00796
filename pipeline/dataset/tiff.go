package dataset

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/image/tiff"
)

func isTIFF(data []byte) bool {
	return bytes.HasPrefix(data, []byte("II*\x00")) || bytes.HasPrefix(data, []byte("MM\x00*"))
}

// Tags of TIFF 6.0, section 8 and following.
const (
	tiffWidth        = 256
	tiffHeight       = 257
	tiffBits         = 258
	tiffCompression  = 259
	tiffPhotometric  = 262
	tiffStrips       = 273
	tiffOrientation  = 274
	tiffSamples      = 277
	tiffStripBytes   = 279
	tiffPlanar       = 284
	tiffTiles        = 324
	tiffTileBytes    = 325
	tiffSampleFormat = 339
)

// inspectTIFF reads the directory of a TIFF image and checks that its strips or tiles
// are in the file. It refuses what libtiff would turn, blend or convert, so that pixels
// are those stored.
func inspectTIFF(data []byte) (width, height int, err error) {
	d, err := readTIFF(data)
	if err != nil {
		return 0, 0, err
	}
	samples, bits := d.one(tiffSamples, 1), d.values(tiffBits, 1)
	photometric := d.one(tiffPhotometric, -1)
	switch compression := d.one(tiffCompression, 1); {
	case d.more:
		return 0, 0, errors.New("the TIFF has several pages, want a single image")
	case d.one(tiffOrientation, 1) != 1:
		return 0, 0, fmt.Errorf("the TIFF is stored turned or mirrored (orientation %d), want orientation 1: homographies refer to pixels as stored", d.one(tiffOrientation, 1))
	case samples != 1 && samples != 3:
		return 0, 0, fmt.Errorf("the TIFF has %d samples per pixel (4 are alpha or CMYK), want 1 (grey) or 3 (RGB)", samples)
	case photometric < 0 || photometric > 3 || (samples == 3) != (photometric == 2):
		return 0, 0, fmt.Errorf("the TIFF has %d samples per pixel of colour model %d, want grey (0 or 1), RGB (2) or a palette (3)", samples, photometric)
	case slices.ContainsFunc(bits, func(b int) bool { return b != bits[0] || b != 8 && b != 16 }) || photometric == 3 && bits[0] != 8:
		return 0, 0, fmt.Errorf("the TIFF has samples of %v bits, want 8 or 16", bits)
	case slices.ContainsFunc(d.values(tiffSampleFormat, 1), func(f int) bool { return f != 1 }):
		return 0, 0, errors.New("the TIFF has signed or floating-point samples, want whole numbers without sign")
	case d.one(tiffPlanar, 1) != 1:
		return 0, 0, errors.New("the TIFF stores colours in separate planes, want them together")
	case !slices.Contains([]int{1, 5, 8, 32773, 32946}, compression):
		return 0, 0, fmt.Errorf("the TIFF has compression %d, want none (1), LZW (5), Deflate (8) or PackBits (32773)", compression)
	}
	at, lengths := d.values(tiffStrips, -1), d.values(tiffStripBytes, -1)
	if d.has(tiffTiles) {
		at, lengths = d.values(tiffTiles, -1), d.values(tiffTileBytes, -1)
	}
	if len(at) != len(lengths) {
		return 0, 0, fmt.Errorf("damaged: the TIFF has %d parts with %d lengths", len(at), len(lengths))
	}
	for i := range at {
		if at[i] < 0 || at[i]+lengths[i] > len(data) {
			return 0, 0, errTruncated
		}
	}
	return d.one(tiffWidth, 0), d.one(tiffHeight, 0), nil
}

// A tiffDirectory holds the numbers of the first directory of a TIFF file.
type tiffDirectory struct {
	fields map[uint16][]int
	more   bool // further directories follow
}

func readTIFF(data []byte) (d tiffDirectory, err error) {
	var order binary.ByteOrder = binary.LittleEndian
	if data[0] == 'M' {
		order = binary.BigEndian
	}
	if len(data) < 8 {
		return d, errTruncated
	}
	at := int64(order.Uint32(data[4:]))
	if at+2 > int64(len(data)) {
		return d, errTruncated
	}
	n := int64(order.Uint16(data[at:]))
	end := at + 2 + 12*n
	if end+4 > int64(len(data)) {
		return d, errTruncated
	}
	d.more = order.Uint32(data[end:]) != 0
	d.fields = make(map[uint16][]int)
	for entry := data[at+2 : end]; len(entry) > 0; entry = entry[12:] {
		size := map[uint16]int64{1: 1, 3: 2, 4: 4}[order.Uint16(entry[2:])] // BYTE, SHORT, LONG
		if size == 0 {
			continue
		}
		count, values := int64(order.Uint32(entry[4:])), entry[8:12]
		if size*count > 4 {
			from := int64(order.Uint32(values))
			if from+size*count > int64(len(data)) {
				return d, errTruncated
			}
			values = data[from : from+size*count]
		}
		list := make([]int, count)
		for i := range list {
			switch size {
			case 1:
				list[i] = int(values[i])
			case 2:
				list[i] = int(order.Uint16(values[2*i:]))
			case 4:
				list[i] = int(order.Uint32(values[4*i:]))
			}
		}
		d.fields[order.Uint16(entry)] = list
	}
	return d, nil
}

func (d tiffDirectory) has(tag uint16) bool { return len(d.fields[tag]) > 0 }

// values returns the numbers of a field, or a single one without the field.
func (d tiffDirectory) values(tag uint16, otherwise int) []int {
	if d.has(tag) {
		return d.fields[tag]
	}
	return []int{otherwise}
}

func (d tiffDirectory) one(tag uint16, otherwise int) int { return d.values(tag, otherwise)[0] }

// checkTIFF returns an error if the coded data do not give all pixels or, with Deflate,
// do not have their checksum. libtiff, as OpenCV calls it, fills damaged parts with what
// it has.
func checkTIFF(data []byte) error {
	if _, err := tiff.Decode(bytes.NewReader(data)); err != nil {
		return fmt.Errorf("damaged TIFF: %w", oneLine(err))
	}
	return nil
}
