package features

import "descbench/descriptors"

// rooted returns the raw rows, rooted if requested.
func rooted(raw *descriptors.Matrix, root string) (*descriptors.Matrix, error) {
	if root == "l1" {
		return descriptors.Root(raw)
	}
	return raw, nil
}

// normalized returns rows in the form in which they are compared.
func normalized(m *descriptors.Matrix, normalize string) (*descriptors.Matrix, error) {
	norm, err := descriptors.ParseNorm(normalize)
	if err != nil {
		return nil, err
	}
	return descriptors.Normalize(m, norm)
}
