package extract

import (
	"math"

	"descbench/keypoints"
	"descbench/keypoints/detect"
)

// OpenCV's calcSIFTDescriptor (sift.simd.hpp) samples a square window of radius
// r = round(7.5·√2·scale) px of the octave's image, clipped to the image's
// diagonal; scale is half the keypoint's size in that image. It keeps the 128
// sums of the histogram in a buffer with room for (2r+1)² numbers, so r < 6
// writes past the end of the buffer, and it computes (2r+1)² in 32 bits. These
// bounds on the size, in pixels of the octave, keep 6 ≤ r ≤ 21 722.
const (
	minOctaveSize = 1.0625
	maxOctaveSize = 4096
	// OpenCV clips the window to the image: the part outside has no weight, and
	// the row of a window entirely outside the image is zero. This bound keeps
	// positions in octaves within 32 bits.
	maxOutside = 1 << 20
)

// describable reports whether OpenCV's SIFT can describe a keypoint in an image
// of w×h px, or in an enlarged part of it, without reading or writing out of
// bounds. OpenCV checks almost nothing itself. octaveLayers is OpenCV's parameter nOctaveLayers.
func describable(k keypoints.Keypoint, w, h, octaveLayers int) bool {
	if !k.Finite() {
		return false
	}
	octave, layer := keypoints.UnpackOctave(k.Octave)
	if octave < lowestOctave || layer > octaveLayers+2 || octaveSide(min(w, h), octave) < detect.MinSide {
		return false
	}
	size := math.Ldexp(float64(k.Size), -octave)
	if size < minOctaveSize || size > maxOctaveSize || octave < -1 && size > maxEnlargedSize {
		return false
	}
	// The histogram has no bin for an orientation outside the full circle.
	if k.Angle != keypoints.NoAngle && (k.Angle < 0 || k.Angle > 360) {
		return false
	}
	return inside(k.X, -maxOutside, w+maxOutside) && inside(k.Y, -maxOutside, h+maxOutside)
}

func inside(v float32, low, high int) bool { return v >= float32(low) && v <= float32(high) }

// octaveSide returns the side length, in pixels, of an octave's image.
func octaveSide(side, octave int) int {
	if octave < 0 {
		return side << -octave
	}
	return side >> octave
}
