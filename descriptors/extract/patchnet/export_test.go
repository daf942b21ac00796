package patchnet

// Dim returns the elements of a descriptor.
func (n *Net) Dim() int { return n.dim }

// CheckGraph checks a model without OpenCV.
func CheckGraph(model []byte, o Options) error {
	if err := checkGraph(model); err != nil {
		return err
	}
	return o.checkInput(model)
}

// Forward runs the network on a full batch of noise, count times.
func (n *Net) Forward(count int) error {
	net, err := n.take()
	if err != nil {
		return err
	}
	defer n.put(net)
	input := noise(n.options.inputs())
	for range count {
		if _, _, err := n.options.run(net, input, false); err != nil {
			return err
		}
	}
	return nil
}
