package keypoints

import "math"

// UnpackOctave takes the octave (-1: the doubled image) and the layer out of the
// octave field of a SIFT keypoint. The octave is its lowest byte, signed; other
// detectors store a small number without layer, which comes out as it is.
func UnpackOctave(packed int32) (octave, layer int) {
	return int(int8(packed & 255)), int(packed >> 8 & 255)
}

// A ScaleSpace is SIFT's pyramid: octaves of the image at the doubled size (-1),
// its own (0), half of it (1) and so on, each blurred in layers.
//
// OpenCV (sift.simd.hpp, adjustLocalExtrema) gives an extremum in octave o and
// layer l of n, whose interpolated layer is l+ξ with |ξ| < ½, the size
// 2σ·2^(o + (l+ξ)/n). So log₂(size / 2σ) = o + (l+ξ)/n, and the size alone tells
// the octave, the layer, which is from 1 to n, and ξ.
type ScaleSpace struct {
	Layers int     // n, OpenCV's nOctaveLayers
	Sigma  float64 // σ, px
}

// noOctave stands for octaves that the octave field cannot hold. No image has it.
const noOctave = -128

// Octave returns the octave field of a keypoint of that size, in px: octave,
// layer and ξ as OpenCV packs them, with a layer from 1 to n, and for the next
// smaller size layer 0 of octave -1: no extremum is found there, but it is the
// first layer of the pyramid, and blurred just as layer n of octave -2 would be.
//
// The octave is the one that the size calls for, whether there is an image of it
// or not: for sizes below 2σ·2^(-1-½/n), 1.43 px by OpenCV's defaults, it is -2 or
// less, for large ones it may be smaller than a descriptor. Such a keypoint must
// not be described, and descriptors mark its row invalid: to clamp the octave
// would give a row of a wrong level. The same holds for what is no size: zero,
// negative, not finite.
//
// A size on the very border between two layers belongs to the upper one. The
// rounding to float32 can take a size across it, about one in a million; Resize
// does not fall for that where the octave is known.
func (s ScaleSpace) Octave(size float32) int32 {
	level := s.level(size)
	nearest := math.Floor(level + 0.5)
	octave := math.Floor((nearest - 1) / float64(s.Layers))
	if nearest == -float64(s.Layers) {
		octave = -1
	}
	if math.IsNaN(level) || octave < noOctave || octave > math.MaxInt8 {
		return packOctave(noOctave, 1, 0)
	}
	return packOctave(int(octave), int(nearest-octave*float64(s.Layers)), level-nearest)
}

// Resize returns k with the size, in px, and with the octave field that goes
// with it. A keypoint that has that size and the octave of it keeps the octave
// field bit by bit, so that those that a detector found stay what they are.
func (s ScaleSpace) Resize(k Keypoint, size float32) Keypoint {
	if size != k.Size || !s.holds(k) {
		k.Octave = s.Octave(size)
	}
	k.Size = size
	return k
}

// holds reports whether the octave field of k is one of this scale space and
// that of its size, whichever way the size was rounded.
func (s ScaleSpace) holds(k Keypoint) bool {
	octave, layer := UnpackOctave(k.Octave)
	const rounding = 1e-5 // of n·log₂ of a float32: over 20 units in its last place, for n to 5
	return layer >= 1 && layer <= s.Layers && math.Abs(s.level(k.Size)-float64(octave*s.Layers+layer)) <= 0.5+rounding
}

// level returns o·n + l + ξ; NaN or ±Inf for what is no size.
func (s ScaleSpace) level(size float32) float64 {
	sigma := float64(float32(s.Sigma)) // as OpenCV computes
	return float64(s.Layers) * math.Log2(float64(size)/(2*sigma))
}

// packOctave packs as OpenCV does; offset is ξ.
func packOctave(octave, layer int, offset float64) int32 {
	return int32(octave&255 | layer<<8 | int(math.RoundToEven((offset+0.5)*255))<<16)
}
