package keypoints

import (
	"errors"
	"fmt"
	"math"
)

// A Homography is a 3×3 projective map of the plane, row-major, from the pixels
// of one image to the pixels of another. Its overall scale and sign have no
// meaning.
type Homography [9]float64

// Identity is the identity homography.
var Identity = Homography{1, 0, 0, 0, 1, 0, 0, 0, 1}

// ErrSingular is returned for a homography that has no inverse.
var ErrSingular = errors.New("homography is singular")

// minDeterminant is the lower bound of |det H| for an equilibrated H. With the
// few digits in HPatches' files, singular matrices stay well below it and
// useful homographies well above.
const minDeterminant = 1e-12

// Normalized returns h scaled so that its last element is 1. If that element is
// negligible next to the others (the origin maps to infinity), it returns h
// with unit Frobenius norm and positive determinant. It fails if an element is
// not finite, and with ErrSingular if h is not invertible.
func (h Homography) Normalized() (Homography, error) {
	for i, v := range h {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return Homography{}, fmt.Errorf("element %d of the homography is %v, want a finite number", i+1, v)
		}
	}
	if h == (Homography{}) || math.Abs(h.equilibrated().Determinant()) < minDeterminant {
		return Homography{}, ErrSingular
	}
	return h.fixed(), nil
}

// fixed returns h at its normalised scale and sign. h must be finite and
// invertible.
func (h Homography) fixed() Homography {
	unit := h.unit()
	if math.Abs(unit[8]) > 1e-12 {
		last := h[8]
		for i := range h {
			h[i] /= last // exact where it is 1 already
		}
		return h
	}
	if unit.Determinant() < 0 {
		return unit.scaled(-1)
	}
	return unit
}

// equilibrated returns h with its columns, then its rows, divided by their
// largest elements. Its determinant then shows how close h is to singular,
// regardless of the units of its elements, such as a large translation.
func (h Homography) equilibrated() Homography {
	divide := func(i, j, k int) {
		if m := math.Max(math.Abs(h[i]), math.Max(math.Abs(h[j]), math.Abs(h[k]))); m > 0 {
			h[i], h[j], h[k] = h[i]/m, h[j]/m, h[k]/m
		}
	}
	for c := range 3 {
		divide(c, c+3, c+6)
	}
	for r := range 3 {
		divide(3*r, 3*r+1, 3*r+2)
	}
	return h
}

// unit returns h scaled to unit Frobenius norm. h must be finite and not zero.
func (h Homography) unit() Homography {
	largest := 0.0
	for _, v := range h {
		largest = math.Max(largest, math.Abs(v))
	}
	norm := 0.0
	for i := range h {
		h[i] /= largest // keeps the squares below from overflowing
		norm += h[i] * h[i]
	}
	return h.scaled(1 / math.Sqrt(norm))
}

func (h Homography) scaled(f float64) Homography {
	for i := range h {
		h[i] *= f
	}
	return h
}

// Determinant returns det h.
func (h Homography) Determinant() float64 {
	return h[0]*(h[4]*h[8]-h[5]*h[7]) - h[1]*(h[3]*h[8]-h[5]*h[6]) + h[2]*(h[3]*h[7]-h[4]*h[6])
}

// Inverse returns the normalised inverse. It fails as Normalized does.
func (h Homography) Inverse() (Homography, error) {
	// Products of normalised elements neither overflow nor underflow.
	h, err := h.Normalized()
	if err != nil {
		return Homography{}, err
	}
	adjugate := Homography{
		h[4]*h[8] - h[5]*h[7], h[2]*h[7] - h[1]*h[8], h[1]*h[5] - h[2]*h[4],
		h[5]*h[6] - h[3]*h[8], h[0]*h[8] - h[2]*h[6], h[2]*h[3] - h[0]*h[5],
		h[3]*h[7] - h[4]*h[6], h[1]*h[6] - h[0]*h[7], h[0]*h[4] - h[1]*h[3],
	}
	return adjugate.fixed(), nil
}

// Times returns the homography that applies g, then h.
func (h Homography) Times(g Homography) (out Homography) {
	for r := range 3 {
		for c := range 3 {
			for i := range 3 {
				out[3*r+c] += h[3*r+i] * g[3*i+c]
			}
		}
	}
	return out
}

// Apply maps the pixel (x, y). The result is infinite or NaN for a point on the
// line that h maps to infinity.
func (h Homography) Apply(x, y float64) (float64, float64) {
	w := h[6]*x + h[7]*y + h[8]
	return (h[0]*x + h[1]*y + h[2]) / w, (h[3]*x + h[4]*y + h[5]) / w
}

// LocalAffine returns the linear part of the affine map that approximates h
// near the pixel (x, y): the partial derivatives {{∂u/∂x, ∂u/∂y}, {∂v/∂x,
// ∂v/∂y}} of its image (u, v).
//
// With w = h₆x + h₇y + h₈ the image is u = (h₀x + h₁y + h₂)/w. By the quotient
// rule ∂u/∂x = h₀/w − (h₀x + h₁y + h₂)·h₆/w² = (h₀ − u·h₆)/w; the other
// derivatives follow the same way. The determinant is det h / w³. On the line
// that h maps to infinity the derivatives are infinite or NaN.
func (h Homography) LocalAffine(x, y float64) [2][2]float64 {
	w := h[6]*x + h[7]*y + h[8]
	u, v := h.Apply(x, y)
	return [2][2]float64{
		{(h[0] - u*h[6]) / w, (h[1] - u*h[7]) / w},
		{(h[3] - v*h[6]) / w, (h[4] - v*h[7]) / w},
	}
}
