package keypoints

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"descbench/eval/must"
)

func TestApplyMapsPointsWorkedByHand(t *testing.T) {
	for _, c := range []struct {
		name       string
		h          Homography
		x, y, u, v float64
	}{
		{"identity", Identity, 3, -4, 3, -4},
		{"translation", Homography{1, 0, 10, 0, 1, -20, 0, 0, 1}, 3, 4, 13, -16},
		{"quarter turn, x to y", Homography{0, -1, 0, 1, 0, 0, 0, 0, 1}, 3, 4, -4, 3},
		{"scale and shear", Homography{2, 1, 0, 0, 3, 0, 0, 0, 1}, 5, 7, 17, 21},
		// w = 0.5·4 + 0.25·8 + 1 = 5; (4+6, 8+2) / 5.
		{"perspective", Homography{1, 0, 6, 0, 1, 2, 0.5, 0.25, 1}, 4, 8, 2, 2},
		// The same map times −4.
		{"perspective, other scale and sign", Homography{-4, 0, -24, 0, -4, -8, -2, -1, -4}, 4, 8, 2, 2},
	} {
		if u, v := c.h.Apply(c.x, c.y); u != c.u || v != c.v {
			t.Errorf("%s: (%v, %v) goes to (%v, %v), want (%v, %v)", c.name, c.x, c.y, u, v, c.u, c.v)
		}
	}
}

func TestApplyHasNoFiniteImageOnTheLineThatGoesToInfinity(t *testing.T) {
	h := Homography{1, 0, 0, 0, 1, 0, 1, 0, -2} // w = x − 2
	u, v := h.Apply(2, 5)
	if !math.IsInf(u, 0) || !math.IsInf(v, 0) {
		t.Errorf("(2, 5) goes to (%v, %v), want infinite coordinates", u, v)
	}
}

func TestNormalizedDividesByTheLastElement(t *testing.T) {
	got, err := Homography{2, 4, 6, 8, -10, 12, 0, 0, -2}.Normalized()
	if want := (Homography{-1, -2, -3, -4, 5, -6, 0, 0, 1}); err != nil || got != want {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
}

func TestNormalizedChangesNoBitOfANormalisedHomography(t *testing.T) {
	h := Homography{0.93, -0.0257, 17.123456789, 0.0417, 0.9871, -31.7, 3.1e-5, -6.7e-5, 1}
	once, err := h.Normalized()
	if err != nil || once != h {
		t.Errorf("got %v, %v, want %v", once, err, h)
	}
	rapid.Check(t, func(t *rapid.T) {
		once := must.Get(drawHomography(t).Normalized())(t)
		if twice, err := once.Normalized(); err != nil || twice != once {
			t.Fatalf("normalising %v again gives %v, %v", once, twice, err)
		}
	})
}

func TestNormalizedKeepsAMapThatSendsTheOriginToInfinity(t *testing.T) {
	// (x, y) → (1/x, y/x): Frobenius norm √3, determinant −1, so the sign turns.
	h := Homography{0, 0, 1, 0, 1, 0, 1, 0, 0}
	got := must.Get(h.Normalized())(t)
	for i, v := range h {
		if want := -v / math.Sqrt(3); math.Abs(got[i]-want) > 1e-15 {
			t.Errorf("element %d is %v, want %v", i+1, got[i], want)
		}
	}
}

func TestHomographiesWithoutInverseAreRefused(t *testing.T) {
	for _, c := range []struct {
		name string
		h    Homography
	}{
		{"zero", Homography{}},
		{"rank 1", Homography{1, 2, 3, 2, 4, 6, 3, 6, 9}},
		{"rank 2", Homography{1, 2, 3, 4, 5, 6, 7, 8, 9}},
		{"everything to one line", Homography{1, 0, 0, 1, 0, 0, 0, 0, 1}},
		{"tiny and of rank 2", Homography{1e-200, 0, 0, 0, 1e-200, 0, 0, 0, 0}},
	} {
		if _, err := c.h.Normalized(); !errors.Is(err, ErrSingular) {
			t.Errorf("%s: Normalized says %v, want ErrSingular", c.name, err)
		}
		if _, err := c.h.Inverse(); !errors.Is(err, ErrSingular) {
			t.Errorf("%s: Inverse says %v, want ErrSingular", c.name, err)
		}
	}
}

func TestElementsThatAreNotFiniteAreRefusedByNumber(t *testing.T) {
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		h := Identity
		h[4] = v
		_, err := h.Normalized()
		must.FailAbout(t, err, "element 5")
		_, err = h.Inverse()
		must.FailAbout(t, err, "element 5")
	}
}

// Whatever Normalized accepts has an inverse, however lopsided, at any scale.
func TestEveryInvertibleHomographyHasAnInverse(t *testing.T) {
	for _, h := range []Homography{
		{1, 0, 0, 0, 1, 0, 0, 0, 1e-10},
		{1e-10, 0, 0, 0, 1, 0, 0, 0, 1},
		{1e200, 0, 0, 0, 2e200, 0, 0, 0, 1e200},
		{1e-200, 0, 0, 0, 2e-200, 0, 0, 0, 1e-200},
	} {
		if _, err := h.Normalized(); err != nil {
			t.Fatalf("%v: %v", h, err)
		}
		inverse, err := h.Inverse()
		if err != nil {
			t.Errorf("%v: Inverse says %v", h, err)
			continue
		}
		// The maps are diagonal: the inverse takes (h0/h8, h4/h8) to (1, 1).
		x, y := inverse.Apply(h[0]/h[8], h[4]/h[8])
		if math.Abs(x-1) > 1e-12 || math.Abs(y-1) > 1e-12 {
			t.Errorf("%v: the image of (1, 1) comes back to (%v, %v)", h, x, y)
		}
	}
}

func TestScaleAndSignOfAHomographyMeanNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := drawHomography(t)
		factor := rapid.Float64Range(1e-3, 1e3).Draw(t, "factor")
		if rapid.Bool().Draw(t, "negative") {
			factor = -factor
		}
		a := must.Get(h.Normalized())(t)
		b := must.Get(h.scaled(factor).Normalized())(t)
		if !close9(a, b, 1e-12) {
			t.Fatalf("normalised %v, times %v normalised %v", a, factor, b)
		}
		x, y := drawPixel(t)
		u1, v1 := h.Apply(x, y)
		u2, v2 := h.scaled(factor).Apply(x, y)
		u3, v3 := a.Apply(x, y)
		if math.Hypot(u1-u2, v1-v2) > 1e-9 || math.Hypot(u1-u3, v1-v3) > 1e-9 {
			t.Fatalf("(%v, %v) goes to (%v, %v), scaled to (%v, %v), normalised to (%v, %v)", x, y, u1, v1, u2, v2, u3, v3)
		}
	})
}

func TestInverseBringsPointsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := drawHomography(t)
		inverse := must.Get(h.Inverse())(t)
		x, y := drawPixel(t)
		if back, yBack := inverse.Apply(h.Apply(x, y)); math.Hypot(back-x, yBack-y) > 1e-6 {
			t.Fatalf("(%v, %v) comes back to (%v, %v)", x, y, back, yBack)
		}
		again := must.Get(inverse.Inverse())(t)
		normal := must.Get(h.Normalized())(t)
		if !close9(again, normal, 1e-9) {
			t.Fatalf("inverse of the inverse is %v, want %v", again, normal)
		}
	})
}

// drawHomography draws a map of the kind that photographs are related by: a
// rotation, scales, a shear, a shift, and a perspective that keeps the 640×480
// image well away from infinity; at any sign.
func drawHomography(t *rapid.T) Homography {
	angle := rapid.Float64Range(-math.Pi, math.Pi).Draw(t, "angle")
	sx := rapid.Float64Range(0.3, 3).Draw(t, "scale x")
	sy := rapid.Float64Range(0.3, 3).Draw(t, "scale y")
	shear := rapid.Float64Range(-0.5, 0.5).Draw(t, "shear")
	c, s := math.Cos(angle), math.Sin(angle)
	h := Homography{
		c * sx, c*shear - s*sy, rapid.Float64Range(-500, 500).Draw(t, "shift x"),
		s * sx, s*shear + c*sy, rapid.Float64Range(-500, 500).Draw(t, "shift y"),
		rapid.Float64Range(-7e-4, 7e-4).Draw(t, "perspective x"),
		rapid.Float64Range(-7e-4, 7e-4).Draw(t, "perspective y"), 1,
	}
	// A shear against the scales or a perspective against the shift can make
	// the whole nearly singular; such maps relate no photographs.
	if norm := h.frobenius(); math.Abs(h.Determinant())/(norm*norm*norm) < 1e-12 {
		t.Skip("nearly singular")
	}
	return h.scaled(rapid.SampledFrom([]float64{1, -1, 1e-4, -250}).Draw(t, "scale"))
}

func (h Homography) frobenius() float64 {
	sum := 0.0
	for _, v := range h {
		sum += v * v
	}
	return math.Sqrt(sum)
}

func drawPixel(t *rapid.T) (x, y float64) {
	return rapid.Float64Range(0, 640).Draw(t, "x"), rapid.Float64Range(0, 480).Draw(t, "y")
}

// close9 reports whether a and b agree in every element to the tolerance,
// relative to the largest element of b.
func close9(a, b Homography, tolerance float64) bool {
	largest := 0.0
	for _, v := range b {
		largest = math.Max(largest, math.Abs(v))
	}
	for i := range a {
		if !(math.Abs(a[i]-b[i]) <= tolerance*largest) {
			return false
		}
	}
	return true
}

// Worked out by hand: first twice as large, then by (3, −1), then in perspective.
func TestTimesAppliesTheSecondFirst(t *testing.T) {
	scale := Homography{2, 0, 0, 0, 2, 0, 0, 0, 1}
	shift := Homography{1, 0, 3, 0, 1, -1, 0, 0, 1}
	tilt := Homography{1, 2, 3, 4, 5, 6, 7, 8, 9}
	if got, want := shift.Times(scale), (Homography{2, 0, 3, 0, 2, -1, 0, 0, 1}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := scale.Times(shift), (Homography{2, 0, 6, 0, 2, -2, 0, 0, 1}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := tilt.Times(Homography{1, 0, 2, 3, 1, 0, 0, 4, 1}), (Homography{7, 14, 5, 19, 29, 14, 31, 44, 23}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}
