package detect

/*
#include "features2d.h"
*/
import "C"

import (
	"unsafe"

	"gocv.io/x/gocv"

	"descbench/keypoints"
)

// gocv has no gradient_size of GFTT and no pass2_only of MSER. Its objects hold a pointer
// to OpenCV's and nothing else, so that newGFTT can put one there, and newMSER can take it.
var (
	_ = [1]struct{}{}[unsafe.Sizeof(gocv.GFTTDetector{})-unsafe.Sizeof(unsafe.Pointer(nil))]
	_ = [1]struct{}{}[unsafe.Sizeof(gocv.MSER{})-unsafe.Sizeof(unsafe.Pointer(nil))]
)

// newGFTT returns OpenCV's GFTT, which finds corners, strongest first.
func newGFTT(p keypoints.Params) detector {
	harris := C.int(0)
	if p.Bool("use_harris_detector") {
		harris = 1
	}
	object := C.descbench_gftt(C.int(p.Int("max_corners")), C.double(p.Float("quality_level")), C.double(p.Float("min_distance")),
		C.int(p.Int("block_size")), C.int(p.Int("gradient_size")), harris, C.double(p.Float("k")))
	return (*gocv.GFTTDetector)(unsafe.Pointer(&object))
}

// newMSER returns OpenCV's MSER, which finds stable regions: in the grey image the dark
// ones first, then the bright ones.
func newMSER(p keypoints.Params) detector {
	mser := gocv.NewMSERWithParams(p.Int("delta"), p.Int("min_area"), p.Int("max_area"), p.Float("max_variation"), p.Float("min_diversity"),
		p.Int("max_evolution"), p.Float("area_threshold"), p.Float("min_margin"), p.Int("edge_blur_size"))
	if p.Bool("pass2_only") {
		C.descbench_mser_pass2_only(*(*unsafe.Pointer)(unsafe.Pointer(&mser)))
	}
	return &mser
}
