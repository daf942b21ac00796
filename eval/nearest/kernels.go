package nearest

import (
	"fmt"
	"strings"
)

// A kernel is one way to compute, for the instruction set that it needs.
type kernel struct {
	name          string
	uint8, bits   products[int32]
	float         products[float32]
	reduceInt     reduceFunc[int32]
	reduceUnit    reduceFunc[float64]
	reduceBounded boundedFunc

	// The rest is of a Measure.
	listUint8              listFunc[uint8]
	listFloat              listFunc[float32]
	finishRoot, finishUnit finishFunc
}

// The parts of a kernel that a Measure uses. They take one query and at least
// one candidate.
type (
	// A rowFunc writes what it has of a query and len(dst) candidates from
	// first on: of bytes dot products, of float32 canonical distances.
	rowFunc func(dst []float64, query, first int, queries, candidates packed)
	// A listFunc does so for the listed ones of rows, which are stored one
	// after the other and must exist; of float32 it writes squared distances.
	listFunc[E uint8 | float32] func(dst []float64, query, rows []E, list []int32)
	// A finishFunc replaces the dot products of a query of this squared norm
	// and candidates of these by distances.
	finishFunc func(dots []float64, norm float64, norms []float64)
)

// kernels returns what this processor can run, best first.
func kernels() []kernel { return append(nativeKernels(), portableKernel()) }

// Kernels returns the names of the kernels that this processor can run, best
// first. The last one, "portable", is plain Go and always there.
func Kernels() []string {
	var names []string
	for _, k := range kernels() {
		names = append(names, k.name)
	}
	return names
}

// Default returns the name of the kernel that is used if none is asked for.
func Default() string { return kernels()[0].name }

func kernelNamed(name string) (kernel, error) {
	all := kernels()
	if name == "" {
		return all[0], nil
	}
	for _, k := range all {
		if k.name == name {
			return k, nil
		}
	}
	return kernel{}, fmt.Errorf("nearest: kernel %q cannot run here, want one of %s", name, strings.Join(Kernels(), ", "))
}
