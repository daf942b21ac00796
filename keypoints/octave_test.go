package keypoints

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

var defaultSpace = ScaleSpace{Layers: 3, Sigma: 1.6}

func TestOctaveOfSizesWorkedByHand(t *testing.T) {
	// log₂(size / 3.2) = octave + (layer+ξ)/3; ξ is packed as round((ξ+½)·255).
	for _, c := range []struct {
		size          float64
		octave, layer int
	}{
		{3.2 * math.Exp2(1.0/3), 0, 1},
		{3.2 * math.Exp2(2.0/3), 0, 2},
		{6.4, 0, 3}, // not layer 0 of octave 1
		{3.2, -1, 3},
		{1.6 * math.Exp2(1.0/3), -1, 1},
		{6.4 * math.Exp2(1.0/3), 1, 1},
		{1.6, -1, 0},                     // the first layer of all, as blurred as layer 3 of octave -2
		{1.6 * math.Exp2(-1.0/3), -2, 2}, // what no pyramid holds
		{0.4, -4, 3},
		{3.2 * math.Exp2(10), 9, 3},
	} {
		got := defaultSpace.Octave(float32(c.size))
		octave, layer := UnpackOctave(got)
		if xi := got >> 16; octave != c.octave || layer != c.layer || xi != 127 && xi != 128 { // 127.5
			t.Errorf("size %v: octave %d, layer %d, ξ %d, want %d, %d, 127 or 128", c.size, octave, layer, xi, c.octave, c.layer)
		}
	}
	// ξ = 0.2 above layer 2 of octave 1: round(0.7·255 = 178.5 ± rounding).
	if xi := defaultSpace.Octave(float32(3.2*math.Exp2(1+2.2/3))) >> 16; xi != 178 && xi != 179 {
		t.Errorf("ξ %d, want 178 or 179", xi)
	}
	// ξ = -0.3: 0.2·255 = 51.
	if got, want := defaultSpace.Octave(float32(3.2*math.Exp2(1+1.7/3))), int32(51<<16|2<<8|1); got != want {
		t.Errorf("got %#x, want %#x", got, want)
	}
}

func TestWhatHasNoSizeHasNoOctave(t *testing.T) {
	for _, size := range []float32{0, -1, float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), 1e-45, -1e-45} {
		octave, layer := UnpackOctave(defaultSpace.Octave(size))
		if octave != -128 || layer != 1 {
			t.Errorf("size %v: octave %d, layer %d, want -128, 1", size, octave, layer)
		}
	}
	// The largest float32 is not quite 2¹²⁸ = 2σ·2^126.32: layer 1 of octave 126.
	if octave, _ := UnpackOctave(defaultSpace.Octave(math.MaxFloat32)); octave != 126 {
		t.Errorf("largest size: octave %d, want 126", octave)
	}
}

// keypointOf returns the size and the octave field that OpenCV would give an
// extremum, by its own formulas (sift.simd.hpp, adjustLocalExtrema), in float32.
func keypointOf(s ScaleSpace, octave, layer int, xi float32) Keypoint {
	power := float32(math.Pow(2, float64((float32(layer)+xi)/float32(s.Layers))))
	return Keypoint{
		Size:   float32(s.Sigma) * power * float32(math.Ldexp(1, octave+1)),
		Octave: int32(octave&255) + int32(layer)<<8 + int32(math.RoundToEven(float64((xi+0.5)*255)))<<16,
	}
}

func drawExtremum(t *rapid.T) (s ScaleSpace, octave, layer int, xi float32) {
	s = ScaleSpace{Layers: rapid.IntRange(1, 5).Draw(t, "layers"), Sigma: rapid.Float64Range(0.5, 10).Draw(t, "sigma")}
	octave, layer = rapid.IntRange(-1, 9).Draw(t, "octave"), rapid.IntRange(1, s.Layers).Draw(t, "layer")
	edge := math.Nextafter32(0.5, 0) // OpenCV demands |ξ| < ½
	xi = rapid.OneOf(rapid.Float32Range(-edge, edge), rapid.SampledFrom([]float32{-edge, 0, edge})).Draw(t, "xi")
	return s, octave, layer, xi
}

func TestResizingByAPowerOfTwoChangesTheOctaveAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, octave, layer, xi := drawExtremum(t)
		if math.Abs(float64(xi)) > 0.49999 {
			t.Skip("on the border, but for the rounding of size")
		}
		k := keypointOf(s, octave, layer, xi)
		by := rapid.IntRange(-3, 3).Draw(t, "octaves")
		got := s.Resize(k, float32(math.Ldexp(float64(k.Size), by)))
		gotOctave, gotLayer := UnpackOctave(got.Octave)
		octave += by
		if octave == -2 && layer == s.Layers {
			octave, layer = -1, 0
		}
		if gotOctave != octave || gotLayer != layer {
			t.Fatalf("octave %d, layer %d, want %d, %d", gotOctave, gotLayer, octave, layer)
		}
	})
}

func TestResizeGivesForeignKeypointsTheOctaveOfTheirSize(t *testing.T) {
	size := float32(3.2 * math.Exp2(2+1.0/3))
	want := defaultSpace.Octave(size)
	if octave, layer := UnpackOctave(want); octave != 2 || layer != 1 {
		t.Fatalf("octave %d, layer %d, want 2, 1", octave, layer)
	}
	for name, octave := range map[string]int32{
		"SURF's octave 2, no layer": 2, "none": 0, "another layer": 0x800202, "another octave": 0x800103, "layer 4 of 3": 0x800401,
	} {
		k := Keypoint{X: 1, Y: 2, Size: size, Angle: 3, Response: 4, Octave: octave, ClassID: 5}
		got := defaultSpace.Resize(k, size)
		k.Octave = want
		if got != k {
			t.Errorf("%s: got %+v, want %+v", name, got, k)
		}
	}
	// Layer 0 of octave 2 is blurred as layer 3 of octave 1, but no detector's.
	k := Keypoint{Size: 3.2 * 4, Octave: 127<<16 | 2}
	if octave, layer := UnpackOctave(defaultSpace.Resize(k, k.Size).Octave); octave != 1 || layer != 3 {
		t.Errorf("octave %d, layer %d, want 1, 3", octave, layer)
	}
}

// OpenCV packs octave, layer and the offset of the layer into one number; these
// are such numbers as it gives.
func TestOctaveAndLayerAreUnpackedAsOpenCVPacksThem(t *testing.T) {
	for packed, want := range map[int32][2]int{
		0:                         {0, 0},
		511:                       {-1, 1},
		7<<16 | 3<<8 | 4:          {4, 3},
		-20<<16 | 2<<8 | 255:      {-1, 2},
		254:                       {-2, 0},
		128:                       {-128, 0},
		127 | 255<<8 | 0x7fff<<16: {127, 255},
	} {
		if octave, layer := UnpackOctave(packed); octave != want[0] || layer != want[1] {
			t.Errorf("%#x: octave %d, layer %d; want %v", packed, octave, layer, want)
		}
	}
}
