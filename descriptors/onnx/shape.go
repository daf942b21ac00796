package onnx

import (
	"errors"
	"fmt"
	"slices"
)

// shapeOf has had attributes for a part of the shape since opset 15.
func shapeOf(n *node, in []*Tensor) (*Tensor, error) {
	dims := len(in[0].Shape)
	limit := func(v int64) int {
		if v < 0 {
			v += int64(dims)
		}
		return int(min(max(v, 0), int64(dims)))
	}
	start, end := limit(n.int("start", 0)), limit(n.int("end", int64(dims)))
	var shape []int64
	for d := start; d < end; d++ {
		shape = append(shape, int64(in[0].Shape[d]))
	}
	return list(shape), nil
}

// reshape keeps a dimension of 0, unless allowzero is set, and infers one of -1.
func reshape(n *node, in []*Tensor) (*Tensor, error) {
	want, err := in[1].ints()
	if err != nil {
		return nil, err
	}
	from := in[0].Shape
	shape, open := make([]int, len(want)), -1
	for d, v := range want {
		switch {
		case v == 0 && n.int("allowzero", 0) == 0 && d < len(from):
			v = int64(from[d])
		case v == -1 && open < 0:
			open, v = d, 1
		case v < 0 || v > maxElements:
			return nil, fmt.Errorf("shape %v is impossible", want)
		}
		shape[d] = int(v)
	}
	if err := checkShape(shape); err != nil {
		return nil, err
	}
	if rest := count(shape); open >= 0 && rest > 0 {
		shape[open] = count(from) / rest
	}
	if count(shape) != count(from) {
		return nil, fmt.Errorf("%v cannot be reshaped to %v; if the model has a fixed batch size, set batch to that size", from, want)
	}
	return in[0].withShape(shape), nil
}

func squeeze(n *node, in []*Tensor) (*Tensor, error) {
	axes, err := n.axes(in)
	if err != nil {
		return nil, err
	}
	from := in[0].Shape
	marks, err := marked(axes, len(from))
	if err != nil {
		return nil, err
	}
	shape := []int{}
	for d, size := range from {
		if size != 1 && marks[d] {
			return nil, fmt.Errorf("dimension %d of %v is not 1", d, from)
		}
		if size != 1 || len(axes) > 0 && !marks[d] {
			shape = append(shape, size)
		}
	}
	return in[0].withShape(shape), nil
}

func unsqueeze(n *node, in []*Tensor) (*Tensor, error) {
	axes, err := n.axes(in)
	if err != nil {
		return nil, err
	}
	from := in[0].Shape
	marks, err := marked(axes, len(from)+len(axes))
	if err != nil {
		return nil, err
	}
	shape := make([]int, len(marks))
	for d, at := 0, 0; d < len(marks); d++ {
		if shape[d] = 1; !marks[d] {
			shape[d] = from[at]
			at++
		}
	}
	return in[0].withShape(shape), nil
}

// expand broadcasts in both directions, so a 1 keeps the dimension of the input.
func expand(_ *node, in []*Tensor) (*Tensor, error) {
	want, err := in[1].ints()
	if err != nil {
		return nil, err
	}
	shape, err := shapeFrom(want)
	if err != nil {
		return nil, err
	}
	t := in[0]
	if shape, err = broadcast(t.Shape, shape); err != nil {
		return nil, err
	}
	return t.pick(shape, strides(t.Shape, shape), 0), nil
}

// pick makes a tensor of the elements that a walk with strides finds from start on.
func (t *Tensor) pick(shape, path []int, start int) *Tensor {
	out := &Tensor{Shape: shape}
	if t.Int != nil {
		out.Int = walk(t.Int, shape, path, start)
	} else {
		out.Float = walk(t.Float, shape, path, start)
	}
	return out
}

func walk[T number](values []T, shape, path []int, start int) []T {
	out := make([]T, count(shape))
	each(shape, func(at, run int, from, step []int) {
		for i := range run {
			out[at+i] = values[start+from[0]+i*step[0]]
		}
	}, path)
	return out
}

func transpose(n *node, in []*Tensor) (*Tensor, error) {
	t := in[0]
	dims := len(t.Shape)
	perm := n.attributes["perm"].ints
	if perm == nil {
		for d := range dims {
			perm = append(perm, int64(dims-1-d))
		}
	}
	if _, err := marked(perm, dims); err != nil || len(perm) != dims || slices.ContainsFunc(perm, func(a int64) bool { return a < 0 }) {
		return nil, fmt.Errorf("perm %v does not order %d dimensions", perm, dims)
	}
	steps := contiguous(t.Shape)
	shape, path := make([]int, dims), make([]int, dims)
	for d, from := range perm {
		shape[d], path[d] = t.Shape[from], steps[from]
	}
	return t.pick(shape, path, 0), nil
}

func identity(_ *node, in []*Tensor) (*Tensor, error) { return in[0], nil }

func dropout(n *node, in []*Tensor) (*Tensor, error) {
	if n.has(2) && !slices.Equal(in[2].Int, []int64{0}) {
		return nil, errors.New("it is in training mode; export the model after model.eval()")
	}
	return in[0], nil
}

func cast(n *node, in []*Tensor) (*Tensor, error) {
	t := in[0]
	switch to := n.int("to", 0); to {
	case typeFloat, 11: // DOUBLE
		if t.Int != nil {
			return &Tensor{Shape: t.Shape, Float: converted[float32](t.Int)}, nil
		}
	case 6, typeInt64: // INT32
		if t.Int == nil {
			return &Tensor{Shape: t.Shape, Int: converted[int64](t.Float)}, nil
		}
	default:
		return nil, fmt.Errorf("element type %d of onnx.proto is not supported", to)
	}
	return t, nil
}

func constantOfShape(n *node, in []*Tensor) (*Tensor, error) {
	want, err := in[0].ints()
	if err != nil {
		return nil, err
	}
	value := &Tensor{Shape: []int{1}, Float: []float32{0}}
	if a, ok := n.attributes["value"]; ok {
		if value, err = decode(a.tensor); err != nil {
			return nil, err
		}
		if _, err := value.scalar(); err != nil {
			return nil, err
		}
	}
	return expand(n, []*Tensor{value.withShape([]int{}), list(want)})
}
