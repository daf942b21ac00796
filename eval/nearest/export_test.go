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

// NewScannerWith is NewScanner with one of Kernels.
func NewScannerWith(rows *descriptors.Matrix, kernel string) (*Scanner, error) {
	k, err := kernelNamed(kernel)
	if err != nil {
		return nil, err
	}
	return newScanner(rows, k)
}

// NewPairsWith is NewPairs with one of Kernels.
func NewPairsWith(matrices []*descriptors.Matrix, kernel string) (*Pairs, error) {
	k, err := kernelNamed(kernel)
	if err != nil {
		return nil, err
	}
	return newPairs(matrices, k), nil
}
