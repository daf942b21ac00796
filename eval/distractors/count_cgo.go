//go:build cgo

package distractors

/*
#cgo CFLAGS: -O3
#cgo noescape count_places
#cgo nocallback count_places

#include "count.h"
*/
import "C"

import "unsafe"

// The constants that Go and C share are equal; otherwise this does not compile.
var _ = map[bool]struct{}{false: {}, binsPerStart == C.BINS_PER_START && placesBeyond == C.PLACES_BEYOND: {}}

// count adds samples to counts by their place: the index of the first positive at
// their distance or more. A sample precedes or ties with it and all later positives.
// NaN counts as beyond all positives. To within[k] it adds the number of samples whose
// place is at most limits[k].
func (p *positives) count(distances []float64, counts []int64, limits []int32, within []int64) {
	if len(distances) == 0 || p.finite == 0 {
		return
	}
	C.count_places((*C.double)(&distances[0]), C.ptrdiff_t(len(distances)), C.double(p.least), C.double(p.largest()),
		C.double(p.scale), C.int32_t(p.beyond), (*C.int32_t)(&p.starts[0]), (*C.uint16_t)(&p.offsets[0]),
		(*C.double)(&p.distances[0]), (*C.int64_t)(&counts[0]),
		(*C.int32_t)(unsafe.SliceData(limits)), C.ptrdiff_t(len(limits)), (*C.int64_t)(unsafe.SliceData(within)))
}
