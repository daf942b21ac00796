package nearest

import (
	"context"
	"slices"

	"descbench/descriptors"
)

func kernelNamed(name string) kernel {
	all := kernels()
	return all[slices.IndexFunc(all, func(k kernel) bool { return k.name == name })]
}

// SearchWith is Search with one of Kernels.
func SearchWith(ctx context.Context, queries, candidates *descriptors.Matrix, truth []int32, kernel string) (*Result, error) {
	return searchWith(ctx, kernelNamed(kernel), queries, candidates, truth)
}

// NewMeasureWith is NewMeasure with one of Kernels.
func NewMeasureWith(queries, candidates *descriptors.Matrix, kernel string) (*Measure, error) {
	return newMeasure(queries, candidates, kernelNamed(kernel))
}

// NewScannerWith is NewScanner with one of Kernels.
func NewScannerWith(rows *descriptors.Matrix, kernel string) (*Scanner, error) {
	return newScanner(rows, kernelNamed(kernel))
}
