package patchnet

// Dim returns the elements of a descriptor.
func (n *Net) Dim() int { return n.dim }
