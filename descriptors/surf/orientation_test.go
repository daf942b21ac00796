package surf

import (
	"math"
	"testing"

	"descbench/keypoints"
)

func TestOrientationIsTheDirectionOfARampClockwise(t *testing.T) {
	for degrees := 0.0; degrees < 360; degrees += 15 {
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		g := render(80, 80, func(x, y float64) float64 { return 128 + 2*(cos*(x-40)+sin*(y-40)) })
		kps, m := Describe(g, []keypoints.Keypoint{{X: 40, Y: 40, Size: 20}}, defaults())
		if m.IsInvalid(0) {
			t.Fatalf("%v°: invalid", degrees)
		}
		if diff := math.Abs(math.Remainder(float64(kps[0].Angle)-degrees, 360)); diff > 1 {
			t.Errorf("ramp of %v°: orientation is %v", degrees, kps[0].Angle)
		}
	}
}

func TestArctangentIsThatOfMathWithinAHundredthOfADegree(t *testing.T) {
	for i := range 3600 {
		sin, cos := math.Sincos(float64(i) / 10 * math.Pi / 180)
		y, x := float32(70*sin), float32(70*cos)
		want := math.Atan2(float64(y), float64(x)) * 180 / math.Pi
		for name, got := range map[string]float32{"plain": arctangent(y, x), "fused": arctangentFused(y, x)} {
			if got < 0 || got > 360 || math.Abs(math.Remainder(float64(got)-want, 360)) > 0.01 {
				t.Errorf("%s: direction of (%v, %v) is %v, want %v", name, x, y, got, want)
			}
		}
	}
	if a, b := arctangent(0, 0), arctangentFused(0, 0); a != 0 || b != 0 {
		t.Errorf("direction of (0, 0) is %v and %v, want 0", a, b)
	}
	// Values of OpenCV 4.6's fastAtan2.
	for _, c := range [][3]float32{
		{3, 4, 0x1.26e8e4p+5}, {-1, 2, 0x1.4d6ed2p+8}, {-5, -1, 0x1.02b096p+8}, {0.25, -7, 0x1.63e8f6p+7},
	} {
		if got := arctangent(c[0], c[1]); got != c[2] {
			t.Errorf("direction of (%v, %v) is %x, want %x", c[1], c[0], got, c[2])
		}
	}
}

func TestRoundingIsToTheEvenOfTwo(t *testing.T) {
	for v, want := range map[float32]int{-2.5: -2, -1.5: -2, -0.5: 0, 0: 0, 0.5: 0, 1.5: 2, 2.5: 2, 2.75: 3, 0x1p22 + 0.5: 1 << 22} {
		if got := roundHalfEven(v); got != want {
			t.Errorf("%v is rounded to %d, want %d", v, got, want)
		}
	}
}

// A sector is open, 60° wide, and there is one every 5°.
func TestDirectionsLieInTheSectorsAroundThem(t *testing.T) {
	o := newOrienter(&Gray{Pix: []uint8{0}, Width: 1, Height: 1}, false, nil)
	for degrees, r := range o.sectors {
		var got [sectorCount]bool
		for i := range r.count {
			got[(r.first+i)%sectorCount] = true
		}
		for i := range got {
			distance := math.Abs(math.Remainder(float64(degrees-i*5), 360))
			if want := distance < 30; got[i] != want {
				t.Errorf("%d° in the sector around %d°: %v, want %v", degrees, i*5, got[i], want)
			}
		}
	}
}
