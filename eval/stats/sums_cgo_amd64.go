//go:build cgo

package stats

/*
#cgo CFLAGS: -O3
#cgo noescape weighted_sums
#cgo nocallback weighted_sums

#include "sums.h"
*/
import "C"

import "golang.org/x/sys/cpu"

// The constants that Go and C share are equal; otherwise this does not compile.
var _ = map[bool]struct{}{false: {}, block == C.BLOCK: {}}

// nativeSums returns the C function, nil if this processor cannot run it.
func nativeSums() sumsFunc {
	if !cpu.X86.HasAVX2 {
		return nil
	}
	return func(times []uint8, values, out []float64) {
		C.weighted_sums((*C.uint8_t)(&times[0]), (*C.double)(&values[0]), C.ptrdiff_t(len(values)),
			(*C.double)(&out[0]), C.ptrdiff_t(len(out)/block))
	}
}
