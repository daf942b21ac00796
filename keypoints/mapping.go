package keypoints

import (
	"fmt"
	"math"
)

// A Mapping says where the points of one image lie in another one. Plane makes it and checks all
// that it needs, so that no use of it can fail. It is of a plane, and exact both ways; cameras with
// depth belong here too, with what they cannot say as further states of a Place.
type Mapping struct {
	h, inverse Homography
	from, to   [2]int
}

// Plane returns the mapping of an image to another one by a homography, which is kept as it is,
// given the width and height of both in px. It fails if a size is not positive or if the
// homography has no inverse.
func Plane(h Homography, from, to [2]int) (Mapping, error) {
	if min(from[0], from[1], to[0], to[1]) < 1 {
		return Mapping{}, fmt.Errorf("images of %d×%d and %d×%d px, want at least 1×1", from[0], from[1], to[0], to[1])
	}
	inverse, err := h.Inverse()
	return Mapping{h, inverse, from, to}, err
}

// Inverse returns the mapping in the other direction.
func (m Mapping) Inverse() Mapping { return Mapping{m.inverse, m.h, m.to, m.from} }

// Homography returns the homography of the plane.
func (m Mapping) Homography() Homography { return m.h }

// A Place is where a point of one image lies in another one.
type Place struct {
	X, Y    float64 // px; infinite or NaN if the point goes to infinity
	Visible bool    // Inside the other image
}

// Place returns the place of the point (x, y).
func (m Mapping) Place(x, y float64) Place {
	x, y = m.h.Apply(x, y)
	return Place{x, y, Inside(x, y, m.to[0], m.to[1])}
}

// Places returns the places of keypoints.
func (m Mapping) Places(points []Keypoint) []Place {
	places := make([]Place, len(points))
	for i, k := range points {
		places[i] = m.Place(float64(k.X), float64(k.Y))
	}
	return places
}

// PixelError returns the Distance of a keypoint in px, +Inf if it is not finite.
func (p Place) PixelError(k Keypoint) float64 {
	d := Distance(p.X, p.Y, float64(k.X), float64(k.Y))
	if math.IsNaN(d) {
		return math.Inf(1)
	}
	return d
}

// Inside reports whether (x, y) is in an image of the given size, up to the centres of the pixels
// at its edges: 0 ≤ x ≤ width−1, 0 ≤ y ≤ height−1.
func Inside(x, y float64, width, height int) bool {
	return x >= 0 && x <= float64(width-1) && y >= 0 && y <= float64(height-1)
}
