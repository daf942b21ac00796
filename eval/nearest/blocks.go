package nearest

const (
	// blockRows is the number of queries that pass over the candidates together.
	blockRows = 64
	// maxPanel is the largest number of candidates that a kernel interleaves.
	// Smaller numbers must divide it.
	maxPanel = 64
	// maxStride is the largest number of candidates in a tile.
	maxStride = 256
	// tileBytes limits the size of a tile's packed candidates, so that they
	// stay in the second-level cache while a block of queries passes over them.
	tileBytes = 256 << 10
)

// padded returns n rounded up to a multiple of maxPanel.
func padded(n int) int { return (n + maxPanel - 1) / maxPanel * maxPanel }

// tileStride returns the number of candidates of rowBytes each in a tile.
func tileStride(rowBytes int) int {
	return min(max(tileBytes/rowBytes/maxPanel*maxPanel, maxPanel), maxStride)
}
