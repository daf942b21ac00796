package nearest

import (
	"fmt"
	"strings"
)

// A kernel is one way to compute, for the instruction set that it needs.
type kernel struct {
	name          string
	uint8, bits   integerDots
	reduceInt     reduceFunc[int32]
	reduceUnit    reduceFunc[float64]
	float         *floatDots // nil: canonical distances of all pairs
	reduceBounded boundedFunc

	finishRoot, finishUnit finishFunc // of a Measure
}

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
