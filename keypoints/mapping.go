package keypoints

import (
	"cmp"
	"fmt"
	"math"
)

// A Mapping says where the points of one image lie in another one. Plane and Space make it and check
// all that it needs, so that no use of it can fail. That of a plane is exact both ways; that of two
// cameras in space knows lines on which points lie, but no places: they are NaN and not visible.
type Mapping struct {
	h, inverse Homography // NaN if unknown
	from, to   [2]int
	cameras    *Cameras // nil for a plane
}

// Plane returns the mapping of an image to another one by a homography, which is kept as it is,
// given the width and height of both in px. It fails if a size is not positive or if the
// homography has no inverse.
func Plane(h Homography, from, to [2]int) (Mapping, error) {
	if min(from[0], from[1], to[0], to[1]) < 1 {
		return Mapping{}, errSizes(from, to)
	}
	inverse, err := h.Inverse()
	return Mapping{h, inverse, from, to, nil}, err
}

// Space returns the mapping between two images of a scene by their cameras, given the width and
// height of both in px. It fails as Camera.Check does, or if a size is not positive.
func Space(a, b Camera, from, to [2]int) (Mapping, error) {
	if min(from[0], from[1], to[0], to[1]) < 1 {
		return Mapping{}, errSizes(from, to)
	}
	cameras := Between(a, b)
	return SpaceOf(cameras, from, to), cmp.Or(a.Check(), b.Check())
}

// SpaceOf is Space for cameras that Space has checked.
func SpaceOf(c Cameras, from, to [2]int) Mapping {
	return Mapping{unknown, unknown, from, to, &c}
}

// unknown is the homography of a mapping that is none.
var unknown = Homography{math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN()}

func errSizes(from, to [2]int) error {
	return fmt.Errorf("images of %d×%d and %d×%d px, want at least 1×1", from[0], from[1], to[0], to[1])
}

// Inverse returns the mapping in the other direction.
func (m Mapping) Inverse() Mapping {
	inverse := Mapping{m.inverse, m.h, m.to, m.from, nil}
	if m.cameras != nil {
		c := m.cameras.Inverse()
		inverse.cameras = &c
	}
	return inverse
}

// Homography returns the homography of the plane; its elements are NaN if there is none.
func (m Mapping) Homography() Homography { return m.h }

// Cameras returns the cameras of both images; ok is false if they are not known.
func (m Mapping) Cameras() (c Cameras, ok bool) {
	if m.cameras == nil {
		return c, false
	}
	return *m.cameras, true
}

// KnowsPlaces reports whether the mapping knows where points lie.
func (m Mapping) KnowsPlaces() bool { return m.cameras == nil }

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
