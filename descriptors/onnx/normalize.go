package onnx

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// instanceNormalization standardises each channel of each sample.
func instanceNormalization(n *node, in []*Tensor) (*Tensor, error) {
	t, scale, bias := in[0], in[1], in[2]
	if t.Int != nil || len(t.Shape) < 3 || len(scale.Float) != t.Shape[1] || len(bias.Float) != t.Shape[1] {
		return nil, fmt.Errorf("inputs of shapes %v, %v and %v, want samples × channels × ..., and a scale and a bias per channel", t.Shape, scale.Shape, bias.Shape)
	}
	epsilon := float64(n.float("epsilon", 1e-5))
	out := &Tensor{Shape: t.Shape, Float: make([]float32, len(t.Float))}
	size := count(t.Shape[2:])
	for i := range count(t.Shape[:2]) {
		values := t.Float[i*size : (i+1)*size]
		total, squares := 0.0, 0.0
		for _, v := range values {
			total += float64(v)
		}
		center := total / float64(size)
		for _, v := range values {
			d := float64(v) - center
			squares += float64(d * d)
		}
		c := i % t.Shape[1]
		factor := float64(scale.Float[c]) / math.Sqrt(squares/float64(size)+epsilon)
		for j, v := range values {
			out.Float[i*size+j] = float32(float64((float64(v)-center)*factor) + float64(bias.Float[c]))
		}
	}
	return out, nil
}

// lpNormalization scales to unit norm along an axis. A norm of 0 gives zeros.
func lpNormalization(n *node, in []*Tensor) (*Tensor, error) {
	r, p := l2, n.int("p", 2)
	switch p {
	case 1:
		r = l1
	case 2:
	default:
		return nil, fmt.Errorf("p %d, want 1 or 2", p)
	}
	if err := in[0].needFloat(); err != nil {
		return nil, err
	}
	norms, err := r.over(in[0], []int64{n.int("axis", -1)}, true)
	if err != nil {
		return nil, err
	}
	for i, v := range norms.Float {
		if v == 0 {
			norms.Float[i] = 1
		}
	}
	return pairwise(kernels{float: div[float32]}, in[0], norms)
}

// averagePool averages over windows of 1, 3 or more dimensions, as PyTorch uses it for
// LocalResponseNorm. OpenCV pools images, but counts padding as elements or not by the name
// of the program that wrote the model.
func averagePool(n *node, in []*Tensor) (*Tensor, error) {
	t := in[0]
	dims := len(t.Shape) - 2
	kernel, steps := n.attributes["kernel_shape"].ints, n.attributes["strides"].ints
	if steps == nil {
		steps = slices.Repeat([]int64{1}, max(dims, 0))
	}
	if err := t.needFloat(); err != nil {
		return nil, err
	}
	switch {
	case n.padded():
		return nil, errors.New("padding is not supported; export the model with a Pad before it, as PyTorch does with count_include_pad=True")
	case dims < 1 || len(kernel) != dims || len(steps) != dims:
		return nil, fmt.Errorf("kernel %v and strides %v for an input of shape %v", kernel, steps, t.Shape)
	case n.int("ceil_mode", 0) != 0 || slices.ContainsFunc(n.attributes["dilations"].ints, func(v int64) bool { return v != 1 }):
		return nil, errors.New("ceil_mode and dilations are not supported over other than 2 dimensions")
	}
	// A window average along one dimension after another.
	for d, k := range kernel {
		if k < 1 || k > int64(t.Shape[d+2]) || steps[d] < 1 {
			return nil, fmt.Errorf("kernel %v and strides %v for an input of shape %v", kernel, steps, t.Shape)
		}
		t = averageAlong(t, d+2, int(k), int(steps[d]))
	}
	return t, nil
}

// padded reports whether a node pads its input.
func (n *node) padded() bool {
	auto := n.text("auto_pad", "NOTSET")
	return slices.ContainsFunc(n.attributes["pads"].ints, func(v int64) bool { return v != 0 }) || auto != "NOTSET" && auto != "VALID"
}

// averageAlong averages k elements, from every step-th on, along a dimension.
func averageAlong(t *Tensor, d, k, step int) *Tensor {
	if k == 1 && step == 1 {
		return t
	}
	length := t.Shape[d]
	size := (length-k)/step + 1
	shape := slices.Clone(t.Shape)
	shape[d] = size
	out := &Tensor{Shape: shape, Float: make([]float32, count(shape))}
	run := count(t.Shape[d+1:])
	for row := range count(t.Shape[:d]) {
		for o := range size {
			for i := range run {
				total := 0.0
				for j := o * step; j < o*step+k; j++ {
					total += float64(t.Float[(row*length+j)*run+i])
				}
				out.Float[(row*size+o)*run+i] = float32(total / float64(k))
			}
		}
	}
	return out
}
