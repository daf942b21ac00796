package store

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"github.com/sbinet/npyio"
)

// Arrays are in the NumPy format, version 1.0, little-endian, in C order
// (numpy.lib.format, "NPY format"; NEP 1). The headers that are read are
// parsed by npyio. They are written here because npyio.Write takes the shape
// from the Go type and so cannot write Rows×Dim numbers held in one slice, and
// because it writes, as npyio.Read reads, slices number by number.

// Element types by their NumPy names.
const (
	npyBool    = "|b1"
	npyUint8   = "|u1"
	npyInt32   = "<i4"
	npyInt64   = "<i8"
	npyFloat32 = "<f4"
	npyText    = "<U7" // seven characters of four bytes, zeros behind shorter texts
)

// npySize holds the bytes per element.
var npySize = map[string]int{npyBool: 1, npyUint8: 1, npyInt32: 4, npyInt64: 8, npyFloat32: 4, npyText: 28}

// npyArray returns the array of the given shape whose elements are encoded in
// payload. No dimensions make a scalar.
func npyArray(dtype string, payload []byte, shape ...int) []byte {
	var dims strings.Builder
	for _, n := range shape {
		fmt.Fprintf(&dims, "%d, ", n)
	}
	tuple := strings.TrimSuffix(dims.String(), " ") // "(3,)"
	if len(shape) != 1 {
		tuple = strings.TrimSuffix(tuple, ",") // "()", "(3, 4)"
	}
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", dtype, tuple)
	const align = 64 // NumPy's, for memory mapping
	before := len(npyio.Magic) + 4
	header += strings.Repeat(" ", align-1-(before+len(header))%align) + "\n"

	out := make([]byte, 0, before+len(header)+len(payload))
	out = append(out, npyio.Magic[:]...)
	out = append(out, 1, 0)
	out = binary.LittleEndian.AppendUint16(out, uint16(len(header)))
	out = append(out, header...)
	return append(out, payload...)
}

// npyPayload checks that b is an array of the given type and number of
// dimensions and returns its encoded elements and its shape.
func npyPayload(b []byte, dtype string, dimensions int) (payload []byte, shape []int, err error) {
	r := bytes.NewReader(b)
	n, err := npyio.NewReader(r)
	if err != nil {
		return nil, nil, err
	}
	payload, descr := b[len(b)-r.Len():], n.Header.Descr
	if descr.Type != dtype || descr.Fortran || len(descr.Shape) != dimensions {
		return nil, nil, fmt.Errorf("want %s in C order and %d dimensions, found %v", dtype, dimensions, n.Header)
	}
	size := npySize[dtype]
	for _, dim := range descr.Shape {
		// The bounds keep the product from overflowing.
		if dim < 0 || dim > math.MaxInt32 || size > math.MaxInt32 {
			return nil, nil, fmt.Errorf("shape %v is out of range", descr.Shape)
		}
		size *= dim
	}
	if size != len(payload) {
		return nil, nil, fmt.Errorf("want %d bytes for shape %v of %s, found %d", size, descr.Shape, dtype, len(payload))
	}
	return payload, descr.Shape, nil
}

func encodeFloat32(v []float32) []byte {
	b := make([]byte, 4*len(v))
	for i, x := range v {
		binary.LittleEndian.PutUint32(b[4*i:], math.Float32bits(x))
	}
	return b
}

func decodeFloat32(b []byte) []float32 {
	v := make([]float32, len(b)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return v
}

func encodeInt32(v []int32) []byte {
	b := make([]byte, 4*len(v))
	for i, x := range v {
		binary.LittleEndian.PutUint32(b[4*i:], uint32(x))
	}
	return b
}

func decodeInt32(b []byte) []int32 {
	v := make([]int32, len(b)/4)
	for i := range v {
		v[i] = int32(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return v
}

func encodeBool(v []bool) []byte {
	b := make([]byte, len(v))
	for i, x := range v {
		if x {
			b[i] = 1
		}
	}
	return b
}

func decodeBool(b []byte) ([]bool, error) {
	v := make([]bool, len(b))
	for i, x := range b {
		if x > 1 {
			return nil, fmt.Errorf("element %d: want 0 or 1, found %d", i, x)
		}
		v[i] = x == 1
	}
	return v, nil
}

// encodeText encodes an ASCII text of up to seven characters.
func encodeText(s string) []byte {
	b := make([]byte, npySize[npyText])
	for i := range len(s) {
		b[4*i] = s[i]
	}
	return b
}

func decodeText(b []byte) string {
	var s []rune
	for i := 0; i < len(b); i += 4 {
		if r := rune(binary.LittleEndian.Uint32(b[i:])); r != 0 {
			s = append(s, r)
		}
	}
	return string(s)
}
