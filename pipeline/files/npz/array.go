// Package npz reads and writes NumPy arrays (.npy) and archives of arrays
// (.npz). It reads files of other programs in any version of the format, byte
// order and element order, compressed or not. It writes uncompressed files:
// deflate would cost as much time as extracting what is written.
//
// Source: numpy.lib.format, "NPY format"; NEP 1. This package has its own
// reader and writer for two reasons. npyio's reader panics on some corrupt
// headers and accepts only one order of the header keys. npyio's writer takes
// the shape from the Go type, so it cannot write rows held in one slice. Both
// also work number by number.
package npz

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
)

// An Array is a NumPy array with its elements still encoded.
type Array struct {
	Type    string // NumPy's element type, such as "<f4"
	Shape   []int  // a scalar has no dimensions
	Fortran bool   // the first index changes fastest instead of the last
	data    []byte
}

// An Element is a type in which arrays are written, little-endian: "|u1",
// "|b1", "<i4", "<i8", "<f4" or "<f8".
type Element interface {
	uint8 | bool | int32 | int64 | float32 | float64
}

func typeOf[T Element]() string {
	switch any(*new(T)).(type) {
	case uint8:
		return "|u1"
	case bool:
		return "|b1"
	case int32:
		return "<i4"
	case float64:
		return "<f8"
	case int64:
		return "<i8"
	}
	return "<f4"
}

// Of returns the array with elements v and the given shape, last index changing
// fastest. Without dimensions it is a scalar. It may share memory with v.
func Of[T Element](v []T, shape ...int) Array {
	a := Array{Type: typeOf[T](), Shape: shape}
	if bytes, ok := any(v).([]uint8); ok {
		a.data = bytes
		return a
	}
	a.data, _ = binary.Append(nil, binary.LittleEndian, v) // fails for other types only
	return a
}

// Elements returns the elements of a in C order. It fails unless a has exactly
// the element type that Of writes for T and the given number of dimensions. The
// result may share memory with a.
func Elements[T Element](a Array, dimensions int) ([]T, error) {
	if a.Type != typeOf[T]() || a.Fortran || len(a.Shape) != dimensions {
		order := map[bool]string{true: " in Fortran order"}[a.Fortran]
		return nil, fmt.Errorf("element type %s and shape %s%s, want a %d-dimensional array of %T in C order", a.Type, a.ShapeString(), order, dimensions, *new(T))
	}
	if bytes, ok := any(a.data).([]T); ok {
		return bytes, nil
	}
	size, _ := elementSize(a.Type)
	v := make([]T, len(a.data)/size)
	if _, ok := any(v).([]bool); ok {
		for i, b := range a.data {
			if b > 1 {
				return nil, fmt.Errorf("element %d is %d, want 0 or 1", i, b)
			}
		}
	}
	_, err := binary.Decode(a.data, binary.LittleEndian, v)
	return v, err
}

// Text returns the scalar array of an ASCII text, padded with zeros to the
// given number of characters.
func Text(s string, characters int) Array {
	a := Array{Type: fmt.Sprintf("<U%d", characters), data: make([]byte, 4*characters)}
	for i := range len(s) {
		a.data[4*i] = s[i]
	}
	return a
}

// Text returns the text of a scalar array.
func (a Array) Text() (string, error) {
	if !strings.HasPrefix(a.Type, "<U") || len(a.Shape) != 0 {
		return "", fmt.Errorf("element type %s and shape %s, want a single text", a.Type, a.ShapeString())
	}
	var s []rune
	for i := 0; i < len(a.data); i += 4 {
		if r := rune(binary.LittleEndian.Uint32(a.data[i:])); r != 0 {
			s = append(s, r)
		}
	}
	return string(s), nil
}

// Each calls use for every element with its index in C order (last index
// changing fastest), whatever the array's own order, and stops at the first
// error. 64-bit integers beyond 2⁵³ are rounded. It fails if the elements are
// not integers or 16-, 32- or 64-bit floating-point numbers, and for Fortran
// arrays with more than two dimensions.
func (a Array) Each(use func(i int, v float64) error) error {
	decode := decoders[strings.TrimLeft(a.Type, "<>|=")]
	if decode == nil {
		return fmt.Errorf("element type %s, want integers or 16-, 32- or 64-bit floating-point numbers", a.Type)
	}
	var order binary.ByteOrder = binary.LittleEndian
	if strings.HasPrefix(a.Type, ">") {
		order = binary.BigEndian
	}
	size, _ := elementSize(a.Type)
	rows, columns := 1, len(a.data)/size // of the elements as stored
	if a.Fortran && len(a.Shape) > 1 && len(a.data) > 0 {
		if len(a.Shape) > 2 {
			return fmt.Errorf("shape %s in Fortran order, want at most 2 dimensions", a.ShapeString())
		}
		rows, columns = a.Shape[0], a.Shape[1]
	}
	for i := range rows {
		for j := range columns {
			if err := use(i*columns+j, decode(order, a.data[(j*rows+i)*size:])); err != nil {
				return err
			}
		}
	}
	return nil
}

// decoders decode an element of the types of numbers, without their byte order.
var decoders = map[string]func(order binary.ByteOrder, b []byte) float64{
	"f2": func(order binary.ByteOrder, b []byte) float64 { return half(order.Uint16(b)) },
	"f4": func(order binary.ByteOrder, b []byte) float64 { return float64(math.Float32frombits(order.Uint32(b))) },
	"f8": func(order binary.ByteOrder, b []byte) float64 { return math.Float64frombits(order.Uint64(b)) },
	"i1": func(_ binary.ByteOrder, b []byte) float64 { return float64(int8(b[0])) },
	"i2": func(order binary.ByteOrder, b []byte) float64 { return float64(int16(order.Uint16(b))) },
	"i4": func(order binary.ByteOrder, b []byte) float64 { return float64(int32(order.Uint32(b))) },
	"i8": func(order binary.ByteOrder, b []byte) float64 { return float64(int64(order.Uint64(b))) },
	"u1": func(_ binary.ByteOrder, b []byte) float64 { return float64(b[0]) },
	"u2": func(order binary.ByteOrder, b []byte) float64 { return float64(order.Uint16(b)) },
	"u4": func(order binary.ByteOrder, b []byte) float64 { return float64(order.Uint32(b)) },
	"u8": func(order binary.ByteOrder, b []byte) float64 { return float64(order.Uint64(b)) },
}

// half decodes a 16-bit floating-point number: 1 sign bit, 5 bits of exponent
// plus 15, 10 bits of fraction (IEEE 754-2008, binary16).
func half(bits uint16) float64 {
	exponent, fraction := int(bits>>10&31), float64(bits&1023)/1024
	v := 1 + fraction
	switch exponent {
	case 0:
		v, exponent = fraction, 1 // subnormal
	case 31:
		v = math.Inf(1)
		if fraction != 0 {
			v = math.NaN()
		}
	}
	if bits>>15 != 0 {
		v = -v
	}
	return math.Ldexp(v, exponent-15)
}

// ShapeString returns the shape as NumPy prints it: "()", "(3,)", "(3, 4)".
func (a Array) ShapeString() string {
	var dims []string
	for _, n := range a.Shape {
		dims = append(dims, fmt.Sprint(n))
	}
	if len(dims) == 1 {
		return "(" + dims[0] + ",)"
	}
	return "(" + strings.Join(dims, ", ") + ")"
}
