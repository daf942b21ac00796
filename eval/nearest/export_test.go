package nearest

import "descbench/descriptors"

// NewMeasureWith is NewMeasure with one of Kernels.
func NewMeasureWith(queries, candidates *descriptors.Matrix, kernel string) (*Measure, error) {
	k, err := kernelNamed(kernel)
	if err != nil {
		return nil, err
	}
	return newMeasure(queries, candidates, k)
}

// NewPoolWith is NewPool with one of Kernels.
func NewPoolWith(rows *descriptors.Matrix, kernel string) (*Pool, error) {
	k, err := kernelNamed(kernel)
	if err != nil {
		return nil, err
	}
	return newPool(rows, k)
}

// NewPairsWith is NewPairs with one of Kernels.
func NewPairsWith(matrices []*descriptors.Matrix, kernel string) (*Pairs, error) {
	k, err := kernelNamed(kernel)
	if err != nil {
		return nil, err
	}
	return newPairs(matrices, k), nil
}
