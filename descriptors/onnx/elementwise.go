package onnx

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

type number interface{ float32 | int64 }

// A kernel computes the elements of out from elements of a and b that are sa and
// sb apart.
type kernel[T number] func(out, a, b []T, sa, sb int)

// kernels are the kernels of an operator for both types.
type kernels struct {
	float kernel[float32]
	int   kernel[int64]
}

func add[T number](out, a, b []T, sa, sb int) {
	for i := range out {
		out[i] = a[i*sa] + b[i*sb]
	}
}

func sub[T number](out, a, b []T, sa, sb int) {
	for i := range out {
		out[i] = a[i*sa] - b[i*sb]
	}
}

func mul[T number](out, a, b []T, sa, sb int) {
	for i := range out {
		out[i] = a[i*sa] * b[i*sb]
	}
}

func div[T number](out, a, b []T, sa, sb int) {
	for i := range out {
		out[i] = a[i*sa] / b[i*sb]
	}
}

func greater[T number](out, a, b []T, sa, sb int) {
	for i := range out {
		out[i] = max(a[i*sa], b[i*sb])
	}
}

func lesser[T number](out, a, b []T, sa, sb int) {
	for i := range out {
		out[i] = min(a[i*sa], b[i*sb])
	}
}

func same[T number](out, a, b []T, sa, sb int) {
	for i := range out {
		out[i] = 0
		if a[i*sa] == b[i*sb] {
			out[i] = 1
		}
	}
}

func raise(out, a, b []float32, sa, sb int) {
	for i := range out {
		out[i] = float32(math.Pow(float64(a[i*sa]), float64(b[i*sb])))
	}
}

// pairwise applies kernels to two tensors under ONNX's multidirectional
// broadcasting.
func pairwise(k kernels, a, b *Tensor) (*Tensor, error) {
	if (a.Int == nil) != (b.Int == nil) {
		return nil, errors.New("one input holds integers, the other floating point numbers")
	}
	shape, err := broadcast(a.Shape, b.Shape)
	if err != nil {
		return nil, err
	}
	if a.Int != nil {
		return &Tensor{Shape: shape, Int: zip(k.int, a.Int, b.Int, a.Shape, b.Shape, shape)}, nil
	}
	return &Tensor{Shape: shape, Float: zip(k.float, a.Float, b.Float, a.Shape, b.Shape, shape)}, nil
}

func zip[T number](k kernel[T], a, b []T, shapeA, shapeB, shape []int) []T {
	out := make([]T, count(shape))
	each(shape, func(at, run int, from, step []int) {
		k(out[at:at+run], a[from[0]:], b[from[1]:], step[0], step[1])
	}, strides(shapeA, shape), strides(shapeB, shape))
	return out
}

func binary2(k kernels) operator {
	return func(_ *node, in []*Tensor) (*Tensor, error) { return pairwise(k, in[0], in[1]) }
}

func variadic(k kernels) operator {
	return func(_ *node, in []*Tensor) (t *Tensor, err error) {
		t = in[0]
		for _, next := range in[1:] {
			if next == nil {
				return nil, errors.New("an input is left out")
			}
			if t, err = pairwise(k, t, next); err != nil {
				return nil, err
			}
		}
		return t, nil
	}
}

func divide(_ *node, in []*Tensor) (*Tensor, error) {
	if slices.Contains(in[1].Int, 0) {
		return nil, errors.New("an integer is divided by zero")
	}
	return pairwise(kernels{div[float32], div[int64]}, in[0], in[1])
}

func power(_ *node, in []*Tensor) (*Tensor, error) {
	base, exponent := in[0], in[1]
	if err := base.needFloat(); err != nil {
		return nil, err
	}
	if exponent.Int != nil { // PyTorch exports x.pow(2) so
		exponent = &Tensor{Shape: exponent.Shape, Float: converted[float32](exponent.Int)}
	}
	if len(exponent.Float) == 1 && exponent.Float[0] == 2 && len(exponent.Shape) <= len(base.Shape) {
		return pairwise(kernels{float: mul[float32]}, base, base)
	}
	return pairwise(kernels{float: raise}, base, exponent)
}

func equal(_ *node, in []*Tensor) (*Tensor, error) {
	t, err := pairwise(kernels{same[float32], same[int64]}, in[0], in[1])
	if err != nil || t.Int != nil {
		return t, err
	}
	return &Tensor{Shape: t.Shape, Int: converted[int64](t.Float)}, nil
}

func where(_ *node, in []*Tensor) (*Tensor, error) {
	condition, err := in[0].ints()
	if err != nil {
		return nil, err
	}
	a, b := in[1], in[2]
	if !slices.Equal(in[0].Shape, a.Shape) || !slices.Equal(a.Shape, b.Shape) || (a.Int == nil) != (b.Int == nil) {
		return nil, fmt.Errorf("inputs of shapes %v, %v and %v, want the same shapes and types", in[0].Shape, a.Shape, b.Shape)
	}
	if a.Int != nil {
		return &Tensor{Shape: a.Shape, Int: choose(condition, a.Int, b.Int)}, nil
	}
	return &Tensor{Shape: a.Shape, Float: choose(condition, a.Float, b.Float)}, nil
}

func choose[T number](condition []int64, a, b []T) []T {
	out := slices.Clone(b)
	for i, c := range condition {
		if c != 0 {
			out[i] = a[i]
		}
	}
	return out
}

// clip takes its limits as attributes, or since opset 11 as inputs.
func clip(n *node, in []*Tensor) (*Tensor, error) {
	if err := in[0].needFloat(); err != nil {
		return nil, err
	}
	limits := [2]float32{n.float("min", float32(math.Inf(-1))), n.float("max", float32(math.Inf(1)))}
	for i := range limits {
		if n.has(i + 1) {
			var err error
			if limits[i], err = in[i+1].scalar(); err != nil {
				return nil, err
			}
		}
	}
	return unary(func(v float32) float32 { return min(max(v, limits[0]), limits[1]) })(n, in)
}

func absolute(v float32) float32   { return float32(math.Abs(float64(v))) }
func negative(v float32) float32   { return -v }
func root(v float32) float32       { return float32(math.Sqrt(float64(v))) }
func reciprocal(v float32) float32 { return 1 / v }

func unary(f func(float32) float32) operator {
	return func(_ *node, in []*Tensor) (*Tensor, error) {
		if err := in[0].needFloat(); err != nil {
			return nil, err
		}
		out := make([]float32, len(in[0].Float))
		for i, v := range in[0].Float {
			out[i] = f(v)
		}
		return &Tensor{Shape: in[0].Shape, Float: out}, nil
	}
}

func converted[To, From number | float64](v []From) []To {
	out := make([]To, len(v))
	for i, x := range v {
		out[i] = To(x)
	}
	return out
}
