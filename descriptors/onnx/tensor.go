package onnx

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// A Tensor holds 32-bit floating point numbers or integers in row-major order.
// Int is nil for the former; Float is nil for the latter. Boolean values are the
// integers 0 and 1. Double precision is read as 32-bit, as OpenCV does.
type Tensor struct {
	Shape []int
	Float []float32
	Int   []int64
}

// maxElements bounds the tensors that a step makes, because a model chooses their
// shapes.
const maxElements = 1 << 28

// count returns the number of elements of a shape.
func count(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

// shapeFrom returns the shape that a model states.
func shapeFrom(dims []int64) ([]int, error) {
	shape := make([]int, len(dims))
	for i, d := range dims {
		shape[i] = int(d)
	}
	return shape, checkShape(shape)
}

// checkShape returns an error if a tensor of a shape cannot be made.
func checkShape(shape []int) error {
	n := 1
	for _, d := range shape {
		if d < 0 || d > 0 && n > maxElements/d {
			return fmt.Errorf("shape %v is impossible or too large", shape)
		}
		n *= d
	}
	return nil
}

// floats makes a tensor of zeros.
func floats(shape []int) (*Tensor, error) {
	if err := checkShape(shape); err != nil {
		return nil, err
	}
	return &Tensor{Shape: shape, Float: make([]float32, count(shape))}, nil
}

// list makes a tensor of one dimension.
func list(values []int64) *Tensor {
	if values == nil {
		values = []int64{}
	}
	return &Tensor{Shape: []int{len(values)}, Int: values}
}

// withShape returns the same elements in another shape.
func (t *Tensor) withShape(shape []int) *Tensor {
	return &Tensor{Shape: shape, Float: t.Float, Int: t.Int}
}

// needFloat returns an error if a tensor holds integers.
func (t *Tensor) needFloat() error {
	if t.Int != nil {
		return errors.New("an input holds integers, want floating point numbers")
	}
	return nil
}

// ints returns the elements of a tensor of integers, as lists of axes or sizes are.
func (t *Tensor) ints() ([]int64, error) {
	if t.Int == nil {
		return nil, errors.New("an input holds floating point numbers, want integers")
	}
	return t.Int, nil
}

// scalar returns the only element of a tensor.
func (t *Tensor) scalar() (float32, error) {
	switch {
	case len(t.Float) == 1:
		return t.Float[0], nil
	case len(t.Int) == 1:
		return float32(t.Int[0]), nil
	}
	return 0, fmt.Errorf("an input has shape %v, want one number", t.Shape)
}

// get returns the tensor of a constant.
func (c constant) get() (*Tensor, error) {
	if c.tensor != nil {
		return c.tensor, nil
	}
	return decode(c.message)
}

// decode reads a TensorProto that Read accepts.
func decode(message []byte) (*Tensor, error) {
	m, err := readTensor(message)
	if err != nil {
		return nil, err
	}
	t, n := &Tensor{Shape: m.shape}, count(m.shape)
	switch m.kind {
	case typeFloat:
		t.Float = make([]float32, n)
		source := append(m.floats, m.raw...) // one of both is empty
		for i := range t.Float {
			t.Float[i] = math.Float32frombits(le32(source[4*i:]))
		}
	case typeDouble:
		t.Float = make([]float32, n)
		source := append(m.doubles, m.raw...)
		for i := range t.Float {
			t.Float[i] = float32(math.Float64frombits(binary.LittleEndian.Uint64(source[8*i:])))
		}
	case typeInt32:
		t.Int = append(make([]int64, 0, n), m.int32s...)
		for i := range len(m.raw) / 4 {
			t.Int = append(t.Int, int64(int32(le32(m.raw[4*i:]))))
		}
	case typeInt64:
		t.Int = append(make([]int64, 0, n), m.int64s...)
		for i := range len(m.raw) / 8 {
			t.Int = append(t.Int, int64(binary.LittleEndian.Uint64(m.raw[8*i:])))
		}
	default:
		return nil, fmt.Errorf("a constant has element type %d of onnx.proto, want 32-bit or 64-bit numbers; export the model in single precision", m.kind)
	}
	return t, nil
}

func le32(raw []byte) uint32 { return binary.LittleEndian.Uint32(raw) }

// encode returns a tensor as TensorProto.
func (t *Tensor) encode() []byte {
	var message, raw []byte
	for _, d := range t.Shape {
		message = appendInt(message, tensorDims, int64(d))
	}
	kind := int64(typeFloat)
	for _, v := range t.Float {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
	}
	if t.Int != nil {
		kind = typeInt64
		for _, v := range t.Int {
			raw = binary.LittleEndian.AppendUint64(raw, uint64(v))
		}
	}
	return appendBytes(appendInt(message, tensorType, kind), tensorRaw, raw)
}
