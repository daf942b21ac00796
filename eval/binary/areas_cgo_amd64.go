//go:build cgo

package binary

/*
#cgo CFLAGS: -O3
#cgo noescape call_area_sums
#cgo nocallback call_area_sums

#include "areas.h"
*/
import "C"

import "golang.org/x/sys/cpu"

// The constants that Go and C share are equal; otherwise this does not compile.
var _ = map[bool]struct{}{
	false: {},
	lanes == C.LANES && isPositive == C.IS_POSITIVE && isLastOfTies == C.IS_LAST_OF_TIES && isScored == C.IS_SCORED && sceneShift == C.SCENE_SHIFT: {},
}

// nativeSums returns the C function that this processor can run, nil if there is none.
func nativeSums() sumsFunc {
	switch {
	case cpu.X86.HasAVX512F:
		return sumsWith(C.area_sums(C.area_sums_avx512))
	case cpu.X86.HasAVX2:
		return sumsWith(C.area_sums(C.area_sums_avx2))
	}
	return nil
}

func sumsWith(f C.area_sums) sumsFunc {
	return func(samples []uint32, times, negatives []float64) (precision, twice [lanes]float64) {
		C.call_area_sums(f, (*C.uint32_t)(&samples[0]), C.ptrdiff_t(len(samples)), (*C.double)(&times[0]),
			(*C.double)(&negatives[0]), (*C.double)(&precision[0]), (*C.double)(&twice[0]))
		return precision, twice
	}
}
