package onnx

import (
	"fmt"
	"math"
)

// A reduction folds elements in double precision.
type reduction struct {
	start float64
	fold  func(so, v float64) float64
	end   func(result float64, elements int) float64
}

func same64(v float64, _ int) float64    { return v }
func plus(so, v float64) float64         { return so + v }
func plusSquare(so, v float64) float64   { return so + float64(v*v) }
func average(v float64, n int) float64   { return v / float64(n) }
func rootOf(v float64, _ int) float64    { return math.Sqrt(v) }
func times(so, v float64) float64        { return so * v }
func plusAbsolute(so, v float64) float64 { return so + math.Abs(v) }
func greater64(so, v float64) float64    { return max(so, v) }
func lesser64(so, v float64) float64     { return min(so, v) }

var (
	mean      = reduction{0, plus, average}
	sum       = reduction{0, plus, same64}
	product   = reduction{1, times, same64}
	l1        = reduction{0, plusAbsolute, same64}
	l2        = reduction{0, plusSquare, rootOf}
	sumSquare = reduction{0, plusSquare, same64}
	maximum   = reduction{math.Inf(-1), greater64, same64}
	minimum   = reduction{math.Inf(1), lesser64, same64}
)

// reduce takes its axes as an attribute, or as an input since opset 13 (ReduceSum)
// and 18.
func reduce(r reduction) operator {
	return func(n *node, in []*Tensor) (*Tensor, error) {
		axes, err := n.axes(in)
		if err != nil {
			return nil, err
		}
		if len(axes) == 0 && n.int("noop_with_empty_axes", 0) != 0 {
			return in[0], nil
		}
		return r.over(in[0], axes, n.int("keepdims", 1) != 0)
	}
}

// axes returns the axes of a node: its second input, or an attribute.
func (n *node) axes(in []*Tensor) ([]int64, error) {
	if n.has(1) {
		return in[1].ints()
	}
	return n.attributes["axes"].ints, nil
}

// over reduces a tensor over axes; none means all.
func (r reduction) over(t *Tensor, axes []int64, keep bool) (*Tensor, error) {
	reduced, err := marked(axes, len(t.Shape))
	if err != nil {
		return nil, err
	}
	kept, shape := []int{}, []int{} // with and without reduced dimensions
	elements := 1
	for d, size := range t.Shape {
		if reduced[d] || len(axes) == 0 {
			elements *= size
			kept = append(kept, 1)
			if keep {
				shape = append(shape, 1)
			}
			continue
		}
		kept, shape = append(kept, size), append(shape, size)
	}
	sums := make([]float64, count(kept))
	for i := range sums {
		sums[i] = r.start
	}
	each(t.Shape, func(at, run int, from, step []int) {
		for i := range run {
			so := &sums[from[0]+i*step[0]]
			if t.Int != nil {
				*so = r.fold(*so, float64(t.Int[at+i]))
			} else {
				*so = r.fold(*so, float64(t.Float[at+i]))
			}
		}
	}, strides(kept, t.Shape))
	for i := range sums {
		sums[i] = r.end(sums[i], elements)
	}
	if t.Int != nil {
		return &Tensor{Shape: shape, Int: converted[int64](sums)}, nil
	}
	return &Tensor{Shape: shape, Float: converted[float32](sums)}, nil
}

// marked returns which of a number of dimensions are in a list of axes, of which
// negative ones count from the end.
func marked(axes []int64, dims int) ([]bool, error) {
	marks := make([]bool, dims)
	for _, a := range axes {
		d, err := axis(a, dims)
		if err != nil {
			return nil, err
		}
		if marks[d] {
			return nil, fmt.Errorf("axis %d is listed twice", a)
		}
		marks[d] = true
	}
	return marks, nil
}

// axis returns an axis from 0.
func axis(a int64, dims int) (int, error) {
	if a < int64(-dims) || a >= int64(dims) {
		return 0, fmt.Errorf("axis %d does not exist in a tensor of %d dimensions", a, dims)
	}
	return int(a+int64(dims)) % dims, nil
}
