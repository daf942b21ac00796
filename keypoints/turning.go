package keypoints

import "math"

// A Turning gathers whether the angles of keypoints turn with their images.
type Turning struct{ product, square, variance float64 }

// Add adds the keypoints of two images, each of a with the one of b nearest to its projection
// by h, if that is at most maxErrorPx away.
func (t *Turning) Add(h Homography, a, b []Keypoint, maxErrorPx float64) {
	index := IndexOf(b, maxErrorPx)
	for _, k := range a {
		row, _ := index.Nearest(h.Apply(float64(k.X), float64(k.Y)))
		if row < 0 || k.Angle == NoAngle || b[row].Angle == NoAngle {
			continue
		}
		m := h.LocalAffine(float64(k.X), float64(k.Y))
		x := math.Sin(math.Atan2(m[1][0]-m[0][1], m[0][0]+m[1][1])) // of the rotation nearest to m
		y := math.Sin(float64(b[row].Angle-k.Angle) * (math.Pi / 180))
		if math.Abs(x) >= 0.1 { // else the detector's errors count more
			t.product, t.square, t.variance = t.product+x*y, t.square+x*x, t.variance+x*x*y*y
		}
	}
}

// Reversed reports whether angles turn against their images: the slope of the sine of their
// difference over the sine of the image's rotation is at most -0.2, and four standard errors
// below 0. It is 1 if all pairs are right; chance pairs bring it near 0. The detectors of OpenCV
// have 0.4 to 0.9 in scenes of HPatches that turn.
func (t Turning) Reversed() bool {
	return t.product < 0 && t.product <= -0.2*t.square && t.product <= -4*math.Sqrt(t.variance)
}
