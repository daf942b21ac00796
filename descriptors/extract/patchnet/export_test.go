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
