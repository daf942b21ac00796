//go:build cgo

package stats

/*
#cgo CFLAGS: -O3
#cgo noescape weighted_sums
#cgo nocallback weighted_sums

#include "sums.h"
*/
import "C"

// The constants that Go and C share are equal; otherwise this does not compile.
var _ = map[bool]struct{}{false: {}, block == C.BLOCK: {}}

// weightedSums sets out[b*block+l] to Σ times × values of pattern l of block b, added in
// the order of the scenes, given how often each scene was drawn: times[(b*scenes+i)*block+l].
// There is at least one scene and one block.
func weightedSums(times []uint8, values, out []float64) {
	C.weighted_sums((*C.uint8_t)(&times[0]), (*C.double)(&values[0]), C.ptrdiff_t(len(values)),
		(*C.double)(&out[0]), C.ptrdiff_t(len(out)/block))
}
