package patchnet

import (
	"fmt"
	"math"
)

// maxDim bounds the numbers of a descriptor. A model that gives more lacks its
// last layers, or is none of descriptors.
const maxDim = 4096

// run returns a network's output for one batch, and the numbers in it for each
// patch.
func (o Options) run(net network, input []float32, trial bool) (output []float32, dim int, err error) {
	output, shape, err := net.run(input, o.Batch, o.planes(), o.InputSize, trial)
	if err != nil {
		return nil, 0, fmt.Errorf("run ONNX model: %w", err)
	}
	if len(shape) == 0 || shape[0] != o.Batch {
		return nil, 0, fmt.Errorf("the ONNX model's output for %d patches has the shape %v, want a first dimension of %d; a model whose batch is fixed needs that as its batch", o.Batch, shape, o.Batch)
	}
	dim = len(output) / o.Batch
	if dim < 1 || dim > maxDim {
		return nil, 0, fmt.Errorf("the ONNX model's output for %d patches has the shape %v, want 1 to %d numbers for each", o.Batch, shape, maxDim)
	}
	return output, dim, nil
}

// try runs a network and returns the numbers in a descriptor. It fails if a
// patch has another descriptor in other company: then the model mixes the
// patches of a batch, or OpenCV does in running it.
func (o Options) try(net network) (dim int, err error) {
	size := o.patchInputs()
	crowd, alone := noise(o.inputs()), make([]float32, o.inputs())
	output, dim, err := o.run(net, crowd, true)
	if err != nil {
		return 0, err
	}
	last := output[(o.Batch-1)*dim:]
	copy(alone, crowd[(o.Batch-1)*size:]) // as the first
	output, again, err := o.run(net, alone, true)
	if err != nil {
		return 0, err
	}
	if again != dim {
		return 0, fmt.Errorf("the ONNX model gives %d numbers for a patch at first, then %d", dim, again)
	}
	if !closeTo(last, output[:dim]) {
		return 0, fmt.Errorf("the ONNX model's descriptor of a patch depends on the other patches of its batch, want a model of single patches; with a batch of 1 it may be one")
	}
	return dim, nil
}

// noise returns n numbers between 0 and 1 without a pattern, always the same:
// the multiples of the golden ratio without their whole parts, stirred.
func noise(n int) []float32 {
	v := make([]float32, n)
	for i := range v {
		_, f := math.Modf(float64(i) * math.Phi)
		_, f = math.Modf(f * f * 97)
		v[i] = float32(f)
	}
	return v
}

// closeTo reports whether two descriptors are equal but for rounding, which
// batches may do in another order. What is not finite agrees with anything.
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
