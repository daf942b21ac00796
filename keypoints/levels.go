package keypoints

import "math"

// noLevel is the class or octave of a keypoint without a level. Descriptors
// that use the level mark its row invalid.
const noLevel = -1

// atLevels returns the Resizer that sets the level of a keypoint with setLevel, whose
// keypoint still has its former size, unless its size stays.
func atLevels(setLevel func(k *Keypoint, size float32)) Resizer {
	return func(k Keypoint, size float32) Keypoint {
		if size != k.Size {
			setLevel(&k, size)
		}
		k.Size = size
		return k
	}
}

// orbResizer returns the Resizer of ORB's pyramid: level l is the image reduced by
// scale_factor^(l - first_level). OpenCV (orb.cpp, computeKeyPoints) gives a corner of
// level l the octave l and the size patch_size·scale_factor^(l - first_level), so the size
// determines the level: the one whose size is nearest, by ratio, or the first or the last
// for sizes beyond the pyramid; -1 for invalid sizes. ORB describes by the level alone:
// the patch always has the level's own size.
func orbResizer(p Params) Resizer {
	first, last := float64(p.Int("first_level")), float64(p.Int("nlevels")-1)
	patch, step := float64(p.Int("patch_size")), math.Log(p.Float("scale_factor"))
	return atLevels(func(k *Keypoint, size float32) {
		k.Octave = noLevel
		if isSize(size) {
			k.Octave = int32(max(0, min(last, first+math.Round(math.Log(float64(size)/patch)/step))))
		}
	})
}

// akazeResizer returns the Resizer of AKAZE's scale space. OpenCV (AKAZEFeatures.cpp:
// Allocate_Memory_Evolution, Find_Scale_Space_Extrema and Do_Subpixel_Refinement) gives an
// extremum of level l, counted across all octaves of n levels, the class l, the octave
// ⌊l / n⌋ and the size 2·1.5·1.6·2^(l/n). It interpolates the position but not the level,
// so the size determines the level: the one whose size is nearest, by ratio, even if the
// scale space does not have it, for which descriptors mark rows invalid; below the first
// level it is negative. Invalid sizes get -1.
func akazeResizer(p Params) Resizer {
	layers := float64(p.Int("n_octave_layers"))
	return atLevels(func(k *Keypoint, size float32) {
		k.ClassID = noLevel
		if isSize(size) {
			k.ClassID = int32(math.Round(layers * math.Log2(float64(size)/4.8)))
		}
		k.Octave = octaveOf(k.ClassID, layers)
	})
}

// kazeResizer returns the Resizer of KAZE's scale space. OpenCV (KAZEFeatures.cpp:
// Allocate_Memory_Evolution, Determinant_Hessian and Do_Subpixel_Refinement) gives an
// extremum of level l, counted across all octaves of n levels, with interpolated level
// l+ξ, the class l, the octave ⌊l / n⌋ and the size 2·1.6·2^((l+ξ)/n). It accepts |ξ| up
// to 1, not ½, so the size does not determine the level: in photographs, a quarter of the
// keypoints have a level that is not the nearest to their size.
//
// The level is therefore shifted by the log ratio of the new and old size, rounded to
// whole levels, so ξ is kept. Each call rounds by at most half a level. Keypoints without
// a class and invalid sizes get the class -1. Descriptors mark rows invalid whose level
// does not exist in the image.
func kazeResizer(p Params) Resizer {
	layers := float64(p.Int("n_octave_layers"))
	return atLevels(func(k *Keypoint, size float32) {
		if k.ClassID < 0 || !isSize(k.Size) || !isSize(size) {
			k.ClassID = noLevel
		} else {
			k.ClassID += int32(math.Round(layers * math.Log2(float64(size)/float64(k.Size))))
		}
		k.Octave = octaveOf(k.ClassID, layers)
	})
}

// octaveOf returns the octave of a level, negative below the first.
func octaveOf(level int32, layers float64) int32 {
	return int32(math.Floor(float64(level) / layers))
}
