package patchnet

import (
	"fmt"
	"math"

	"descbench/descriptors/onnx"
)

// maxDim is the maximum number of elements of a descriptor. A model with more
// lacks its last layers or does not compute descriptors.
const maxDim = 4096

// run returns a network's output for one batch and the number of elements per
// patch.
func (o Options) run(net *network, input []float32) (output []float32, dim int, err error) {
	out, err := net.run(&onnx.Tensor{Shape: []int{o.Batch, o.planes(), o.InputSize, o.InputSize}, Float: input})
	if err != nil {
		return nil, 0, fmt.Errorf("run ONNX model: %w", err)
	}
	output, shape := out.Float, out.Shape
	if len(shape) == 0 || shape[0] != o.Batch {
		return nil, 0, fmt.Errorf("the ONNX model's output for %d patches has shape %v, want a first dimension of %d; if the model has a fixed batch size, set batch to that size", o.Batch, shape, o.Batch)
	}
	dim = len(output) / o.Batch
	if dim < 1 || dim > maxDim {
		return nil, 0, fmt.Errorf("the ONNX model's output for %d patches has shape %v, want 1 to %d numbers per patch", o.Batch, shape, maxDim)
	}
	return output, dim, nil
}

// try runs a network and returns the descriptor dimension. It fails if the
// descriptor of a patch depends on the other patches of the batch: either the
// model mixes patches or OpenCV's execution of it does.
func (o Options) try(net *network) (dim int, err error) {
	size := o.patchInputs()
	crowd, alone := noise(o.inputs()), make([]float32, o.inputs())
	output, dim, err := o.run(net, crowd)
	if err != nil {
		return 0, err
	}
	last := output[(o.Batch-1)*dim:]
	copy(alone, crowd[(o.Batch-1)*size:]) // the last patch, now in first position
	output, again, err := o.run(net, alone)
	if err != nil {
		return 0, err
	}
	if again != dim {
		return 0, fmt.Errorf("the ONNX model gives %d numbers per patch in the first run and %d in the second", dim, again)
	}
	if !closeTo(last, output[:dim]) {
		return 0, fmt.Errorf("the ONNX model's descriptor of a patch depends on the other patches in the batch, want a model that treats patches independently; batch 1 may help")
	}
	return dim, nil
}

// noise returns n pseudo-random numbers between 0 and 1, always the same:
// fractional parts derived from multiples of the golden ratio.
func noise(n int) []float32 {
	v := make([]float32, n)
	for i := range v {
		_, f := math.Modf(float64(i) * math.Phi)
		_, f = math.Modf(f * f * 97)
		v[i] = float32(f)
	}
	return v
}

// closeTo reports whether two descriptors are equal up to rounding, which may
// differ with the batch. Non-finite elements match anything.
func closeTo(a, b []float32) bool {
	largest := 0.0
	for _, v := range a {
		largest = max(largest, math.Abs(float64(v)))
	}
	for i := range a {
		if math.Abs(float64(a[i])-float64(b[i])) > 1e-3*largest {
			return false
		}
	}
	return true
}
