// Package npz reads and writes NumPy arrays (.npy) and archives of them (.npz),
// also those of other programs: any version of the format, byte order and order
// of the elements, compressed or not.
//
// Source: numpy.lib.format, "NPY format"; NEP 1. The header is parsed here
// because npyio's reader panics on some that are damaged and knows one order of
// its keys.
package npz

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
)

// An Array is a NumPy array with its elements still encoded.
type Array struct {
	Type    string // NumPy's name of the element type, such as "<f4"
	Shape   []int  // no dimensions make a scalar
	Fortran bool   // whether the first index changes fastest, not the last
	data    []byte
}

// Float32s returns the array of the given shape with the elements v, the last
// index changing fastest.
func Float32s(v []float32, shape ...int) Array {
	a := Array{Type: "<f4", Shape: shape, data: make([]byte, 0, 4*len(v))}
	for _, x := range v {
		a.data = binary.LittleEndian.AppendUint32(a.data, math.Float32bits(x))
	}
	return a
}

// Int32s is Float32s for integers.
func Int32s(v []int32, shape ...int) Array {
	a := Array{Type: "<i4", Shape: shape, data: make([]byte, 0, 4*len(v))}
	for _, x := range v {
		a.data = binary.LittleEndian.AppendUint32(a.data, uint32(x))
	}
	return a
}

// Uint8s is Float32s for bytes.
func Uint8s(v []uint8, shape ...int) Array { return Array{Type: "|u1", Shape: shape, data: v} }

// Bools is Float32s for truth values.
func Bools(v []bool, shape ...int) Array {
	a := Array{Type: "|b1", Shape: shape, data: make([]byte, len(v))}
	for i, x := range v {
		if x {
			a.data[i] = 1
		}
	}
	return a
}

// Float64s returns the elements as float64, the last index changing fastest
// whatever the array's own order. 64-bit integers beyond 2⁵³ are rounded. It
// fails if the elements are no integers or floating-point numbers of 16, 32 or
// 64 bits, and for Fortran arrays of more than two dimensions.
func (a Array) Float64s() ([]float64, error) {
	decode, err := a.decoder()
	if err != nil {
		return nil, err
	}
	size, _ := elementSize(a.Type)
	out := make([]float64, len(a.data)/size)
	for i := range out {
		out[i] = decode(a.data[i*size:])
	}
	if !a.Fortran || len(a.Shape) < 2 || len(out) == 0 {
		return out, nil
	}
	if len(a.Shape) > 2 {
		return nil, fmt.Errorf("shape %s in Fortran order, want at most two dimensions", a.ShapeString())
	}
	rows, columns := a.Shape[0], a.Shape[1]
	turned := make([]float64, len(out))
	for i := range rows {
		for j := range columns {
			turned[i*columns+j] = out[j*rows+i]
		}
	}
	return turned, nil
}

// decoder returns what decodes the first element of a slice.
func (a Array) decoder() (func([]byte) float64, error) {
	var order binary.ByteOrder = binary.LittleEndian
	if strings.HasPrefix(a.Type, ">") {
		order = binary.BigEndian
	}
	switch strings.TrimLeft(a.Type, "<>|=") {
	case "f2":
		return func(b []byte) float64 { return half(order.Uint16(b)) }, nil
	case "f4":
		return func(b []byte) float64 { return float64(math.Float32frombits(order.Uint32(b))) }, nil
	case "f8":
		return func(b []byte) float64 { return math.Float64frombits(order.Uint64(b)) }, nil
	case "i1":
		return func(b []byte) float64 { return float64(int8(b[0])) }, nil
	case "i2":
		return func(b []byte) float64 { return float64(int16(order.Uint16(b))) }, nil
	case "i4":
		return func(b []byte) float64 { return float64(int32(order.Uint32(b))) }, nil
	case "i8":
		return func(b []byte) float64 { return float64(int64(order.Uint64(b))) }, nil
	case "u1":
		return func(b []byte) float64 { return float64(b[0]) }, nil
	case "u2":
		return func(b []byte) float64 { return float64(order.Uint16(b)) }, nil
	case "u4":
		return func(b []byte) float64 { return float64(order.Uint32(b)) }, nil
	case "u8":
		return func(b []byte) float64 { return float64(order.Uint64(b)) }, nil
	}
	return nil, fmt.Errorf("elements of type %s, want integers or floating-point numbers of 16, 32 or 64 bits", a.Type)
}

// half returns a floating-point number of 16 bits: 1 of sign, 5 of the exponent
// plus 15, 10 of the fraction (IEEE 754-2008, binary16).
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

// Bools returns the elements of an array of truth values of one dimension.
func (a Array) Bools() ([]bool, error) {
	if strings.TrimLeft(a.Type, "<>|=") != "b1" || len(a.Shape) != 1 {
		return nil, fmt.Errorf("elements of type %s in shape %s, want |b1 in one dimension", a.Type, a.ShapeString())
	}
	v := make([]bool, len(a.data))
	for i, b := range a.data {
		v[i] = b != 0
	}
	return v, nil
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
