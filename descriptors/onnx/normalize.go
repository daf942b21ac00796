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

// lrn divides by a power of the sum of squares over neighbouring channels.
func lrn(n *node, in []*Tensor) (*Tensor, error) {
	t, size := in[0], n.int("size", 0)
	if t.Int != nil || len(t.Shape) < 2 || size < 1 || size > maxElements {
		return nil, fmt.Errorf("input of shape %v and size %d, want samples × channels × ... and a size from 1", t.Shape, size)
	}
	alpha, beta, bias := float64(n.float("alpha", 1e-4)), float64(n.float("beta", 0.75)), float64(n.float("bias", 1))
	out := &Tensor{Shape: t.Shape, Float: make([]float32, len(t.Float))}
	channels, run := t.Shape[1], count(t.Shape[2:])
	before := int(size-1) / 2
	after := int(size) - 1 - before
	for s := range t.Shape[0] {
		sample := t.Float[s*channels*run : (s+1)*channels*run]
		for c := range channels {
			for i := range run {
				squares := 0.0
				for other := max(0, c-before); other <= min(channels-1, c+after); other++ {
					v := float64(sample[other*run+i])
					squares += float64(v * v)
				}
				at := c*run + i
				out.Float[s*channels*run+at] = float32(float64(sample[at]) / math.Pow(bias+float64(alpha/float64(size)*squares), beta))
			}
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

// averagePool averages over windows of any number of dimensions, as PyTorch uses it
// for LocalResponseNorm.
func averagePool(n *node, in []*Tensor) (*Tensor, error) {
	t := in[0]
	dims := len(t.Shape) - 2
	kernel, steps, pads := n.attributes["kernel_shape"].ints, n.attributes["strides"].ints, n.attributes["pads"].ints
	if steps == nil {
		steps = slices.Repeat([]int64{1}, max(dims, 0))
	}
	if err := t.needFloat(); err != nil {
		return nil, err
	}
	switch {
	case dims < 1 || len(kernel) != dims || len(steps) != dims:
		return nil, fmt.Errorf("kernel %v and strides %v for an input of shape %v", kernel, steps, t.Shape)
	case slices.ContainsFunc(pads, func(v int64) bool { return v != 0 }) || n.int("ceil_mode", 0) != 0 || n.text("auto_pad", "NOTSET") != "NOTSET" || n.attributes["dilations"].ints != nil:
		return nil, errors.New("padding, ceil_mode and dilations are not supported over other than 2 dimensions")
	}
	shape := slices.Clone(t.Shape)
	for d, k := range kernel {
		size := int64(t.Shape[d+2])
		if k < 1 || k > size || steps[d] < 1 {
			return nil, fmt.Errorf("kernel %v and strides %v for an input of shape %v", kernel, steps, t.Shape)
		}
		shape[d+2] = int((size-k)/steps[d]) + 1
	}
	// A window average along one dimension after another.
	for d, k := range kernel {
		t = averageAlong(t, d+2, int(k), int(steps[d]), shape[d+2])
	}
	return t, nil
}

// averageAlong averages k elements, from every step-th on, along a dimension.
func averageAlong(t *Tensor, d, k, step, size int) *Tensor {
	if k == 1 && step == 1 {
		return t
	}
	shape := slices.Clone(t.Shape)
	shape[d] = size
	out := &Tensor{Shape: shape, Float: make([]float32, count(shape))}
	run := count(t.Shape[d+1:])
	for row := range count(t.Shape[:d]) {
		for o := range size {
			for i := range run {
				total := 0.0
				for j := range k {
					total += float64(t.Float[(row*t.Shape[d]+o*step+j)*run+i])
				}
				out.Float[(row*size+o)*run+i] = float32(total / float64(k))
			}
		}
	}
	return out
}
