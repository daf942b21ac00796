package patchnet

import "descbench/descriptors/onnx"

// Dim returns the elements of a descriptor.
func (n *Net) Dim() int { return n.dim }

// CheckGraph checks a model without OpenCV.
func CheckGraph(model []byte, o Options) error {
	m, err := onnx.Read(model)
	if err != nil {
		return err
	}
	return o.checkInput(m)
}

// Forward runs the network on a full batch of noise, count times.
func (n *Net) Forward(count int) error {
	net := n.take()
	defer n.put(net)
	input := noise(n.options.inputs())
	for range count {
		if _, _, err := n.options.run(net, input); err != nil {
			return err
		}
	}
	return nil
}

// Evaluate returns a model's output for count patches, without the checks of Load.
func Evaluate(model []byte, patches []float32, count, side int) ([]float32, error) {
	m, err := onnx.Read(model)
	if err != nil {
		return nil, err
	}
	program, err := m.Cut()
	if err != nil {
		return nil, err
	}
	n := newNetwork("model", program)
	defer n.close()
	o := DefaultOptions()
	o.Batch, o.InputSize = count, side
	output, _, err := o.run(n, patches)
	return output, err
}
