package keypoints

import (
	"math"
	"testing"

	"descbench/eval/must"
)

// Both cameras look at the plane n·X = 1 in the coordinates of the first one.
var (
	planeNormal = [3]float64{0.05, -0.08, 0.25} // z from 3 to 6
	planeSize   = [2]int{64, 48}
	planeViews  = Cameras{
		First: Intrinsics{60, 58, 31.5, 23.5}, Other: Intrinsics{66, 64, 30, 25},
		Pose: Pose{R: [9]float64{0.96, 0, 0.28, 0, 1, 0, -0.28, 0, 0.96}, T: [3]float64{-0.9, 0.1, 0.3}},
	}
)

// inverseDepth returns 1/z of the plane at (x, y) of the first image.
func inverseDepth(x, y float64) float64 {
	rx, ry := planeViews.First.Ray(x, y)
	return planeNormal[0]*rx + planeNormal[1]*ry + planeNormal[2]
}

// planeHomography returns K'·(R + T·nᵀ)·K⁻¹ (Hartley, Zisserman: Multiple View Geometry, 2nd edition,
// result 13.1, whose normal has the other sign).
func planeHomography() Homography {
	c, h := planeViews, Homography{}
	for i := range 9 {
		h[i] = c.R[i] + c.T[i/3]*planeNormal[i%3]
	}
	k := Homography{c.Other[0], 0, c.Other[2], 0, c.Other[1], c.Other[3], 0, 0, 1}
	inverse := Homography{1 / c.First[0], 0, -c.First[2] / c.First[0], 0, 1 / c.First[1], -c.First[3] / c.First[1], 0, 0, 1}
	return k.Times(h).Times(inverse)
}

// depthOf returns the depth image that has z(x, y) at pixel (x, y) of the image, with half as many pixels
// on each side if half is set.
func depthOf(t *testing.T, half bool, z func(x, y float64) float64) *Depth {
	t.Helper()
	size, scale, shift := planeSize, 1., 0.
	if half { // the edges of the image are those of the depth image
		size, scale, shift = [2]int{planeSize[0] / 2, planeSize[1] / 2}, 0.5, -0.25
	}
	var values []float32
	for y := range size[1] {
		for x := range size[0] {
			values = append(values, float32(z((float64(x)-shift)/scale, (float64(y)-shift)/scale)))
		}
	}
	d := must.Get(NewDepth(size[0], size[1], values, scale, scale, shift, shift))(t)
	return d
}

func TestDepthOfAPlaneGivesThePointsAndTheAffinePartOfItsHomography(t *testing.T) {
	h := planeHomography()
	back := must.Get(h.Inverse())(t)
	there := func(x, y float64) float64 { // z in the other camera of what it shows at (x, y)
		u, v := back.Apply(x, y)
		_, _, z := planeViews.Project(u, v, 1/inverseDepth(u, v))
		return z
	}
	for _, half := range []bool{false, true} {
		first := depthOf(t, half, func(x, y float64) float64 { return 1 / inverseDepth(x, y) })
		m := Space(planeViews, planeSize, planeSize).WithDepth(first, depthOf(t, half, there), 0.05)
		visible := 0
		for i := range 400 {
			x, y := 2+float64(i%20)*3.07, 2+float64(i/20)*2.21
			u, v := h.Apply(x, y)
			if gotU, gotV, z := planeViews.Project(x, y, 1/inverseDepth(x, y)); math.Hypot(gotU-u, gotV-v) > 1e-9 || z <= 0 {
				t.Errorf("exact depth: (%v, %v) goes to (%v, %v), want (%v, %v)", x, y, gotU, gotV, u, v)
			}
			p := m.Place(x, y)
			if inside := Inside(u, v, planeSize[0], planeSize[1]); inside != (p.State == Visible) || !inside && p.State != Outside {
				t.Errorf("(%v, %v) at (%v, %v): state %v", x, y, u, v, p.State)
			}
			if p.State != Visible {
				continue
			}
			visible++
			if math.Hypot(p.X-u, p.Y-v) > 1e-4 {
				t.Errorf("float32: (%v, %v) goes to %v, want (%v, %v)", x, y, p, u, v)
			}
			a, ok := m.Affine(x, y)
			want := h.LocalAffine(x, y)
			for j := range 4 {
				if !ok || math.Abs(a[j/2][j%2]-want[j/2][j%2]) > 1e-4 {
					t.Fatalf("affine part at (%v, %v): %v, want %v", x, y, a, want)
				}
			}
			within := Inside(p.X-1, p.Y-1, planeSize[0]-2, planeSize[1]-2) // where depth is interpolated
			if q := m.Inverse().Place(p.X, p.Y); within && q.State == Visible && math.Hypot(q.X-x, q.Y-y) > 1e-3 {
				t.Errorf("(%v, %v) comes back to %v", x, y, q)
			}
		}
		if visible < 150 {
			t.Errorf("%d points are visible", visible)
		}
	}
}

// The other camera is 1 to the right of the first one: a point moves to the left by 10/z px. There, a box
// in the depth 2 hides columns 4 to 6 of a wall in the depth 10; column 12 has no depth.
func TestTheFirstThingThatIsKnownOfAPlaceIsItsState(t *testing.T) {
	const width, height = 20, 3
	fill := func(of func(x int) float32) *Depth {
		z := make([]float32, width*height)
		for i := range z {
			z[i] = of(i % width)
		}
		d := must.Get(NewDepth(width, height, z, 1, 1, 0, 0))(t)
		return d
	}
	first := fill(func(x int) float32 {
		return [width]float32{0: 10, 1: 0, 2: 10, 3: 10.4, 4: 20, 5: 10, 6: 10, 13: 10, 15: 9.6, 16: 9.4, 19: 10}[x]
	})
	other := fill(func(x int) float32 {
		switch {
		case x >= 4 && x <= 6:
			return 2
		case x == 12:
			return 0
		}
		return 10
	})
	c := Cameras{First: Intrinsics{10, 10, 0, 0}, Other: Intrinsics{10, 10, 0, 0}, Pose: Pose{R: Identity, T: [3]float64{-1, 0, 0}}}
	size := [2]int{width, height}
	m := Space(c, size, size).WithDepth(first, other, 0.05)
	for x, want := range map[float64]State{
		0:   Outside,  // goes to -1
		1:   Unknown,  // no depth here
		2:   Visible,  // goes to 1
		3:   Visible,  // 10.4 is within 5 % of 10
		4:   Occluded, // goes to 3.5, where 10 is seen, and 20 is behind it
		5:   Occluded, // goes to 4, behind the box
		13:  Unknown,  // goes to 12, without depth there
		15:  Visible,  // 9.6
		16:  Occluded, // 9.4: something else, though in front
		17:  Unknown,
		0.4: Outside, // column 1 is missing: the nearest column counts
		0.6: Unknown,
		3.4: Visible, // 10.4 and 20 are two things: the nearest column counts
	} {
		p := m.Place(x, 1)
		if p.State != want || math.IsNaN(p.X) != (want != Visible) {
			t.Errorf("x = %v: %+v, want state %s", x, p, want)
		}
	}
	if p := m.Place(3.4, 1); math.Abs(p.X-(3.4-10/10.4)) > 1e-6 {
		t.Errorf("at an edge: %v", p)
	}
	if p := m.Inverse().Place(1, 1); p.State != Visible || math.Abs(p.X-2) > 1e-6 {
		t.Errorf("back: %+v, want (2, 1)", p)
	}
	c.T[2] = -20 // all is behind the other camera
	if p := Space(c, size, size).WithDepth(first, other, 0.05).Place(5, 1); p.State != Outside {
		t.Errorf("behind the camera: %+v", p)
	}
	if _, ok := m.Affine(1, 1); ok {
		t.Error("an affine part without depth")
	}
	if _, ok := m.Affine(19, 1); ok {
		t.Error("an affine part of one column of depth")
	}
	if without := Space(c, size, size).WithDepth(first, nil, 0.05); without.KnowsPlaces() || without.Place(2, 1).State != Unknown {
		t.Error("places are known without the other depth")
	}
}

func TestOnlyFiniteDepthFromZeroOnIsTaken(t *testing.T) {
	for _, z := range []float32{-1, float32(math.NaN()), float32(math.Inf(1))} {
		if _, err := NewDepth(3, 2, []float32{1, 1, 1, 1, z, 1}, 1, 1, 0, 0); err == nil || err.Error()[:21] != "depth at pixel (1, 1)" {
			t.Errorf("%v: %v", z, err)
		}
	}
	if _, err := NewDepth(3, 2, make([]float32, 5), 1, 1, 0, 0); err == nil {
		t.Error("5 values of 6 pixels are accepted")
	}
}
