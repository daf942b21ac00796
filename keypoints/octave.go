package keypoints

import "math"

// UnpackOctave extracts the octave (-1: the doubled image) and the layer from
// the octave field of a SIFT keypoint. The octave is the lowest byte, signed.
// Other detectors store a small number without a layer, which is returned
// unchanged.
func UnpackOctave(packed int32) (octave, layer int) {
	return int(int8(packed & 255)), int(packed >> 8 & 255)
}

// A ScaleSpace is SIFT's pyramid: octaves of the image at double size (-1),
// original size (0), half size (1) and so on, each blurred in layers.
//
// OpenCV (sift.simd.hpp, adjustLocalExtrema) gives an extremum in octave o and
// layer l of n, with interpolated layer l+ξ and |ξ| < ½, the size 2σ·2^(o +
// (l+ξ)/n). So log₂(size / 2σ) = o + (l+ξ)/n, and the size alone determines the
// octave, the layer (1 to n) and ξ.
type ScaleSpace struct {
	Layers int     // n, OpenCV's nOctaveLayers
	Sigma  float64 // σ, px
}

func scaleSpaceOf(p Params) ScaleSpace {
	return ScaleSpace{Layers: p.Int("n_octave_layers"), Sigma: p.Float("sigma")}
}

// noOctave stands for octaves that the octave field cannot hold. No image has
// this octave.
const noOctave = -128

// Octave returns the octave field of a keypoint of the given size in px:
// octave, layer and ξ packed as in OpenCV, with a layer from 1 to n. The next
// smaller sizes get layer 0 of octave -1. No extremum is found there, but it is
// the first layer of the pyramid, with the same blur as layer n of octave -2.
//
// The octave is the one that matches the size, even if OpenCV has no image for
// it. For sizes below 2σ·2^(-1-½/n), 1.43 px with OpenCV's defaults, it is -2 or
// less; package extract enlarges the image for some of these octaves. For large
// sizes the image of the octave may be smaller than a descriptor. A keypoint of
// an octave without an image must not be described, and descriptors mark its row
// invalid: clamping the octave would give a row from the wrong level. The same
// applies to invalid sizes: zero, negative or not finite.
//
// A size exactly on the border between two layers belongs to the upper one.
// Rounding to float32 moves about one size in a million across a border; Resize
// corrects this where the octave is known.
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

// Resize returns k with the given size in px and the matching octave field. A
// keypoint that already has this size and its octave keeps the octave field bit
// for bit, so detected keypoints stay unchanged.
func (s ScaleSpace) Resize(k Keypoint, size float32) Keypoint {
	if size != k.Size || !s.holds(k) {
		k.Octave = s.Octave(size)
	}
	k.Size = size
	return k
}

// holds reports whether the octave field of k belongs to this scale space and
// matches the size of k, whichever way the size was rounded.
func (s ScaleSpace) holds(k Keypoint) bool {
	octave, layer := UnpackOctave(k.Octave)
	const rounding = 1e-5 // of n·log₂ of a float32: over 20 units in its last place, for n to 5
	return layer >= 1 && layer <= s.Layers && math.Abs(s.level(k.Size)-float64(octave*s.Layers+layer)) <= 0.5+rounding
}

// level returns o·n + l + ξ, or NaN or ±Inf for an invalid size.
func (s ScaleSpace) level(size float32) float64 {
	sigma := float64(float32(s.Sigma)) // as OpenCV computes
	return float64(s.Layers) * math.Log2(float64(size)/(2*sigma))
}

// packOctave packs octave and layer as OpenCV does; offset is ξ.
func packOctave(octave, layer int, offset float64) int32 {
	return int32(octave&255 | layer<<8 | int(math.RoundToEven((offset+0.5)*255))<<16)
}
