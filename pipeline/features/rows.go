package features

import "descbench/descriptors"

// rooted marks the raw rows that describe nothing as invalid, and roots the rows
// if requested.
func rooted(raw *descriptors.Matrix, root descriptors.Norm) (*descriptors.Matrix, error) {
	m := descriptors.MarkInvalid(raw)
	if root == descriptors.L1 {
		return descriptors.Root(m)
	}
	return m, nil
}
