package estimate

/*
#cgo !windows pkg-config: opencv4
#include "essential.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"unsafe"

	"descbench/eval/matching"
	"descbench/keypoints"
	"descbench/keypoints/detect"
)

// leastOfPose is the number of matches that determine the pose of two cameras.
const leastOfPose = 5

// poseMethods are the values of OpenCV's findEssentialMat.
var poseMethods = map[string]C.int{
	matching.Essential:             8,
	matching.EssentialUsacDefault:  32,
	matching.EssentialUsacFast:     35,
	matching.EssentialUsacAccurate: 36,
	matching.EssentialMagsac:       38,
}

// Pose estimates the pose from the coordinates of the first camera to those of the other from
// matches, given the intrinsics of the cameras, whose own pose is not used. Its translation has length 1. The method is that of
// magicleap/SuperGluePretrainedNetwork, commit ddcf11f4, models/utils.py, estimate_pose: of all
// essential matrices that OpenCV finds, the one whose pose has the most matches in front of both
// cameras. ok is false, without an error, if there are fewer than five matches or none is.
//
// Equal arguments give equal results, independent of earlier and concurrent calls, but with
// another BLAS library they may differ in the last digits: OpenCV uses it to decompose matrices.
func Pose(m Matches, cameras keypoints.Cameras, e matching.Estimator) (pose keypoints.Pose, ok bool, err error) {
	method, known := poseMethods[e.Type]
	if !known {
		return pose, false, fmt.Errorf("estimator %q, want one of %s", e.Type, strings.Join(matching.PoseTypes(), ", "))
	}
	if err := m.check(); err != nil {
		return pose, false, fmt.Errorf("estimate a pose: %w", err)
	}
	if len(m.Src) < leastOfPose {
		return pose, false, nil
	}
	threshold := e.ThresholdPx / focalLength(cameras, e)
	from, to := rays(m.Src, cameras.First), rays(m.Dst, cameras.Other)
	var out [12]float64
	var message [1000]byte
	inliers := C.descbench_pose((*C.double)(&from[0]), (*C.double)(&to[0]), C.int(len(m.Src)), method, C.double(threshold),
		C.double(e.Confidence), C.int(e.Iterations), (*C.double)(&out[0]), (*C.char)(unsafe.Pointer(&message[0])), C.int(len(message)))
	if inliers < 0 {
		thrown := C.GoString((*C.char)(unsafe.Pointer(&message[0])))
		return pose, false, fmt.Errorf("estimate a pose from %d matches with %s: %w", len(m.Src), e, detect.OneLine(errors.New(thrown)))
	}
	copy(pose.R[:], out[:9])
	copy(pose.T[:], out[9:])
	return pose, inliers > 0, nil
}

// focalLength returns by what the threshold of an estimator is divided.
func focalLength(cameras keypoints.Cameras, e matching.Estimator) float64 {
	lengths := [4]float64{cameras.First[0], cameras.First[1], cameras.Other[0], cameras.Other[1]}
	for i := range lengths {
		if scale := cameras.Scales[i/2][i%2]; e.OriginalPixels && scale > 0 {
			lengths[i] /= scale
		}
	}
	if e.SuperGlueFocal {
		lengths = [4]float64{lengths[0], lengths[3], lengths[0], lengths[3]}
	}
	return (lengths[0] + lengths[1] + lengths[2] + lengths[3]) / 4
}

// rays returns the points as x, y of their rays with z = 1.
func rays(points []Point, k keypoints.Intrinsics) []float64 {
	out := make([]float64, 0, 2*len(points))
	for _, p := range points {
		x, y := k.Ray(float64(p.X), float64(p.Y))
		out = append(out, x, y)
	}
	return out
}

// PoseErrors returns the angles in degrees between the rotations and between the translations
// of an estimated pose and the true one, the latter as if of lines, 0 to 90: an essential matrix
// leaves the sign open. An angle is NaN if a translation is zero.
func PoseErrors(pose, truth keypoints.Pose) (rotation, translation float64) {
	trace, dot, a, b := 0.0, 0.0, 0.0, 0.0
	for i, r := range pose.R {
		trace += float64(r * truth.R[i])
	}
	for i, t := range pose.T {
		dot += float64(t * truth.T[i])
		a += float64(t * t)
		b += float64(truth.T[i] * truth.T[i])
	}
	degrees := func(cosine float64) float64 { return math.Acos(min(1, max(-1, cosine))) * (180 / math.Pi) }
	translation = degrees(dot / (math.Sqrt(a) * math.Sqrt(b)))
	return degrees((trace - 1) / 2), min(translation, 180-translation)
}
