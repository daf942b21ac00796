package keypoints

import "math"

// Project maps the keypoints of image 1 to image k by h, the homography from
// image 1 to image k. It returns those that land inside the border of an image
// of the given size, in their order, with their rows in s as Source. Only the
// position changes (carry: position); size, angle, octave and all other
// attributes are copied.
//
// width and height are the size of image k (bounds: own) or of image 1 (bounds:
// image1). The border is tested against the stored float32 positions. Keypoints
// that h maps to infinity are dropped.
func (s Set) Project(h Homography, width, height int, border Border) Set {
	return s.project(h, width, height, border, func(k Keypoint) Keypoint { return k })
}

// ProjectGeometry is Project that also maps size and angle by h (carry:
// geometry). Let A be the LocalAffine of h at the keypoint. The size becomes
// size·√|det A|. The direction, (cos angle, sin angle) because y points down,
// becomes the direction of A·(cos angle, sin angle). The angle -1 (no
// orientation) stays -1.
//
// resize is the Resizer of the keypoints' detector, from ResizerOf. It is
// called for every keypoint, even if the size does not change.
func (s Set) ProjectGeometry(h Homography, width, height int, border Border, resize Resizer) Set {
	return s.project(h, width, height, border, func(k Keypoint) Keypoint {
		a := h.LocalAffine(float64(k.X), float64(k.Y))
		growth := math.Sqrt(math.Abs(a[0][0]*a[1][1] - a[0][1]*a[1][0]))
		k = resize(k, float32(float64(k.Size)*growth))
		k.Angle = turn(k.Angle, a)
		return k
	})
}

// project maps the positions of the keypoints that carry returns.
func (s Set) project(h Homography, width, height int, border Border, carry func(Keypoint) Keypoint) Set {
	out := Set{Source: []int32{}}
	for i, k := range s.Keypoints {
		x, y := h.Apply(float64(k.X), float64(k.Y))
		if !border.Contains(float32(x), float32(y), width, height) {
			continue
		}
		k = carry(k)
		k.X, k.Y = float32(x), float32(y)
		out.Keypoints = append(out.Keypoints, k)
		out.Source = append(out.Source, int32(i))
	}
	return out
}

// turn returns the direction of a·(cos angle, sin angle), in degrees in [0, 360).
func turn(angle float32, a [2][2]float64) float32 {
	if angle == NoAngle {
		return angle
	}
	sin, cos := math.Sincos(float64(angle) * (math.Pi / 180))
	turned := math.Atan2(a[1][0]*cos+a[1][1]*sin, a[0][0]*cos+a[0][1]*sin) * (180 / math.Pi)
	if turned < 0 {
		turned += 360
	}
	if float32(turned) >= 360 { // rounded up to 360
		return 0
	}
	return float32(turned) + 0 // -0 becomes 0
}
