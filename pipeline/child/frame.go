package child

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"descbench/pipeline/files/npz"
)

// The limits of a frame. They are checked before memory is allocated.
const (
	maxHeader = 1 << 20
	maxArrays = 16
	maxBytes  = 1 << 30 // of all arrays; room for two million SIFT descriptors as float32
)

// writeFrame writes a header, whose key arrays it sets, and arrays. Each is preceded by
// its length, 4 bytes, little-endian.
func writeFrame(w io.Writer, header map[string]any, arrays []Array) error {
	names := make([]string, len(arrays))
	for i, a := range arrays {
		names[i] = a.Name
	}
	header["arrays"] = names
	text, err := json.Marshal(header)
	if err != nil {
		return err
	}
	if err := writePart(w, text); err != nil {
		return err
	}
	for _, a := range arrays {
		header, elements := a.NPY()
		if len(elements) > maxBytes {
			return fmt.Errorf("array %s of %d bytes, want at most %d", a.Name, len(elements), maxBytes)
		}
		if err := writePart(w, header, elements); err != nil {
			return err
		}
	}
	return nil
}

// writePart writes pieces with their length.
func writePart(w io.Writer, pieces ...[]byte) error {
	length := 0
	for _, piece := range pieces {
		length += len(piece)
	}
	for _, piece := range append([][]byte{binary.LittleEndian.AppendUint32(nil, uint32(length))}, pieces...) {
		if _, err := w.Write(piece); err != nil {
			return err
		}
	}
	return nil
}

// readFrame returns the header of the next frame, as JSON, and its arrays, which may have
// most bytes. An end before the first byte is io.EOF.
func readFrame(r *bufio.Reader, most int) (header []byte, arrays []npz.Member, err error) {
	var start [4]byte
	if _, err := io.ReadFull(r, start[:]); err != nil {
		return nil, nil, err
	}
	length := binary.LittleEndian.Uint32(start[:])
	if length > maxHeader {
		there, _ := r.Peek(r.Buffered())
		return nil, nil, fmt.Errorf("its standard output has %s, want a frame of the protocol: print to standard error instead", quoted(append(start[:], there...)))
	}
	if header, err = readPart(r, length); err != nil {
		return nil, nil, fmt.Errorf("read a header of %d bytes: %w", length, err)
	}
	var named struct{ Arrays []string }
	if err := json.Unmarshal(header, &named); err != nil {
		return nil, nil, fmt.Errorf("header %s: %w", quoted(header), err)
	}
	if len(named.Arrays) > maxArrays {
		return nil, nil, fmt.Errorf("a frame of %d arrays, want at most %d", len(named.Arrays), maxArrays)
	}
	most = min(most, maxBytes)
	left := uint32(most)
	for _, name := range named.Arrays {
		if _, err := io.ReadFull(r, start[:]); err != nil {
			return nil, nil, fmt.Errorf("array %.40q: read its length: %w", name, unexpected(err))
		}
		length := binary.LittleEndian.Uint32(start[:])
		if length > left {
			return nil, nil, fmt.Errorf("array %.40q: %d bytes, want at most %d in this reply", name, length, most)
		}
		left -= length
		content, err := readPart(r, length)
		if err != nil {
			return nil, nil, fmt.Errorf("array %.40q: read %d bytes: %w", name, length, err)
		}
		arrays = append(arrays, npz.Member{Name: name + ".npy", Content: content})
	}
	return header, arrays, nil
}

// atOnce is how many bytes are allocated for a declared length. Beyond it, memory grows
// with what arrives.
const atOnce = 16 << 20

func readPart(r io.Reader, length uint32) ([]byte, error) {
	var part bytes.Buffer
	part.Grow(int(min(length, atOnce)) + bytes.MinRead) // with room to find the end
	_, err := io.CopyN(&part, r, int64(length))
	return part.Bytes(), unexpected(err)
}

// unexpected returns the error of an end within a frame.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// quoted returns the beginning of the first line of a text.
func quoted(text []byte) string {
	line, _, _ := strings.Cut(string(text[:min(len(text), 60)]), "\n")
	return strconv.Quote(line)
}
