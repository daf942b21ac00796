package nearest

// A kernel is an implementation of the computations for one instruction set.
type kernel struct {
	name          string
	uint8, bits   products[int32]
	float         products[float32]
	reduceInt     reduceFunc[int32]
	reduceUnit    reduceFunc[float64]
	reduceBounded boundedFunc
	withinInt     withinFunc[int32]
	withinFloat   withinFunc[float32]

	// The rest is for a Measure and for what bounds leave open.
	listUint8 listFunc[uint8]
	listFloat listFunc[float32]
}

// A listFunc writes one value per listed row for a query: dot products for bytes, canonical
// squared distances for float32. There is at least one row; rows are stored contiguously and
// must exist.
type listFunc[E uint8 | float32] func(dst []float64, query, rows []E, list []int32)

// kernels returns the kernels that this processor can run, best first.
func kernels() []kernel { return append(nativeKernels(), portableKernel()) }

// Kernels returns the names of the kernels that this processor can run, best
// first. The last one, "portable", is plain Go and always available.
func Kernels() []string {
	var names []string
	for _, k := range kernels() {
		names = append(names, k.name)
	}
	return names
}

// Default returns the name of the kernel in use.
func Default() string { return kernels()[0].name }
