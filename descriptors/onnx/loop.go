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

// A loop visits the elements of a tensor in order, in runs along its last
// dimension, and follows other tensors with strides of their own. Dimensions that
// all tensors pass in the same way are joined, so runs are long.
type loop struct {
	outer []int
	paths [][]int // strides of each other tensor over the outer dimensions
	inner int     // elements of a run
	step  []int   // of each other tensor in a run
}

func newLoop(shape []int, others ...[]int) *loop {
	var dims []int
	paths := make([][]int, len(others))
	for d, size := range shape {
		if size == 1 {
			continue
		}
		last := len(dims) - 1
		joined := last >= 0
		for i, s := range others {
			joined = joined && paths[i][last] == s[d]*size
		}
		if joined {
			dims[last] *= size
		} else {
			dims = append(dims, size)
			last++
		}
		for i, s := range others {
			paths[i] = append(paths[i][:last], s[d])
		}
	}
	l := &loop{outer: dims, paths: paths, inner: 1, step: make([]int, len(others))}
	if last := len(dims) - 1; last >= 0 {
		l.outer, l.inner = dims[:last], dims[last]
		for i := range paths {
			l.step[i], l.paths[i] = paths[i][last], paths[i][:last]
		}
	}
	return l
}

// each calls f for each run with the position of its first element, and the
// positions in the other tensors.
func (l *loop) each(f func(at int, from []int)) {
	index := make([]int, len(l.outer))
	from := make([]int, len(l.paths))
	for at := 0; ; at += l.inner {
		f(at, from)
		d := len(l.outer) - 1
		for ; d >= 0; d-- {
			index[d]++
			for i, path := range l.paths {
				from[i] += path[d]
			}
			if index[d] < l.outer[d] {
				break
			}
			for i, path := range l.paths {
				from[i] -= path[d] * l.outer[d]
			}
			index[d] = 0
		}
		if d < 0 {
			return
		}
	}
}
