package keypoints

import (
	"errors"
	"fmt"
	"math"
)

// Intrinsics are the focal lengths and the principal point of a pinhole camera without skew and
// distortion: fx, fy, cx, cy in px, where the centre of the first pixel is (0, 0).
type Intrinsics [4]float64

// Ray returns the direction of the point (x, y) in the camera's coordinates, with z = 1.
func (k Intrinsics) Ray(x, y float64) (rx, ry float64) { return (x - k[2]) / k[0], (y - k[3]) / k[1] }

// Changed returns the intrinsics of an image whose pixel (x, y) goes to (x·sx + dx, y·sy + dy).
func (k Intrinsics) Changed(sx, sy, dx, dy float64) Intrinsics {
	return Intrinsics{k[0] * sx, k[1] * sy, k[2]*sx + dx, k[3]*sy + dy}
}

// A Pose maps points in space to a camera's coordinates: x goes to R·x + T. R is a rotation, by
// row.
type Pose struct {
	R [9]float64 `json:"r"`
	T [3]float64 `json:"t"`
}

// Inverse returns the pose from the camera's coordinates back.
func (p Pose) Inverse() Pose {
	r := p.R
	inverse := Pose{R: [9]float64{r[0], r[3], r[6], r[1], r[4], r[7], r[2], r[5], r[8]}}
	t := inverse.rotated(p.T)
	inverse.T = [3]float64{-t[0], -t[1], -t[2]}
	return inverse
}

// After returns the pose that first does q, then p.
func (p Pose) After(q Pose) (out Pose) {
	for c := range 3 {
		column := p.rotated([3]float64{q.R[c], q.R[3+c], q.R[6+c]})
		out.R[c], out.R[3+c], out.R[6+c] = column[0], column[1], column[2]
	}
	out.T = p.rotated(q.T)
	for i := range out.T {
		out.T[i] += p.T[i]
	}
	return out
}

func (p Pose) rotated(x [3]float64) (out [3]float64) {
	for i := range out {
		out[i] = float64(p.R[3*i]*x[0]) + float64(p.R[3*i+1]*x[1]) + float64(p.R[3*i+2]*x[2])
	}
	return out
}

// A Camera is a pinhole camera: its Pose maps the coordinates of its scene to its own, x to the
// right, y down and z ahead.
type Camera struct {
	Intrinsics
	Pose
	Scale [2]float64 // factors of width and height by which the image was resized; 0: it was not
}

// rotationTolerance is the largest deviation of R·Rᵀ from the identity. Files with five decimals
// have up to 1.5e-5.
const rotationTolerance = 1e-3

// Check returns an error that says what is wrong with a camera: numbers that are not finite, a
// focal length that is not positive, or an R that is not a rotation to 1e-3.
func (c Camera) Check() error {
	for _, v := range append(append(append([]float64{}, c.R[:]...), c.T[:]...), c.Intrinsics[:]...) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("a number of the camera is %v, want finite numbers", v)
		}
	}
	if c.Intrinsics[0] <= 0 || c.Intrinsics[1] <= 0 {
		return fmt.Errorf("focal lengths of %g and %g px, want positive ones", c.Intrinsics[0], c.Intrinsics[1])
	}
	product := c.Pose.After(Pose{R: c.Pose.Inverse().R}).R
	for i, v := range product {
		if want := Identity[i]; math.Abs(v-want) > rotationTolerance {
			return fmt.Errorf("matrix R is not a rotation: R·Rᵀ differs from the identity by %.2g, want at most %g", math.Abs(v-want), rotationTolerance)
		}
	}
	if Homography(c.R).Determinant() < 0 {
		return errors.New("matrix R is a reflection (determinant -1), want a rotation")
	}
	return nil
}

// TurnedLeft returns the camera of the image after a quarter turn to the left, which brings the
// pixel (x, y) of an image of the given width in px to (y, width−1−x).
func (c Camera) TurnedLeft(width int) Camera {
	k := c.Intrinsics
	return Camera{
		Intrinsics: Intrinsics{k[1], k[0], k[3], float64(width-1) - k[2]},
		Pose:       Pose{R: [9]float64{0, 1, 0, -1, 0, 0, 0, 0, 1}}.After(c.Pose),
	}
}

// Cameras are those of two images: their intrinsics, and the pose from the coordinates of the first
// to those of the other.
type Cameras struct {
	First Intrinsics `json:"k1"`
	Other Intrinsics `json:"kk"`
	Pose
	// Scales are the factors of width and height by which the first and the other image were
	// resized; 0: they were not.
	Scales [2][2]float64 `json:"scales,omitzero"`
}

// Between returns the cameras of two images of a scene.
func Between(a, b Camera) Cameras {
	return Cameras{a.Intrinsics, b.Intrinsics, b.Pose.After(a.Pose.Inverse()), [2][2]float64{a.Scale, b.Scale}}
}

// Inverse returns the cameras in the other order.
func (c Cameras) Inverse() Cameras {
	return Cameras{c.Other, c.First, c.Pose.Inverse(), [2][2]float64{c.Scales[1], c.Scales[0]}}
}

// Project returns where the other camera shows the point that the first one shows at (x, y) in the
// depth z, and its depth there. The depth is not positive if the point is not in front of the camera.
func (c Cameras) Project(x, y, z float64) (u, v, depth float64) {
	rx, ry := c.First.Ray(x, y)
	p := c.rotated([3]float64{float64(rx * z), float64(ry * z), z})
	for i := range p {
		p[i] += c.T[i]
	}
	return float64(c.Other[0]*p[0])/p[2] + c.Other[2], float64(c.Other[1]*p[1])/p[2] + c.Other[3], p[2]
}
