package onnx

import (
	"errors"
	"fmt"
	"slices"
)

func concat(n *node, in []*Tensor) (*Tensor, error) {
	first := in[0]
	at, err := axis(n.int("axis", 0), len(first.Shape))
	if err != nil {
		return nil, err
	}
	shape := slices.Clone(first.Shape)
	for _, t := range in[1:] {
		if t == nil || (t.Int == nil) != (first.Int == nil) || len(t.Shape) != len(shape) {
			return nil, errors.New("inputs of different types or dimensions")
		}
		for d := range shape {
			if d == at {
				shape[d] += t.Shape[d]
			} else if t.Shape[d] != shape[d] {
				return nil, fmt.Errorf("inputs of shapes %v and %v do not fit together", first.Shape, t.Shape)
			}
		}
	}
	if err := checkShape(shape); err != nil {
		return nil, err
	}
	out := first.empty(shape)
	for row := range count(shape[:at]) {
		for _, t := range in {
			n := count(t.Shape[at:])
			out.add(t, row*n, n)
		}
	}
	return out, nil
}

// empty returns a tensor of the same type to which elements are added until it has a shape.
func (t *Tensor) empty(shape []int) *Tensor {
	out := &Tensor{Shape: shape}
	if t.Int != nil {
		out.Int = []int64{}
	}
	return out
}

// add adds n elements of a tensor of the same type.
func (t *Tensor) add(of *Tensor, from, n int) {
	if of.Int != nil {
		t.Int = append(t.Int, of.Int[from:from+n]...)
	} else {
		t.Float = append(t.Float, of.Float[from:from+n]...)
	}
}

func gather(n *node, in []*Tensor) (*Tensor, error) {
	t := in[0]
	at, err := axis(n.int("axis", 0), len(t.Shape))
	if err != nil {
		return nil, err
	}
	indices, err := in[1].ints()
	if err != nil {
		return nil, err
	}
	size, run := int64(t.Shape[at]), count(t.Shape[at+1:])
	shape := slices.Concat(t.Shape[:at], in[1].Shape, t.Shape[at+1:])
	if err := checkShape(shape); err != nil {
		return nil, err
	}
	out := t.empty(shape)
	for row := range count(t.Shape[:at]) {
		for _, i := range indices {
			if i < -size || i >= size {
				return nil, fmt.Errorf("index %d does not exist in %d elements", i, size)
			}
			out.add(t, (row*int(size)+int((i+size)%size))*run, run)
		}
	}
	return out, nil
}

// slice takes its bounds as attributes, or since opset 10 as inputs.
func slice(n *node, in []*Tensor) (*Tensor, error) {
	t := in[0]
	var bounds [4][]int64 // starts, ends, axes, steps
	for i, name := range []string{"starts", "ends", "axes", "steps"} {
		bounds[i] = n.attributes[name].ints
		if n.has(i + 1) {
			var err error
			if bounds[i], err = in[i+1].ints(); err != nil {
				return nil, err
			}
		}
	}
	starts, ends, axes, steps := bounds[0], bounds[1], bounds[2], bounds[3]
	if len(starts) != len(ends) || axes != nil && len(axes) != len(starts) || steps != nil && len(steps) != len(starts) {
		return nil, fmt.Errorf("%d starts, %d ends, %d axes, %d steps", len(starts), len(ends), len(axes), len(steps))
	}
	shape, path, start := slices.Clone(t.Shape), contiguous(t.Shape), 0
	if axes == nil {
		for i := range starts {
			axes = append(axes, int64(i))
		}
	}
	if steps == nil {
		steps = slices.Repeat([]int64{1}, len(starts))
	}
	if _, err := marked(axes, len(shape)); err != nil {
		return nil, err
	}
	for i, a := range axes {
		d, _ := axis(a, len(shape))
		first, length, err := span(starts[i], ends[i], steps[i], int64(shape[d]))
		if err != nil {
			return nil, err
		}
		start += int(first) * path[d]
		shape[d], path[d] = int(length), path[d]*int(steps[i])
	}
	return t.pick(shape, path, start), nil
}

// span returns the first index and the number of indices from start to end,
// exclusive, among size.
func span(start, end, step, size int64) (first, length int64, err error) {
	if step == 0 || step > maxElements || step < -maxElements {
		return 0, 0, fmt.Errorf("step %d is impossible", step)
	}
	low, high := int64(0), size // of forward steps
	if step < 0 {
		low, high = -1, size-1
	}
	bound := func(v int64) int64 {
		if v < 0 {
			v = max(v, -size-1) + size
		}
		return min(max(v, low), high)
	}
	first, last := bound(start), bound(end)
	if step > 0 {
		return first, max(0, (last-first+step-1)/step), nil
	}
	return first, max(0, (first-last-step-1)/-step), nil
}

// pad takes its widths as an attribute, or since opset 11 as an input.
func pad(n *node, in []*Tensor) (*Tensor, error) {
	t := in[0]
	if mode := n.text("mode", "constant"); mode != "constant" {
		return nil, fmt.Errorf("mode %.20q is not supported, want constant", mode)
	}
	widths, value := n.attributes["pads"].ints, n.float("value", 0)
	var err error
	if n.has(1) {
		if widths, err = in[1].ints(); err != nil {
			return nil, err
		}
	}
	if n.has(2) {
		if value, err = in[2].scalar(); err != nil {
			return nil, err
		}
	}
	if err := t.needFloat(); err != nil {
		return nil, err
	}
	if dims := len(t.Shape); len(widths) != 2*dims || n.has(3) || slices.Min(append(slices.Clone(widths), 0)) < 0 || slices.Max(append(slices.Clone(widths), 0)) > maxElements {
		return nil, fmt.Errorf("pads %v of %d dimensions, want a number from 0 for both sides of each", widths, dims)
	}
	if slices.Max(append(slices.Clone(widths), 0)) == 0 {
		return t, nil
	}
	shape := slices.Clone(t.Shape)
	for d := range shape {
		shape[d] += int(widths[d] + widths[d+len(shape)])
	}
	out, err := floats(shape)
	if err != nil {
		return nil, err
	}
	for i := range out.Float {
		out.Float[i] = value
	}
	path, start := contiguous(shape), 0
	for d, step := range path {
		start += int(widths[d]) * step
	}
	each(t.Shape, func(at, run int, from, step []int) {
		for i, v := range t.Float[at : at+run] {
			out.Float[start+from[0]+i*step[0]] = v
		}
	}, path)
	return out, nil
}
