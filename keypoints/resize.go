package keypoints

import "math"

// A Resizer changes the size of a keypoint, in px, and every attribute that
// depends on it.
type Resizer func(k Keypoint, size float32) Keypoint

// ResizerOf returns the Resizer for keypoints of a detector with these
// parameters. A detected keypoint stays unchanged at its own size. At another
// size its octave and class become those of the level that matches the new
// size, as far as the size determines the level:
//
//   - sift, akaze, orb: the size determines the level.
//   - kaze: the size is interpolated by up to a whole level and does not
//     determine it; the level moves with the ratio of the sizes.
//   - surf, brisk: the sizes of neighbouring octaves and layers overlap, so
//     they do not determine the level, and OpenCV's SURF and BRISK descriptors
//     use the size alone. Octave and class stay.
//   - fast, agast, gftt, mser: there are no levels. The octave stays 0.
//
// The detector "" stands for imported keypoints, whose detector is unknown.
// They are treated as SIFT keypoints if their octave field is SIFT's and agrees
// with their size under OpenCV's default parameters. All others keep octave and
// class.
func ResizerOf(detector string, p Params) Resizer {
	if detector == "" {
		return resizeImported
	}
	if d, _ := FindDetector(detector); d.resizer != nil {
		return d.resizer(p)
	}
	return ResizeOnly
}

// FollowsSize reports whether ResizerOf moves the keypoints of a detector to
// the level that matches the new size.
func FollowsSize(detector string) bool {
	d, _ := FindDetector(detector)
	return d.resizer != nil
}

// ResizeOnly is the Resizer of keypoints whose other attributes do not depend on the size.
func ResizeOnly(k Keypoint, size float32) Keypoint {
	k.Size = size
	return k
}

func resizeImported(k Keypoint, size float32) Keypoint {
	space := scaleSpaceOf(Defaults(siftParams))
	// holds requires a layer of at least 1, which only SIFT packs into the octave.
	if space.holds(k) {
		return space.Resize(k, size)
	}
	return ResizeOnly(k, size)
}

// isSize reports whether size is a valid keypoint size: positive and finite.
func isSize(size float32) bool { return size > 0 && !math.IsInf(float64(size), 1) }
