package nearest

import "math"

// The parts of a kernel that a Measure uses. They take one query and at least
// one candidate.
type (
	// A rowFunc writes the dot products of a query with len(dst) candidates
	// from first on.
	rowFunc func(dst []float64, query, first int, queries, candidates packed[uint32])
	// A listFunc writes the dot products of a query with the listed ones of
	// rows, which are stored one after the other and must exist.
	listFunc func(dst []float64, query, rows []uint8, list []int32)
	// A finishFunc replaces the dot products of a query of this squared norm
	// and candidates of these by distances.
	finishFunc func(dots []float64, norm float64, norms []float64)
)

// rowUint8 is portable. It calls fillUint8 by its name, so that the memory
// here stays on the stack.
func rowUint8(dst []float64, query, first int, queries, candidates packed[uint32]) {
	var dots [maxStride]int32
	for len(dst) > 0 {
		t, skip := rowTile(query, first, len(dst))
		fillUint8(dots[:], t, queries, candidates)
		n := widen(dst, dots[skip:t.cols])
		dst, first = dst[n:], first+n
	}
}

// rowBits is portable, like rowUint8.
func rowBits(dst []float64, query, first int, queries, candidates packed[uint32]) {
	var dots [maxStride]int32
	for len(dst) > 0 {
		t, skip := rowTile(query, first, len(dst))
		fillBits(dots[:], t, queries, candidates)
		n := widen(dst, dots[skip:t.cols])
		dst, first = dst[n:], first+n
	}
}

// rowTile returns the tile of one query that begins with the panel of candidate
// first, which is its column skip.
func rowTile(query, first, n int) (t tile, skip int) {
	skip = first % portablePanel
	return tile{row0: query, rows: 1, col0: first - skip, cols: min(skip+n, maxStride), stride: maxStride}, skip
}

func widen(dst []float64, dots []int32) int {
	for k, dot := range dots {
		dst[k] = float64(dot)
	}
	return len(dots)
}

func listUint8(dst []float64, query, rows []uint8, list []int32) {
	for k, row := range list {
		dst[k] = float64(dotBytes(query, rows[int(row)*len(query):][:len(query)]))
	}
}

func listBits(dst []float64, query, rows []uint8, list []int32) {
	for k, row := range list {
		dst[k] = float64(dotBits(query, rows[int(row)*len(query):][:len(query)]))
	}
}

// finishRoot gives the distances of uint8 rows.
func finishRoot(dots []float64, norm float64, norms []float64) {
	for k, dot := range dots {
		dots[k] = math.Sqrt(norm + norms[k] - 2*dot)
	}
}

// finishUnit gives the distances of L2-normalised uint8 rows.
func finishUnit(dots []float64, norm float64, norms []float64) {
	for k, dot := range dots {
		dots[k] = distanceOfUnits(dot, norm, norms[k])
	}
}

// finishCount gives the distances of rows of bits. No kernel has a faster one
// that would be felt.
func finishCount(dots []float64, norm float64, norms []float64) {
	for k, dot := range dots {
		dots[k] = norm + norms[k] - 2*dot
	}
}
