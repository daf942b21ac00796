package onnx

import "math"

// softmax normalises along an axis or, before opset 13, over all dimensions from the
// axis on.
func softmax(logarithm bool) operator {
	return func(n *node, in []*Tensor) (*Tensor, error) {
		t := in[0]
		if err := t.needFloat(); err != nil {
			return nil, err
		}
		usual := int64(-1)
		if n.opset < 13 {
			usual = 1
		}
		at, err := axis(n.int("axis", usual), len(t.Shape))
		if err != nil {
			return nil, err
		}
		length, step := t.Shape[at], count(t.Shape[at+1:])
		if n.opset < 13 {
			length, step = length*step, 1
		}
		out := &Tensor{Shape: t.Shape, Float: make([]float32, len(t.Float))}
		for row := range count(t.Shape[:at]) {
			for i := range count(t.Shape[at:]) / max(1, length) {
				softmaxOf(out.Float, t.Float, row*length*step+i, length, step, logarithm)
			}
		}
		return out, nil
	}
}

// softmaxOf normalises the elements from the first one on that are a step apart.
func softmaxOf(out, values []float32, first, length, step int, logarithm bool) {
	largest, sum := math.Inf(-1), 0.0
	for k := range length {
		largest = max(largest, float64(values[first+k*step]))
	}
	for k := range length {
		sum += math.Exp(float64(values[first+k*step]) - largest)
	}
	for k := range length {
		v := float64(values[first+k*step]) - largest
		if logarithm {
			v -= math.Log(sum)
		} else {
			v = math.Exp(v) / sum
		}
		out[first+k*step] = float32(v)
	}
}
