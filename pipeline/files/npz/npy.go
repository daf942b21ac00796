package npz

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const magic = "\x93NUMPY"

// maxHeader is the maximum length of a header in bytes. NumPy reads up to 10 000
// unless told otherwise.
const maxHeader = 64 << 10

// The entries of the header, which is the text of a Python dictionary. Python 2
// wrote numbers with a trailing L.
var (
	typeEntry  = regexp.MustCompile(`'descr'\s*:\s*'([<>|=]?[A-Za-z]\d*)'`)
	orderEntry = regexp.MustCompile(`'fortran_order'\s*:\s*(True|False)`)
	shapeEntry = regexp.MustCompile(`'shape'\s*:\s*\(([\d\s,L]*)\)`)
)

// IsArray reports by the first bytes of a file whether it is an .npy file, with one array.
func IsArray(start []byte) bool { return bytes.HasPrefix(start, []byte(magic)) }

// Parse returns the array in an .npy file. Its elements share memory with content.
func Parse(content []byte) (Array, error) {
	header, elements, err := cutHeader(content)
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
	if len(elements) != want {
		return Array{}, fmt.Errorf("%d bytes of elements, want %d for shape %s and type %s", len(elements), want, a.ShapeString(), a.Type)
	}
	a.data = elements
	return a, nil
}

// cutHeader returns the header and the elements that follow it.
func cutHeader(content []byte) (header string, elements []byte, err error) {
	rest, ok := bytes.CutPrefix(content, []byte(magic))
	if !ok || len(rest) < 2 {
		return "", nil, errors.New("not a NumPy array: the NumPy signature is missing")
	}
	width := 2
	switch version := rest[0]; version {
	case 1:
	case 2, 3:
		width = 4
	default:
		return "", nil, fmt.Errorf("NumPy format version %d, want 1 to 3", version)
	}
	rest = rest[2:]
	if len(rest) < width {
		return "", nil, fmt.Errorf("read header: %w", io.ErrUnexpectedEOF)
	}
	length := slices.Concat(rest[:width], []byte{0, 0})
	n := int64(binary.LittleEndian.Uint32(length))
	rest = rest[width:]
	if n > maxHeader {
		return "", nil, fmt.Errorf("header of %d bytes, want at most %d", n, maxHeader)
	}
	if n > int64(len(rest)) {
		return "", nil, fmt.Errorf("read header of %d bytes: %w", n, io.ErrUnexpectedEOF)
	}
	return string(rest[:n]), rest[n:], nil
}

func parseHeader(header string) (Array, error) {
	descr, order, shape := typeEntry.FindStringSubmatch(header), orderEntry.FindStringSubmatch(header), shapeEntry.FindStringSubmatch(header)
	if descr == nil || order == nil || shape == nil {
		return Array{}, fmt.Errorf("header %.200q, want element type, order and shape", strings.TrimSpace(header))
	}
	a := Array{Type: descr[1], Fortran: order[1] == "True"}
	for _, dim := range strings.Split(shape[1], ",") {
		dim = strings.TrimSuffix(strings.TrimSpace(dim), "L")
		if dim == "" {
			continue // after the last comma
		}
		n, err := strconv.Atoi(dim)
		if err != nil {
			return Array{}, fmt.Errorf("shape (%s), want whole numbers", shape[1])
		}
		a.Shape = append(a.Shape, n)
	}
	return a, nil
}

// bytes returns the number of bytes of the encoded elements. Callers multiply
// some of the dimensions, so their product must not overflow even if another
// one is 0.
func (a Array) bytes() (int, error) {
	size, err := elementSize(a.Type)
	if err != nil {
		return 0, err
	}
	empty := size == 0
	size = max(size, 1)
	for _, n := range a.Shape {
		empty = empty || n == 0
		n = max(n, 1)
		if size > math.MaxInt/n {
			return 0, fmt.Errorf("shape %s is too large", a.ShapeString())
		}
		size *= n
	}
	if empty {
		return 0, nil
	}
	return size, nil
}

// elementSize returns the number of bytes per element of a type.
func elementSize(descr string) (int, error) {
	kind := strings.TrimLeft(descr, "<>|=")
	n, err := strconv.Atoi(kind[1:])
	if err != nil || n > math.MaxInt32/4 {
		return 0, fmt.Errorf("element type %s, want a type of fixed size", descr)
	}
	if kind[0] == 'U' {
		n *= 4 // characters
	}
	return n, nil
}

// Member returns the array in format version 1.0 as the archive member
// name.npy.
func (a Array) Member(name string) Member {
	header, elements := a.NPY()
	return Member{Name: name + ".npy", Content: slices.Concat(header, elements)}
}

// NPY returns the two parts of a file in format version 1.0. The elements share memory
// with a.
func (a Array) NPY() (header, elements []byte) {
	order := map[bool]string{false: "False", true: "True"}[a.Fortran]
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }", a.Type, order, a.ShapeString())
	const align = 64 // NumPy's, for memory mapping
	before := len(magic) + 4
	text += strings.Repeat(" ", align-1-(before+len(text))%align) + "\n"
	header = append(header, magic+"\x01\x00"...)
	header = binary.LittleEndian.AppendUint16(header, uint16(len(text)))
	return append(header, text...), a.data
}
