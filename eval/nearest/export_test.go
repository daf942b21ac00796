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

// SquaredDistancesWith is SquaredDistances with one of Kernels.
func SquaredDistancesWith(dst []float64, a, b []float32, dim int, kernel string) error {
	k, err := kernelNamed(kernel)
	if err == nil {
		k.pairsFloat(dst, a, b, dim)
	}
	return err
}
