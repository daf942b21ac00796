package detect

/*
#include "features2d.h"
*/
import "C"

import (
	"errors"
	"maps"
	"unsafe"

	"descbench/keypoints"
)

// taken converts and frees the result of a detector that is called without
// gocv.
func taken(found C.struct_descbench_found) ([]keypoints.Keypoint, error) {
	defer C.descbench_free(found)
	if found.error != nil {
		return nil, OneLine(errors.New(C.GoString(found.error)))
	}
	out := make([]keypoints.Keypoint, int(found.count))
	for i, k := range unsafe.Slice(found.keypoints, len(out)) {
		out[i] = keypoints.Keypoint{
			X: float32(k.x), Y: float32(k.y), Size: float32(k.size), Angle: float32(k.angle),
			Response: float32(k.response), Octave: int32(k.octave), ClassID: int32(k.class_id),
		}
	}
	return out, nil
}

// Complete returns all parameters of an OpenCV object that both detects and
// describes. Values come from p, which may hold the parameters of the detector,
// the descriptor or both. Missing ones get the detector's defaults and the
// descriptor's defaults, which are given as more.
func Complete(detector string, more, p keypoints.Params) keypoints.Params {
	d, _ := keypoints.FindDetector(detector)
	all := keypoints.Defaults(d.Params)
	maps.Copy(all, more)
	maps.Copy(all, p)
	return all
}

// asInt converts b to a C truth value.
func asInt(b bool) C.int {
	if b {
		return 1
	}
	return 0
}
