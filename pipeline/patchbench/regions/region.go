// Package regions cuts measurement regions around keypoints out of images as square
// patches, in the same way as HPatches (Balntas, Lenc, Vedaldi, Mikolajczyk, CVPR
// 2017, section 4): oriented squares in the reference image are jittered by affine
// maps and mapped to the other images by homographies. Nearly identical regions are
// removed.
//
// Pixel centres are at integer coordinates; x grows to the right, y downwards.
package regions

import (
	"math"
	"slices"

	"descbench/keypoints"
)

// A Region is a parallelogram in an image. The point (u, v) of [-1, 1]×[-1, 1] maps
// to the pixel (X, Y) + A·(u, v); (-1, -1) is the upper left corner of the patch.
type Region struct {
	X, Y float64
	A    [2][2]float64 // px
}

// Of returns the square around a keypoint with a side of magnification keypoint
// sizes. Its u axis points in the keypoint's direction, or in the direction of x if
// the keypoint has no angle. Of returns false for a keypoint without a finite
// position or without a size.
func Of(k keypoints.Keypoint, magnification float64) (Region, bool) {
	if !k.Finite() || k.Size <= 0 {
		return Region{}, false
	}
	half := float64(k.Size) * magnification / 2
	sin, cos := 0.0, 1.0
	if k.Angle != keypoints.NoAngle {
		sin, cos = math.Sincos(float64(k.Angle) * math.Pi / 180)
	}
	return Region{
		X: float64(k.X), Y: float64(k.Y),
		A: [2][2]float64{{half * cos, -half * sin}, {half * sin, half * cos}},
	}, true
}

// Through returns the affine approximation of r mapped by h: h applied to the
// centre, and the derivatives of h at the centre.
func (r Region) Through(h keypoints.Homography) Region {
	x, y := h.Apply(r.X, r.Y)
	return Region{X: x, Y: y, A: product(h.LocalAffine(r.X, r.Y), r.A)}
}

// radius returns the radius, in px, of the circle with the same area as r's ellipse,
// the image of the unit circle. For a square it is half the side.
func (r Region) radius() float64 {
	return math.Sqrt(math.Abs(r.A[0][0]*r.A[1][1] - r.A[0][1]*r.A[1][0]))
}

// Inside reports whether r, mapped by the homography h, is completely inside an
// image of the given size.
func (r Region) Inside(h keypoints.Homography, width, height int) bool {
	g := r.toPixels(h)
	sign := math.Signbit(g[8])
	for _, corner := range [...][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
		// If all corners are on the same side of the line that h maps to infinity,
		// the mapped region is convex, so it is inside if its corners are.
		if math.Signbit(g[6]*corner[0]+g[7]*corner[1]+g[8]) != sign {
			return false
		}
		x, y := g.Apply(corner[0], corner[1])
		if !keypoints.Inside(x, y, width, height) {
			return false
		}
	}
	return true
}

// toPixels returns the homography from (u, v) to pixels of the image that h maps to.
func (r Region) toPixels(h keypoints.Homography) keypoints.Homography {
	var g keypoints.Homography
	for row := range 3 {
		a, b, c := h[3*row], h[3*row+1], h[3*row+2]
		g[3*row] = a*r.A[0][0] + b*r.A[1][0]
		g[3*row+1] = a*r.A[0][1] + b*r.A[1][1]
		g[3*row+2] = a*r.X + b*r.Y + c
	}
	return g
}

func product(a, b [2][2]float64) [2][2]float64 {
	var p [2][2]float64
	for i := range 2 {
		for j := range 2 {
			p[i][j] = a[i][0]*b[0][j] + a[i][1]*b[1][j]
		}
	}
	return p
}

// Distinct returns the indexes of regions that do not overlap too much. It visits
// the regions in the given order and skips a region if its ellipse overlaps the
// ellipse of an earlier accepted region by more than overlap (intersection over
// union). The regions are squares, so their ellipses are circles.
func Distinct(all []Region, order []int, overlap float64) []int {
	var taken []int
	for _, i := range order {
		if !slices.ContainsFunc(taken, func(j int) bool { return circleOverlap(all[i], all[j]) > overlap }) {
			taken = append(taken, i)
		}
	}
	return taken
}

// circleOverlap returns the intersection over union of the circles of two
// squares; the intersection is a lens.
func circleOverlap(a, b Region) float64 {
	r, s := a.radius(), b.radius()
	if r < s {
		r, s = s, r
	}
	dx, dy := a.X-b.X, a.Y-b.Y
	square := dx*dx + dy*dy
	if square >= (r+s)*(r+s) {
		return 0
	}
	d := math.Sqrt(square)
	if d <= r-s { // one inside the other; exactly 1 if they are equal
		return s * s / (r * r)
	}
	// Half the angles that the lens spans at the two centres.
	alpha := math.Acos(max(-1, min(1, (square+r*r-s*s)/(2*d*r))))
	beta := math.Acos(max(-1, min(1, (square+s*s-r*r)/(2*d*s))))
	lens := r*r*(alpha-math.Sin(2*alpha)/2) + s*s*(beta-math.Sin(2*beta)/2)
	return lens / (math.Pi*(r*r+s*s) - lens)
}
