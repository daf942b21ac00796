package features

import "descbench/descriptors"

// rooted marks the raw rows that describe nothing as invalid, and roots the rows
// if requested.
func rooted(raw *descriptors.Matrix, root string) (*descriptors.Matrix, error) {
	m := descriptors.MarkInvalid(raw)
	if root == "l1" {
		return descriptors.Root(m)
	}
	return m, nil
}

// normalized returns rows in the form in which they are compared.
func normalized(m *descriptors.Matrix, normalize string) (*descriptors.Matrix, error) {
	norm, err := descriptors.ParseNorm(normalize)
	if err != nil {
		return nil, err
	}
	return descriptors.Normalize(m, norm)
}
