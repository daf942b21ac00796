package nearest

// A kernel is an implementation of the computations for one instruction set.
type kernel struct {
	name          string
	uint8, bits   products[int32]
	float         products[float32]
	reduce        reduceFunc
	reduceBounded boundedFunc
	withinInt     withinFunc[int32]
	withinFloat   withinFunc[float32]

	// The rest is for a Measure and for what bounds leave open.
	rowFloat  rowFunc
	listUint8 listFunc[uint8]
	listBits  listFunc[uint8]
	listFloat listFunc[float32]
}

// packed holds the rows of one side in the layout of a kernel: as they are, row by row, or in panels.
// A panel stores word w of all its rows side by side, so that one vector holds the same word of many
// rows. Rows of zeros pad it to a multiple of maxPanel.
type packed struct {
	rows   *validRows // as they are; otherwise
	words  []uint32   // several bytes each, or the bits of a float32
	perRow int
	start  []int32 // initial value of the dot products of each row; nil: 0
}

// A packer arranges rows in a layout.
type packer func(v *validRows) packed

// products computes the dot products between the rows of two sides, each packed
// in its own layout.
type products[T int32 | float32] struct {
	queries, candidates packer
	// fill writes the tile's dot products to out, row by row. It may fill whole
	// panels and multiples of four rows.
	fill func(out []T, t tile, queries, candidates packed)
}

// The parts of a kernel that a Measure uses. They take one query and at least
// one candidate.
type (
	// A rowFunc writes the canonical distances between a query and len(dst)
	// candidates starting at first.
	rowFunc func(dst []float64, query, first int, queries, candidates packed)
	// A listFunc writes the dot products of the listed rows of bytes, which are stored
	// contiguously and must exist. For float32 it writes squared distances.
	listFunc[E uint8 | float32] func(dst []float64, query, rows []E, list []int32)
)

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

// Default returns the name of the kernel that is used.
func Default() string { return kernels()[0].name }
