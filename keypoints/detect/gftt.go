package detect

/*
#include "features2d.h"
*/
import "C"

import (
	"unsafe"

	"descbench/keypoints"
)

// detectGFTT finds corners in the grey image, strongest first.
func detectGFTT(img Image, p keypoints.Params) ([]keypoints.Keypoint, error) {
	return taken(C.descbench_gftt(unsafe.Pointer(img.Gray.Ptr()), C.struct_descbench_gftt_params{
		max_corners:         C.int(p.Int("max_corners")),
		quality_level:       C.double(p.Float("quality_level")),
		min_distance:        C.double(p.Float("min_distance")),
		block_size:          C.int(p.Int("block_size")),
		gradient_size:       C.int(p.Int("gradient_size")),
		use_harris_detector: asInt(p.Bool("use_harris_detector")),
		k:                   C.double(p.Float("k")),
	}))
}
