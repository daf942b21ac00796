package dataset

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// Markers of JPEG (ITU-T T.81, table B.1).
const (
	jpegSOF0 = 0xc0 // start of frame: c0 to cf except the next three
	jpegDHT  = 0xc4
	jpegJPG  = 0xc8
	jpegDAC  = 0xcc
	jpegSOF  = 0xcf
	jpegRST0 = 0xd0
	jpegRST7 = 0xd7
	jpegEOI  = 0xd9
	jpegSOS  = 0xda
	jpegTEM  = 0x01
)

// maxJPEGScans is the maximum number of scans of a progressive JPEG. Encoders
// write about 10. A file of a few kilobytes with thousands of scans would take
// hours to decode.
const maxJPEGScans = 100

func isJPEG(data []byte) bool { return bytes.HasPrefix(data, []byte{0xff, 0xd8, 0xff}) }

// inspectJPEG walks the segments and the coded data between them until the
// end-of-image marker. It skips that of a thumbnail, which is inside a segment.
func inspectJPEG(data []byte) (width, height int, err error) {
	at, scans := 2, 0 // after SOI
	for {
		if at < len(data) && data[at] != 0xff {
			return 0, 0, fmt.Errorf("damaged: byte %d is %#02x, want a JPEG marker", at, data[at])
		}
		for at < len(data) && data[at] == 0xff { // markers may be padded with ff
			at++
		}
		if at >= len(data) {
			return 0, 0, errTruncated
		}
		marker := data[at]
		at++
		switch {
		case marker == jpegEOI:
			if width == 0 {
				return 0, 0, errors.New("the JPEG contains no image")
			}
			return width, height, nil
		case marker == jpegTEM || jpegRST0 <= marker && marker <= jpegRST7:
			continue // markers without a segment
		}
		if len(data)-at < 2 {
			return 0, 0, errTruncated
		}
		length := int(binary.BigEndian.Uint16(data[at:]))
		if length < 2 {
			return 0, 0, fmt.Errorf("damaged: JPEG segment %#02x at byte %d is %d bytes long, want at least 2", marker, at, length)
		}
		if length > len(data)-at {
			return 0, 0, errTruncated
		}
		if isFrame(marker) {
			if length < 8 {
				return 0, 0, fmt.Errorf("damaged: the JPEG frame header is %d bytes long, want at least 8", length)
			}
			if channels := data[at+7]; channels != 1 && channels != 3 {
				return 0, 0, fmt.Errorf("the JPEG has %d colour channels (4 are CMYK), want 1 (grey) or 3", channels)
			}
			height, width = int(binary.BigEndian.Uint16(data[at+3:])), int(binary.BigEndian.Uint16(data[at+5:]))
		}
		at += length
		if marker == jpegSOS {
			if scans++; scans > maxJPEGScans {
				return 0, 0, fmt.Errorf("the JPEG has more than %d scans", maxJPEGScans)
			}
			if at = endOfScan(data, at); at < 0 {
				return 0, 0, errTruncated
			}
		}
	}
}

func isFrame(marker byte) bool {
	return jpegSOF0 <= marker && marker <= jpegSOF && marker != jpegDHT && marker != jpegJPG && marker != jpegDAC
}

// endOfScan returns the end of the coded data that starts at index at: the index
// of the next marker's ff byte, not counting stuffed ff bytes and restart
// markers. It returns -1 if there is no such marker.
func endOfScan(data []byte, at int) int {
	for {
		i := bytes.IndexByte(data[at:], 0xff)
		if i < 0 || at+i+1 >= len(data) {
			return -1
		}
		at += i
		next := data[at+1]
		if next != 0 && next != 0xff && (next < jpegRST0 || next > jpegRST7) {
			return at
		}
		at++
		if next != 0xff {
			at++
		}
	}
}
