package features

import "descbench/descriptors"

// rooted returns raw rows with those marked that describe nothing, rooted if
// asked for.
func rooted(raw *descriptors.Matrix, root descriptors.Norm) (*descriptors.Matrix, error) {
	m := descriptors.MarkInvalid(raw)
	if root == descriptors.L1 {
		return descriptors.Root(m)
	}
	return m, nil
}
