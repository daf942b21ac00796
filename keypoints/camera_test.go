package keypoints

import (
	"math"
	"strings"
	"testing"
)

// A turn by 90° around the axis of a camera that is 2 ahead of the origin.
var turned = Pose{R: [9]float64{0, -1, 0, 1, 0, 0, 0, 0, 1}, T: [3]float64{1, 0, -2}}

func TestPosesAreUndoneByTheirInverse(t *testing.T) {
	tilted := Pose{R: [9]float64{1, 0, 0, 0, 0.6, -0.8, 0, 0.8, 0.6}, T: [3]float64{3, 4, 5}}
	if got, want := turned.Inverse(), (Pose{R: [9]float64{0, 1, 0, -1, 0, 0, 0, 0, 1}, T: [3]float64{0, 1, 2}}); got != want {
		t.Errorf("inverse %v, want %v", got, want)
	}
	// x = (1, 1, 1): tilted gives (4, 3.8, 6.4), then turned (-2.8, 4, 4.4).
	both := turned.After(tilted)
	x := both.rotated([3]float64{1, 1, 1})
	for i, want := range []float64{-2.8, 4, 4.4} {
		if got := x[i] + both.T[i]; math.Abs(got-want) > 1e-12 {
			t.Errorf("coordinate %d: %v, want %v", i, got, want)
		}
	}
	for i, v := range both.After(both.Inverse()).R {
		if math.Abs(v-Identity[i]) > 1e-12 {
			t.Errorf("element %d of the identity is %v", i, v)
		}
	}
}

// A point at (0.2, 0.1, 4) in the first camera: at (325, 242.5) there; the other camera is 1 to the
// right, so that it is at (-0.8, 0.1, 4), (320 - 0.2·400, 240 + 0.025·400) there.
func TestCamerasKnowRaysButNoPlaces(t *testing.T) {
	world := turned // where the world is does not matter
	a := Camera{Intrinsics: Intrinsics{100, 100, 320, 240}, Pose: world}
	b := Camera{Intrinsics: Intrinsics{400, 400, 320, 240}, Pose: Pose{R: Identity, T: [3]float64{-1, 0, 0}}.After(world)}
	m := Space(Between(a, b), [2]int{640, 480}, [2]int{640, 480})
	if p := m.Place(325, 242.5); p.State != Unknown || !math.IsNaN(p.X) || m.KnowsPlaces() {
		t.Errorf("a place is known: %v", p)
	}
	c, ok := m.Cameras()
	if !ok || c.First != a.Intrinsics || c.Other != b.Intrinsics || c.R != Identity || c.T != [3]float64{-1, 0, 0} {
		t.Errorf("cameras %v", c)
	}
	if x, y := c.Other.Ray(240, 250); x != -0.2 || y != 0.025 {
		t.Errorf("ray (%v, %v), want (-0.2, 0.025)", x, y)
	}
	if back, _ := m.Inverse().Cameras(); back.First != b.Intrinsics || back.T != [3]float64{1, 0, 0} {
		t.Errorf("inverse %v", back)
	}
	if got, want := a.Changed(2, 0.5, 1, -1), (Intrinsics{200, 50, 641, 119}); got != want {
		t.Errorf("resized %v, want %v", got, want)
	}
}

func TestOnlyPinholeCamerasWithARotationAreTaken(t *testing.T) {
	good := Camera{Intrinsics: Intrinsics{100, 100, 320, 240}, Pose: turned}
	for want, change := range map[string]func(*Camera){
		"finite":         func(c *Camera) { c.T[1] = math.NaN() },
		"positive":       func(c *Camera) { c.Intrinsics[1] = -3 },
		"not a rotation": func(c *Camera) { c.R[0] = 0.04 },
		"reflection":     func(c *Camera) { c.R[8] = -1 },
	} {
		bad := good
		change(&bad)
		if err := bad.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	rounded := good // to five decimals
	rounded.R[0], rounded.R[1] = 0.00001, -0.99999
	if err := rounded.Check(); err != nil {
		t.Error(err)
	}
}
