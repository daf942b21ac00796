package keypoints

import "math"

// A Resizer gives a keypoint another size, in px, and whatever must change with
// it.
type Resizer func(k Keypoint, size float32) Keypoint

// ResizerOf returns how the keypoints of a detector with these parameters take
// another size: a keypoint that it found stays as it is at its own size, and at
// another one its octave and class are those of the level that this size calls
// for, as far as that can be said:
//
//   - sift, akaze, orb: the size of a keypoint tells its level. See ScaleSpace,
//     AKAZELevels and ORBLevels.
//   - kaze: the size is interpolated by up to a whole level and does not tell
//     it; see KAZELevels for what is done.
//   - surf, brisk: the sizes of neighbouring octaves and layers overlap, so that
//     they do not tell them, and OpenCV's SURF and BRISK describe by the size
//     alone. Octave and class stay.
//   - fast, agast, gftt, mser: there are no levels. The octave stays 0.
//
// The detector "" is that of imported keypoints, which is not known. Those that
// have SIFT's octave field, and one that agrees with their size by OpenCV's
// default parameters, are treated as SIFT's; others keep octave and class.
func ResizerOf(detector string, p Params) Resizer {
	if detector == "" {
		return resizeImported
	}
	if d, _ := FindDetector(detector); d.resizer != nil {
		return d.resizer(p)
	}
	return resizeOnly
}

// FollowsSize reports whether ResizerOf moves the keypoints of a detector to the
// level that another size calls for.
func FollowsSize(detector string) bool {
	d, _ := FindDetector(detector)
	return d.resizer != nil
}

func resizeOnly(k Keypoint, size float32) Keypoint {
	k.Size = size
	return k
}

func resizeImported(k Keypoint, size float32) Keypoint {
	p := Defaults(siftParams)
	space := ScaleSpace{Layers: p.Int("n_octave_layers"), Sigma: p.Float("sigma")}
	// holds wants a layer from 1 on, which only SIFT packs into the octave.
	if space.holds(k) {
		return space.Resize(k, size)
	}
	return resizeOnly(k, size)
}

// isSize reports whether a keypoint can have the size.
func isSize(size float32) bool { return size > 0 && !math.IsInf(float64(size), 1) }
