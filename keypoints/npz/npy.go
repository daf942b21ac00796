package npz

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
)

const magic = "\x93NUMPY"

// The entries of the header, which is the text of a Python dictionary. Python 2
// wrote numbers with an L behind.
var (
	typeEntry  = regexp.MustCompile(`'descr'\s*:\s*'([<>|=]?[A-Za-z]\d*)'`)
	orderEntry = regexp.MustCompile(`'fortran_order'\s*:\s*(True|False)`)
	shapeEntry = regexp.MustCompile(`'shape'\s*:\s*\(([\d\s,L]*)\)`)
)

// Read reads one array to the end of r.
func Read(r io.Reader) (Array, error) {
	header, err := readHeader(r)
	if err != nil {
		return Array{}, err
	}
	a, err := parseHeader(header)
	if err != nil {
		return Array{}, err
	}
	want, err := a.bytes()
	if err != nil {
		return Array{}, err
	}
	// Not a slice of the size that the header claims: it may be damaged.
	a.data, err = io.ReadAll(r)
	if err != nil {
		return Array{}, fmt.Errorf("read elements: %w", err)
	}
	if len(a.data) != want {
		return Array{}, fmt.Errorf("%d bytes of elements, want %d for shape %s of %s", len(a.data), want, a.ShapeString(), a.Type)
	}
	return a, nil
}

func readHeader(r io.Reader) (string, error) {
	start := make([]byte, len(magic)+2)
	if _, err := io.ReadFull(r, start); err != nil || string(start[:len(magic)]) != magic {
		return "", errors.New("not a NumPy array: it does not begin as one")
	}
	length := make([]byte, 2)
	switch version := start[len(magic)]; version {
	case 1:
	case 2, 3:
		length = make([]byte, 4)
	default:
		return "", fmt.Errorf("version %d of the NumPy format, want 1 to 3", version)
	}
	if _, err := io.ReadFull(r, length); err != nil {
		return "", fmt.Errorf("read header: %w", err)
	}
	n := int64(binary.LittleEndian.Uint32(append(length, 0, 0)))
	var header bytes.Buffer
	if _, err := io.CopyN(&header, r, n); err != nil {
		return "", fmt.Errorf("read header of %d bytes: %w", n, err)
	}
	return header.String(), nil
}

func parseHeader(header string) (Array, error) {
	descr, order, shape := typeEntry.FindStringSubmatch(header), orderEntry.FindStringSubmatch(header), shapeEntry.FindStringSubmatch(header)
	if descr == nil || order == nil || shape == nil {
		return Array{}, fmt.Errorf("header %.200q, want an element type, the order and the shape", strings.TrimSpace(header))
	}
	a := Array{Type: descr[1], Fortran: order[1] == "True"}
	for _, dim := range strings.Split(shape[1], ",") {
		dim = strings.TrimSuffix(strings.TrimSpace(dim), "L")
		if dim == "" {
			continue // behind the last comma
		}
		n, err := strconv.Atoi(dim)
		if err != nil {
			return Array{}, fmt.Errorf("shape (%s), want whole numbers", shape[1])
		}
		a.Shape = append(a.Shape, n)
	}
	return a, nil
}

// bytes returns the length of the encoded elements.
func (a Array) bytes() (int, error) {
	size, err := elementSize(a.Type)
	if err != nil {
		return 0, err
	}
	for _, n := range a.Shape {
		if n != 0 && size > math.MaxInt/n {
			return 0, fmt.Errorf("shape %s is out of range", a.ShapeString())
		}
		size *= n
	}
	return size, nil
}

// elementSize returns the bytes per element of a type.
func elementSize(descr string) (int, error) {
	kind := strings.TrimLeft(descr, "<>|=")
	n, err := strconv.Atoi(kind[1:])
	if err != nil || n > math.MaxInt32/4 {
		return 0, fmt.Errorf("elements of type %s, want some of a fixed size", descr)
	}
	if kind[0] == 'U' {
		n *= 4 // characters
	}
	return n, nil
}

// WriteTo writes the array in version 1.0 of the format.
func (a Array) WriteTo(w io.Writer) (int64, error) {
	order := map[bool]string{false: "False", true: "True"}[a.Fortran]
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }", a.Type, order, a.ShapeString())
	const align = 64 // NumPy's, for memory mapping
	before := len(magic) + 4
	header += strings.Repeat(" ", align-1-(before+len(header))%align) + "\n"

	out := make([]byte, 0, before+len(header))
	out = append(out, magic+"\x01\x00"...)
	out = binary.LittleEndian.AppendUint16(out, uint16(len(header)))
	out = append(out, header...)
	n, err := w.Write(out)
	if err != nil {
		return int64(n), err
	}
	m, err := w.Write(a.data)
	return int64(n) + int64(m), err
}
