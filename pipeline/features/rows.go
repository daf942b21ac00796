package features

import "descbench/descriptors"

// rooted returns raw rows with those marked that describe nothing, rooted if
// asked for.
func rooted(raw *descriptors.Matrix, root string) (*descriptors.Matrix, error) {
	m := descriptors.MarkInvalid(raw)
	if root == "l1" {
		return descriptors.Root(m)
	}
	return m, nil
}

// normalized returns rows as they are compared.
func normalized(m *descriptors.Matrix, normalize string) (*descriptors.Matrix, error) {
	norm, err := descriptors.ParseNorm(normalize)
	if err != nil {
		return nil, err
	}
	return descriptors.Normalize(m, norm)
}
