//go:build cgo

package binary

/*
#cgo CFLAGS: -O3
#cgo noescape area_sums
#cgo nocallback area_sums

#include "resampled.h"
*/
import "C"

import "unsafe"

// lanes is the number of resamples that Areas processes in one pass.
const lanes = 32

// The constants that Go and C share are equal; otherwise this does not compile.
var _ = map[bool]struct{}{
	false: {},
	lanes == C.LANES && isPositive == C.IS_POSITIVE && isLastOfTies == C.IS_LAST_OF_TIES && isScored == C.IS_SCORED && sceneShift == C.SCENE_SHIFT: {},
}

// Areas sets auc[i] and ap[i] to ROCAUC(resamples[i]) and
// AveragePrecision(resamples[i]), with the same bits.
func (p *Resampler) Areas(resamples [][]uint8, auc, ap []float64) {
	table := make([]float64, len(p.positives)*lanes)
	for len(resamples) > 0 {
		n := min(len(resamples), lanes)
		var positives, negatives, precision, twice [lanes]float64
		clear(table)
		for l, times := range resamples[:n] {
			for scene, t := range times {
				table[scene*lanes+l] = float64(t)
				positives[l] += float64(t) * float64(p.positives[scene])
				negatives[l] += float64(t) * float64(p.negatives[scene])
			}
		}
		C.area_sums((*C.uint32_t)(unsafe.SliceData(p.samples)), C.ptrdiff_t(len(p.samples)), (*C.double)(unsafe.SliceData(table)),
			(*C.double)(&negatives[0]), (*C.double)(&precision[0]), (*C.double)(&twice[0]))
		for l := range n {
			auc[l] = twice[l] / (2 * positives[l] * negatives[l]) // NaN if a class is empty
			ap[l] = precision[l] / positives[l]
		}
		resamples, auc, ap = resamples[n:], auc[n:], ap[n:]
	}
}
