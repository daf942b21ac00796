package detect

/*
#include "features2d.h"
*/
import "C"

import (
	"unsafe"

	"descbench/keypoints"
)

// detectMSER finds stable regions. In the grey image it finds the dark regions
// first, then the bright ones.
func detectMSER(img Image, p keypoints.Params) ([]keypoints.Keypoint, error) {
	image := img.Gray
	if p.Choice("image") == "color" {
		image = img.BGR
	}
	return taken(C.descbench_mser(unsafe.Pointer(image.Ptr()), C.struct_descbench_mser_params{
		delta:          C.int(p.Int("delta")),
		min_area:       C.int(p.Int("min_area")),
		max_area:       C.int(p.Int("max_area")),
		max_variation:  C.double(p.Float("max_variation")),
		min_diversity:  C.double(p.Float("min_diversity")),
		max_evolution:  C.int(p.Int("max_evolution")),
		area_threshold: C.double(p.Float("area_threshold")),
		min_margin:     C.double(p.Float("min_margin")),
		edge_blur_size: C.int(p.Int("edge_blur_size")),
		pass2_only:     asInt(p.Bool("pass2_only")),
	}))
}
