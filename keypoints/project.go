package keypoints

// Project moves the keypoints of image 1 to image k by h, the homography from
// image 1 to image k, and returns those that end inside the border of an image
// of the given size, in their order, with their rows in s as Source. Size,
// angle, octave and all else are copied: only the position is carried.
//
// The size is that of image k (bounds: own) or of image 1 (bounds: image1).
// The border is judged on the positions as they are stored, in float32.
// Keypoints that h sends to infinity are dropped.
func (s Set) Project(h Homography, width, height int, border Border) Set {
	out := Set{Source: []int32{}}
	for i, k := range s.Keypoints {
		x, y := h.Apply(float64(k.X), float64(k.Y))
		k.X, k.Y = float32(x), float32(y)
		if border.contains(k.X, k.Y, width, height) {
			out.Keypoints = append(out.Keypoints, k)
			out.Source = append(out.Source, int32(i))
		}
	}
	return out
}
