package descriptors

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"descbench/keypoints"
)

var siftSpace = keypoints.ScaleSpace{Layers: 3, Sigma: 1.6}

// extremum returns a keypoint with size and octave field as OpenCV's SIFT gives
// them (sift.simd.hpp, adjustLocalExtrema), with 3 layers and σ 1.6.
func extremum(octave, layer int, xi float32) keypoints.Keypoint {
	power := float32(math.Pow(2, float64((float32(layer)+xi)/3)))
	return keypoints.Keypoint{
		X: 31.5, Y: 17.25, Angle: 123, Response: 0.03, ClassID: -1,
		Size:   1.6 * power * float32(math.Ldexp(1, octave+1)),
		Octave: int32(octave&255) + int32(layer)<<8 + int32(math.RoundToEven(float64((xi+0.5)*255)))<<16,
	}
}

func drawExtremum(t *rapid.T) keypoints.Keypoint {
	return extremum(
		rapid.IntRange(-1, 9).Draw(t, "octave"),
		rapid.IntRange(1, 3).Draw(t, "layer"),
		rapid.Float32Range(-0.4999, 0.4999).Draw(t, "xi"))
}

func TestTheScalesOfAKeypointFollowEachOther(t *testing.T) {
	kps := []keypoints.Keypoint{{X: 1, Y: 2, Size: 10, Octave: 511}, {X: 3, Y: 4, Size: 20, Angle: 90, Octave: 256, ClassID: 7}}
	before := slices.Clone(kps)
	var asked []float32
	resize := func(k keypoints.Keypoint, size float32) keypoints.Keypoint {
		asked = append(asked, size)
		k.Size, k.Octave = size, int32(size)
		return k
	}
	scales := []float64{0.5, 1, 2.5}
	for _, c := range []struct {
		name    string
		p       Pooling
		resize  func(keypoints.Keypoint, float32) keypoints.Keypoint
		octaves []int32
	}{
		{"resized", Pooling{Scales: scales}, resize, []int32{5, 10, 25, 10, 20, 50}},
		{"fixed octave", Pooling{Scales: scales, FixedOctave: true}, resize, []int32{511, 511, 511, 256, 256, 256}},
		{"no octaves", Pooling{Scales: scales}, nil, []int32{511, 511, 511, 256, 256, 256}},
	} {
		got := c.p.Scaled(kps, c.resize)
		var want []keypoints.Keypoint
		for j, size := range []float32{5, 10, 25, 10, 20, 50} {
			k := before[j/3]
			k.Size, k.Octave = size, c.octaves[j]
			want = append(want, k)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", c.name, got, want)
		}
		if !slices.Equal(kps, before) {
			t.Errorf("%s: the keypoints became %v", c.name, kps)
		}
	}
	if want := []float32{5, 10, 25, 10, 20, 50}; !slices.Equal(asked, want) {
		t.Errorf("resize saw %v, want %v", asked, want)
	}
}

func TestAKeypointOfSIFTIsItselfAtScale1(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := drawExtremum(t)
		got := Pooling{Scales: []float64{0.85, 1, 1.3}}.Scaled([]keypoints.Keypoint{k}, siftSpace.Resize)
		if got[1] != k {
			t.Fatalf("got %+v (octave %#x), want %+v (%#x)", got[1], got[1].Octave, k, k.Octave)
		}
	})
}

// Layer 3 of an octave and layer 0 of the next are equally blurred.
func TestTwiceTheSizeIsTheNextOctave(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := drawExtremum(t)
		level := func(packed int32) int {
			octave, layer := keypoints.UnpackOctave(packed)
			return 3*octave + layer
		}
		got := Pooling{Scales: []float64{0.5, 2}}.Scaled([]keypoints.Keypoint{k}, siftSpace.Resize)
		for i, want := range []int{level(k.Octave) - 3, level(k.Octave) + 3} {
			if l := level(got[i].Octave); l != want {
				t.Fatalf("level %d, want %d", l, want)
			}
			if xi, before := got[i].Octave>>16, k.Octave>>16; xi < before-1 || xi > before+1 {
				t.Fatalf("offset in the layer %d, was %d", xi, before)
			}
		}
	})
}

func TestAScaleWithoutAnImageKeepsItsOctave(t *testing.T) {
	// log₂(size / 3.2) of the smallest extremum is -⅔: an eighth of it is three
	// octaves below the doubled image, 2¹⁰ times it ten octaves above.
	got := Pooling{Scales: []float64{0.125, 1024}}.Scaled([]keypoints.Keypoint{extremum(-1, 1, 0)}, siftSpace.Resize)
	for i, want := range []int{-4, 9} {
		if octave, layer := keypoints.UnpackOctave(got[i].Octave); octave != want || layer != 1 {
			t.Errorf("octave %d, layer %d, want %d, 1", octave, layer, want)
		}
	}
}
