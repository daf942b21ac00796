package keypoints

import "math"

// noLevel is the class or octave of a keypoint without a level. Descriptors
// that use the level mark its row invalid.
const noLevel = -1

// ORBLevels is ORB's pyramid: level l is the image reduced by ScaleFactor^(l -
// First). OpenCV (orb.cpp, computeKeyPoints) gives a corner of level l the
// octave l and the size PatchSize·ScaleFactor^(l - First), so the size
// determines the level.
type ORBLevels struct {
	ScaleFactor float64
	Levels      int // number of levels
	First       int // the level of the image itself
	PatchSize   int // in px of the level
}

// Level returns the level whose keypoint size is nearest, by ratio, to a size in
// px. Sizes beyond the pyramid get the first or the last level. Invalid sizes
// get -1.
func (l ORBLevels) Level(size float32) int32 {
	if !isSize(size) {
		return noLevel
	}
	above := math.Log(float64(size)/float64(l.PatchSize)) / math.Log(l.ScaleFactor)
	return int32(max(0, min(float64(l.Levels-1), float64(l.First)+math.Round(above))))
}

// Resize returns k with the given size in px and its Level as octave. ORB
// describes by the level alone: the patch always has the level's own size.
func (l ORBLevels) Resize(k Keypoint, size float32) Keypoint {
	if size != k.Size {
		k.Octave = l.Level(size)
	}
	k.Size = size
	return k
}

// AKAZELevels is AKAZE's scale space, with Layers levels per octave. OpenCV
// (AKAZEFeatures.cpp: Allocate_Memory_Evolution, Find_Scale_Space_Extrema and
// Do_Subpixel_Refinement) gives an extremum of level l, counted across all
// octaves, the class l, the octave ⌊l / Layers⌋ and the size
// 2·1.5·1.6·2^(l/Layers). It interpolates the position but not the level, so
// the size determines the level.
type AKAZELevels struct{ Layers int }

// Level returns the level whose keypoint size is nearest, by ratio, to a size in
// px, even if the scale space does not have that level: below the first level
// it is negative. Invalid sizes get -1.
func (l AKAZELevels) Level(size float32) int32 {
	if !isSize(size) {
		return noLevel
	}
	return int32(math.Round(float64(l.Layers) * math.Log2(float64(size)/4.8)))
}

// Resize returns k with the given size in px, its Level as class, and the octave
// of that level. Descriptors mark rows invalid whose level does not exist in
// the image.
func (l AKAZELevels) Resize(k Keypoint, size float32) Keypoint {
	if size != k.Size {
		k.ClassID = l.Level(size)
		k.Octave = octaveOf(k.ClassID, l.Layers)
	}
	k.Size = size
	return k
}

// KAZELevels is KAZE's scale space, with Layers levels per octave. OpenCV
// (KAZEFeatures.cpp: Allocate_Memory_Evolution, Determinant_Hessian and
// Do_Subpixel_Refinement) gives an extremum of level l, counted across all
// octaves, with interpolated level l+ξ, the class l, the octave ⌊l / Layers⌋ and
// the size 2·1.6·2^((l+ξ)/Layers). It accepts |ξ| up to 1, not ½, so the size
// does not determine the level: in photographs, a quarter of the keypoints have
// a level that is not the nearest to their size.
type KAZELevels struct{ Layers int }

// Resize returns k with the given size in px. It shifts the level by the log
// ratio of the new and old size, rounded to whole levels, so ξ is kept, and sets
// class and octave to the new level. Each call rounds by at most half a level.
// Keypoints without a class and invalid sizes get the class -1. Descriptors mark
// rows invalid whose level does not exist in the image.
func (l KAZELevels) Resize(k Keypoint, size float32) Keypoint {
	if size == k.Size {
		return k
	}
	if k.ClassID < 0 || !isSize(k.Size) || !isSize(size) {
		k.ClassID = noLevel
	} else {
		k.ClassID += int32(math.Round(float64(l.Layers) * math.Log2(float64(size)/float64(k.Size))))
	}
	k.Octave = octaveOf(k.ClassID, l.Layers)
	k.Size = size
	return k
}

// octaveOf returns the octave of a level, negative below the first.
func octaveOf(level int32, layers int) int32 {
	return int32(math.Floor(float64(level) / float64(layers)))
}
