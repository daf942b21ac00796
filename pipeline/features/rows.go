package features

import "descbench/descriptors"

// rooted returns the raw rows, rooted if requested.
func rooted(raw *descriptors.Matrix, root descriptors.Norm) (*descriptors.Matrix, error) {
	if root == descriptors.L1 {
		return descriptors.Root(raw)
	}
	return raw, nil
}
