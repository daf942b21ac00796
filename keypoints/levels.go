package keypoints

import "math"

// noLevel is the class or octave of a keypoint that has no level. Descriptors
// that look it up mark its row invalid.
const noLevel = -1

// ORBLevels is ORB's pyramid: level l is the image reduced by
// ScaleFactor^(l - First). OpenCV (orb.cpp, computeKeyPoints) gives a corner of
// level l the octave l and the size PatchSize·ScaleFactor^(l - First), so that
// the size tells the level.
type ORBLevels struct {
	ScaleFactor float64
	Levels      int // how many there are
	First       int // the level of the image itself
	PatchSize   int // px of the level
}

// Level returns the level whose keypoints are nearest to a size, in px, by ratio:
// the first or the last one for what is beyond them. What is no size has the
// level -1.
func (l ORBLevels) Level(size float32) int32 {
	if !isSize(size) {
		return noLevel
	}
	above := math.Log(float64(size)/float64(l.PatchSize)) / math.Log(l.ScaleFactor)
	return int32(max(0, min(float64(l.Levels-1), float64(l.First)+math.Round(above))))
}

// Resize returns k with the size, in px, and its Level as octave. ORB describes
// by the level alone: the patch of a keypoint is that of the level's own size.
func (l ORBLevels) Resize(k Keypoint, size float32) Keypoint {
	if size != k.Size {
		k.Octave = l.Level(size)
	}
	k.Size = size
	return k
}

// AKAZELevels is AKAZE's scale space, in octaves of so many layers. OpenCV
// (AKAZEFeatures.cpp: Allocate_Memory_Evolution, Find_Scale_Space_Extrema and
// Do_Subpixel_Refinement) gives an extremum of level l, counted through all
// octaves, the class l, the octave ⌊l / Layers⌋ and the size
// 2·1.5·1.6·2^(l/Layers). It interpolates the position but not the level, so
// that the size tells it.
type AKAZELevels struct{ Layers int }

// Level returns the level whose keypoints are nearest to a size, in px, by ratio,
// whether there is such a level or not: below the first it is negative. What is
// no size has the level -1.
func (l AKAZELevels) Level(size float32) int32 {
	if !isSize(size) {
		return noLevel
	}
	return int32(math.Round(float64(l.Layers) * math.Log2(float64(size)/4.8)))
}

// Resize returns k with the size, in px, its Level as class, and the octave of
// that. Descriptors mark the rows of levels invalid that an image does not have.
func (l AKAZELevels) Resize(k Keypoint, size float32) Keypoint {
	if size != k.Size {
		k.ClassID = l.Level(size)
		k.Octave = octaveOf(k.ClassID, l.Layers)
	}
	k.Size = size
	return k
}

// KAZELevels is KAZE's scale space, in octaves of so many layers. OpenCV
// (KAZEFeatures.cpp: Allocate_Memory_Evolution, Determinant_Hessian and
// Do_Subpixel_Refinement) gives an extremum of level l, counted through all
// octaves, whose interpolated level is l+ξ, the class l, the octave ⌊l / Layers⌋
// and the size 2·1.6·2^((l+ξ)/Layers). It accepts |ξ| up to 1, not ½, so that
// the size does not tell the level: a quarter of the keypoints of photographs have
// one that is not nearest to their size.
type KAZELevels struct{ Layers int }

// Resize returns k with the size, in px, and with the class, and the octave of
// that, of the level that is as far from its own as the sizes are apart, rounded:
// ξ is kept. The rounding is within half a level at each call. What has no class
// or is no size gets the class -1. Descriptors mark the rows of levels invalid
// that an image does not have.
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
