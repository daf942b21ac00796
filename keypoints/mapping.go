package keypoints

import (
	"fmt"
	"math"
)

// A Mapping says where the points of one image lie in another one. Plane and Space make it of what
// has been checked, so that no use of it can fail. That of a plane is exact both ways. That of two
// cameras in space knows lines on which points lie; with depth, it also knows the places of points,
// where there is depth.
type Mapping struct {
	h, inverse Homography // NaN if unknown
	from, to   [2]int
	cameras    *Cameras  // nil for a plane
	depths     [2]*Depth // of the first and the other image; nil: not known
	tolerance  float64   // of depths that are equal, as a share
}

// Plane returns the mapping of an image to another one by a homography, which is kept as it is,
// given the width and height of both in px. It fails if a size is not positive or if the
// homography has no inverse.
func Plane(h Homography, from, to [2]int) (Mapping, error) {
	if min(from[0], from[1], to[0], to[1]) < 1 {
		return Mapping{}, fmt.Errorf("images of %d×%d and %d×%d px, want at least 1×1", from[0], from[1], to[0], to[1])
	}
	inverse, err := h.Inverse()
	return Mapping{h: h, inverse: inverse, from: from, to: to}, err
}

// Space returns the mapping between two images by their cameras, which Camera.Check has found good, given
// the width and height of both in px.
func Space(c Cameras, from, to [2]int) Mapping {
	return Mapping{h: unknown, inverse: unknown, from: from, to: to, cameras: &c}
}

// WithDepth returns the mapping of cameras with the depth of the first and the other image. A place
// is Occluded if its depth there and that of the depth image differ by more than tolerance, a share
// of the latter.
func (m Mapping) WithDepth(first, other *Depth, tolerance float64) Mapping {
	m.depths, m.tolerance = [2]*Depth{first, other}, tolerance
	return m
}

// unknown is the homography of a mapping that is none.
var unknown = Homography{math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN()}

// Inverse returns the mapping in the other direction.
func (m Mapping) Inverse() Mapping {
	inverse := Mapping{h: m.inverse, inverse: m.h, from: m.to, to: m.from, depths: [2]*Depth{m.depths[1], m.depths[0]}, tolerance: m.tolerance}
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

// KnowsPlaces reports whether the mapping knows where points lie, if only where there is depth.
func (m Mapping) KnowsPlaces() bool {
	return m.cameras == nil || m.depths[0] != nil && m.depths[1] != nil
}

// A State says what a mapping knows of the place of a point in another image.
type State string

// The states. In space, a point is the first of Unknown, without depth at it; Outside; Unknown,
// without depth at its projection; Occluded, if something else is seen there; Visible.
const (
	Outside  State = "outside" // of the other image, or behind its camera
	Visible  State = "visible"
	Occluded State = "occluded"
	Unknown  State = "unknown"
)

// A Place is where a point of one image lies in another one.
type Place struct {
	// X and Y are in px; infinite or NaN if a plane maps the point to infinity, NaN in space unless
	// the point is visible, so that no keypoint is near it.
	X, Y  float64
	State State
}

// Place returns the place of the point (x, y).
func (m Mapping) Place(x, y float64) Place {
	if m.cameras != nil {
		return m.placeInSpace(x, y)
	}
	x, y = m.h.Apply(x, y)
	if Inside(x, y, m.to[0], m.to[1]) {
		return Place{x, y, Visible}
	}
	return Place{x, y, Outside}
}

func (m Mapping) placeInSpace(x, y float64) Place {
	nowhere := func(s State) Place { return Place{math.NaN(), math.NaN(), s} }
	if !m.KnowsPlaces() {
		return nowhere(Unknown)
	}
	z := m.depths[0].between(x, y, m.tolerance)
	if z == 0 {
		return nowhere(Unknown)
	}
	u, v, depth := m.cameras.Project(x, y, z)
	if !(depth > 0) || !Inside(u, v, m.to[0], m.to[1]) {
		return nowhere(Outside)
	}
	switch there := m.depths[1].nearest(u, v); {
	case there == 0:
		return nowhere(Unknown)
	case math.Abs(depth-there) > float64(m.tolerance*there):
		return nowhere(Occluded)
	}
	return Place{u, v, Visible}
}

// Affine returns the linear part of the affine map that approximates the mapping near (x, y), as
// Homography.LocalAffine does; in space, that of the homography of the plane that fits 1/z around the
// point. ok is false if there is none.
func (m Mapping) Affine(x, y float64) (a [2][2]float64, ok bool) {
	if m.cameras == nil {
		return m.h.LocalAffine(x, y), true
	}
	if !m.KnowsPlaces() {
		return a, false
	}
	z := m.depths[0].between(x, y, m.tolerance)
	if z == 0 {
		return a, false
	}
	byX, byY, ok := m.depths[0].slope(x, y, z, m.tolerance)
	if !ok {
		return a, false
	}
	// With q = 1/z, the other camera sees p = R·ray + T·q, at fx·p₀/p₂ + cx and fy·p₁/p₂ + cy.
	c := m.cameras
	rx, ry := c.First.Ray(x, y)
	p := c.rotated([3]float64{rx, ry, 1})
	for i := range p {
		p[i] += float64(c.T[i] / z)
	}
	for column, d := range [2][3]float64{
		c.rotated([3]float64{1 / c.First[0], 0, 0}), c.rotated([3]float64{0, 1 / c.First[1], 0}),
	} {
		for i := range d {
			d[i] += float64(c.T[i] * [2]float64{byX, byY}[column])
		}
		for row := range 2 {
			a[row][column] = c.Other[row] * (d[row] - float64(p[row]/p[2]*d[2])) / p[2]
		}
	}
	return a, true
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
