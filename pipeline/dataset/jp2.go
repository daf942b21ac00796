package dataset

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// Beginnings of a JP2 file (ISO/IEC 15444-1, annex I.5.1) and of a bare codestream
// (SOC and SIZ markers, annex A).
const (
	jp2Signature   = "\x00\x00\x00\x0cjP  \r\n\x87\n"
	jp2kCodestream = "\xff\x4f\xff\x51"
)

func isJP2(data []byte) bool {
	return bytes.HasPrefix(data, []byte(jp2Signature)) || bytes.HasPrefix(data, []byte(jp2kCodestream))
}

// inspectJP2 walks the boxes of the file and the tile parts of the codestream until its
// end marker. JPEG 2000 has no checksums, and its decoders make pixels of any damaged
// code.
func inspectJP2(data []byte) (width, height int, err error) {
	code := data
	if bytes.HasPrefix(data, []byte(jp2Signature)) {
		if code, err = jp2Box(data); err != nil {
			return 0, 0, err
		}
	}
	if !bytes.HasPrefix(code, []byte(jp2kCodestream)) {
		return 0, 0, errors.New("damaged: the JPEG 2000 codestream has no header")
	}
	if width, height, err = jp2Size(code); err != nil {
		return 0, 0, err
	}
	for at := 2; ; { // behind SOC
		if len(code)-at < 2 {
			return 0, 0, errTruncated
		}
		marker := binary.BigEndian.Uint16(code[at:])
		switch {
		case marker == 0xffd9: // EOC
			return width, height, nil
		case marker < 0xff00:
			return 0, 0, fmt.Errorf("damaged: byte %d of the JPEG 2000 codestream is %#02x, want a marker", at, marker>>8)
		case len(code)-at < 4:
			return 0, 0, errTruncated
		}
		length := 2 + int(binary.BigEndian.Uint16(code[at+2:]))
		if marker == 0xff90 { // SOT: the length of the tile part, 0 up to the end marker
			if len(code)-at < 12 {
				return 0, 0, errTruncated
			}
			if length = int(binary.BigEndian.Uint32(code[at+6:])); length == 0 {
				if length = len(code) - at - 2; !bytes.HasSuffix(code, []byte{0xff, 0xd9}) {
					return 0, 0, errTruncated
				}
			} else if length < 14 {
				return 0, 0, fmt.Errorf("damaged: a JPEG 2000 tile part is %d bytes long, want at least 14", length)
			}
		}
		if length > len(code)-at {
			return 0, 0, errTruncated
		}
		at += length
	}
}

// jp2Box returns the codestream of a JP2 file.
func jp2Box(data []byte) ([]byte, error) {
	for at := uint64(0); ; {
		rest := uint64(len(data)) - at
		if rest < 8 {
			return nil, errTruncated
		}
		length, kind, header := uint64(binary.BigEndian.Uint32(data[at:])), string(data[at+4:at+8]), uint64(8)
		switch {
		case length == 0:
			length = rest
		case length == 1 && rest >= 16:
			length, header = binary.BigEndian.Uint64(data[at+8:]), 16
		}
		switch {
		case length < header:
			return nil, fmt.Errorf("damaged: JP2 box %q at byte %d is %d bytes long, want at least %d", kind, at, length, header)
		case length > rest:
			return nil, errTruncated
		case kind == "jp2h" && bytes.Contains(data[at:at+length], []byte("pclr")):
			return nil, errors.New("the JP2 has a palette, want grey or RGB")
		case kind == "jp2c":
			return data[at+header : at+length], nil
		}
		at += length
	}
}

// jp2Size reads the SIZ segment at the start of a codestream (annex A.5.1).
func jp2Size(code []byte) (width, height int, err error) {
	if len(code) < 42 {
		return 0, 0, errTruncated
	}
	u32 := func(at int) int { return int(binary.BigEndian.Uint32(code[at:])) }
	width, height = u32(8)-u32(16), u32(12)-u32(20)
	channels := int(binary.BigEndian.Uint16(code[40:]))
	if channels != 1 && channels != 3 {
		return 0, 0, fmt.Errorf("the JPEG 2000 image has %d channels, want 1 (grey) or 3 (RGB)", channels)
	}
	if len(code) < 42+3*channels {
		return 0, 0, errTruncated
	}
	for c := range channels {
		switch bits, steps := code[42+3*c], code[43+3*c:45+3*c]; {
		case bits != 7:
			return 0, 0, fmt.Errorf("the JPEG 2000 image has samples of %d bits, want 8 without sign", bits&0x7f+1)
		case steps[0] != 1 || steps[1] != 1:
			return 0, 0, errors.New("the JPEG 2000 image has subsampled channels, want all at full size")
		}
	}
	return width, height, nil
}
