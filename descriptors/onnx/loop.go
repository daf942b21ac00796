package onnx

import "fmt"

// broadcast returns the shape of an element-wise result.
func broadcast(a, b []int) ([]int, error) {
	shape := make([]int, max(len(a), len(b)))
	for i := range shape {
		da, db := 1, 1
		if j := i - len(shape) + len(a); j >= 0 {
			da = a[j]
		}
		if j := i - len(shape) + len(b); j >= 0 {
			db = b[j]
		}
		switch {
		case da == db || db == 1:
			shape[i] = da
		case da == 1:
			shape[i] = db
		default:
			return nil, fmt.Errorf("inputs of shapes %v and %v do not fit together", a, b)
		}
	}
	return shape, checkShape(shape)
}

// contiguous returns how far apart neighbours are in each dimension of a tensor.
func contiguous(shape []int) []int {
	s := make([]int, len(shape))
	for d, step := len(shape)-1, 1; d >= 0; d-- {
		s[d] = step
		step *= shape[d]
	}
	return s
}

// strides returns, for each dimension of an output, how far apart neighbours are in
// a tensor of a shape that is broadcast to it: 0 where it is repeated.
func strides(shape, out []int) []int {
	s := make([]int, len(out))
	for d, step := range contiguous(shape) {
		if shape[d] != 1 {
			s[d+len(out)-len(shape)] = step
		}
	}
	return s
}

// each visits the elements of a tensor of a shape in order, in runs along its last
// dimension, and follows other tensors with strides of their own. It calls visit with the
// position of the first element of a run, the length of the run, where the other tensors
// are, and how far apart their elements are in the run.
func each(shape []int, visit func(at, run int, from, step []int), paths ...[]int) {
	from, step := make([]int, len(paths)), make([]int, len(paths))
	if len(shape) == 0 {
		visit(0, 1, from, step)
		return
	}
	last := len(shape) - 1
	for i, path := range paths {
		step[i] = path[last]
	}
	index := make([]int, last)
	for at, end := 0, count(shape); at < end; at += shape[last] {
		visit(at, shape[last], from, step)
		for d := last - 1; d >= 0; d-- {
			index[d]++
			for i, path := range paths {
				from[i] += path[d]
			}
			if index[d] < shape[d] {
				break
			}
			for i, path := range paths {
				from[i] -= path[d] * shape[d]
			}
			index[d] = 0
		}
	}
}
