package truth

import (
	"math"
	"math/rand/v2"
	"testing"

	"descbench/keypoints"
)

// pairsOff returns the residuals of scenes with five pairs, one of which scales by s and turns by
// degrees, whose positions are off by c in both images, with an error of 1 px and a third of
// chance matches.
func pairsOff(t *testing.T, c float64, s, degrees float64, scenes int) (all [][]Residual) {
	t.Helper()
	r := rand.New(rand.NewPCG(3, 4))
	for range scenes {
		var scene []Residual
		for range 5 {
			sin, cos := math.Sincos(degrees * math.Pi / 180)
			h := keypoints.Homography{s * cos, -s * sin, 200, s * sin, s * cos, 100, 0, 0, 1}
			found := NewResiduals(h, 3)
			for range 900 {
				x, y := 640*r.Float64(), 480*r.Float64()
				u, v := h.Apply(x, y)
				if u, v = u+0.5*r.NormFloat64(), v+0.5*r.NormFloat64(); r.IntN(3) == 0 {
					u, v = u+8*r.Float64()-4, v+8*r.Float64()-4
				}
				found.Add(float32(x+c), float32(y+c), float32(u+c), float32(v+c))
			}
			median, ok := found.Median()
			if !ok {
				t.Fatal("too few matches agree")
			}
			scene = append(scene, median)
		}
		all = append(all, scene)
	}
	return all
}

func TestAShiftOfAllPositionsIsEstimatedWhereImagesScaleOrTurn(t *testing.T) {
	for _, test := range []struct {
		c, s, degrees float64
		scenes        int
		clear         bool
	}{
		{0.5, 0.5, 0, 3, true},
		{-0.5, 1.6, 10, 3, true},
		{1, 0.8, -20, 2, true},
		{0.5, 1, 180, 3, true},  // 1.4 px from where they belong
		{0.5, 0.5, 0, 1, false}, // a scene is not most scenes
		{0.5, 1, 0, 5, false},   // and a shift alone changes nothing
		{0, 0.5, 30, 5, false},
	} {
		px, clear := Shift(pairsOff(t, test.c, test.s, test.degrees, test.scenes))
		if clear != test.clear || clear && math.Abs(px-test.c) > 0.1 {
			t.Errorf("%+v: estimated %.3f, clear %v", test, px, clear)
		}
	}
	if px, clear := Shift(append(pairsOff(t, 1, 0.5, 0, 2), pairsOff(t, 0, 0.5, 0, 3)...)); clear {
		t.Errorf("2 of 5 scenes are off: %.3f px are said of all", px)
	}
	if _, clear := Shift(nil); clear {
		t.Error("a shift of nothing")
	}
}

// Worked out by hand: h doubles and moves; at the 20 matches, medians of errors of 0, 0.1 ... 1.9.
func TestTheMedianResidualIsThatOfMatchesThatAgree(t *testing.T) {
	h := keypoints.Homography{2, 0, 5, 0, 2, 7, 0, 0, 1}
	r := NewResiduals(h, 3)
	for i := range 20 {
		if _, ok := r.Median(); ok {
			t.Errorf("%d matches are enough", i)
		}
		x := float32(10 * i)
		r.Add(x, 8, 2*x+5+float32(i)/10, 23-float32(i)/20)
		r.Add(x, 8, 2*x+5, 23+3.1) // too far
	}
	got, ok := r.Median()
	if !ok || math.Abs(got.X-1) > 1e-5 || math.Abs(got.Y+0.45) > 1e-5 || got.ShareX != -1 || got.ShareY != -1 {
		t.Errorf("%+v, %v", got, ok)
	}
}
