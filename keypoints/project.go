package keypoints

import "math"

// Project maps the keypoints of image 1 to image k by m, the mapping from
// image 1 to image k. It returns those that land inside the border of an image
// of the given size, in their order, with their rows in s as Source; in space, those of
// them that are visible. Only the
// position changes (carry: position); size, angle, octave and all other
// attributes are copied.
//
// width and height are the size of image k (bounds: own) or of image 1 (bounds:
// image1). The border is tested against the stored float32 positions. Keypoints
// that m maps to infinity are dropped.
func (s Set) Project(m Mapping, width, height int, border Border) Set {
	return s.project(m, width, height, border, func(k Keypoint) (Keypoint, bool) { return k, true })
}

// ProjectGeometry is Project that also maps size and angle by m (carry:
// geometry). Let A be the Affine part of m at the keypoint, without which it is dropped. The size becomes
// size·√|det A|. The direction, (cos angle, sin angle) because y points down,
// becomes the direction of A·(cos angle, sin angle). The angle -1 (no
// orientation) stays -1.
//
// resize is the Resizer of the keypoints' detector, from ResizerOf. It is
// called for every keypoint, even if the size does not change.
func (s Set) ProjectGeometry(m Mapping, width, height int, border Border, resize Resizer) Set {
	return s.project(m, width, height, border, func(k Keypoint) (Keypoint, bool) {
		a, ok := m.Affine(float64(k.X), float64(k.Y))
		if !ok {
			return k, false
		}
		growth := math.Sqrt(math.Abs(a[0][0]*a[1][1] - a[0][1]*a[1][0]))
		k = resize(k, float32(float64(k.Size)*growth))
		k.Angle = turn(k.Angle, a)
		return k, true
	})
}

// project maps the positions of the keypoints that carry returns, without those for which it returns
// false.
func (s Set) project(m Mapping, width, height int, border Border, carry func(Keypoint) (Keypoint, bool)) Set {
	out := Set{Source: []int32{}}
	for i, k := range s.Keypoints {
		p := m.Place(float64(k.X), float64(k.Y))
		if !border.Contains(float32(p.X), float32(p.Y), width, height) {
			continue
		}
		k, ok := carry(k)
		if !ok {
			continue
		}
		k.X, k.Y = float32(p.X), float32(p.Y)
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
