package keypoints

import (
	"math"
	"testing"
)

// paramsOf returns the defaults of a detector.
func paramsOf(detector string) Params {
	d, _ := FindDetector(detector)
	return Defaults(d.Params)
}

func layers(n int64) Params { return Params{"n_octave_layers": n} }

func TestLevelsOfSizesWorkedByHand(t *testing.T) {
	orb := orbResizer(Params{"scale_factor": 2.0, "nlevels": int64(4), "first_level": int64(1), "patch_size": int64(31)})
	for size, want := range map[float32]int32{
		15.5: 0, 31: 1, 62: 2, 124: 3,
		43: 1, 44: 2, // 31·√2 = 43.84
		1: 0, 1e9: 3, // the nearest there is
	} {
		if got := orb(Keypoint{Size: 99}, size).Octave; got != want {
			t.Errorf("ORB, size %v: level %d, want %d", size, got, want)
		}
	}
	akaze := akazeResizer(layers(4))
	for size, want := range map[float32]int32{
		4.8: 0, 9.6: 4, 38.4: 12,
		5.70: 1, 5.71: 1, 6.7882: 2, // 4.8·2^¼ = 5.708, 4.8·√2 = 6.7882
		2.4: -4, // none
	} {
		if got := akaze(Keypoint{Size: 99}, size).ClassID; got != want {
			t.Errorf("AKAZE, size %v: level %d, want %d", size, got, want)
		}
	}
}

func TestResizingMovesClassAndOctaveByTheRatioOfSizes(t *testing.T) {
	for _, c := range []struct {
		name              string
		resize            Resizer
		size, to          float32
		class, octave     int32
		toClass, toOctave int32
	}{
		{"AKAZE, one octave up", akazeResizer(layers(4)), 9.6, 19.2, 4, 1, 8, 2},
		{"AKAZE, a layer down across octaves", akazeResizer(layers(4)), 9.6, 9.6 / 1.189207, 4, 1, 3, 0},
		{"AKAZE, below the first level", akazeResizer(layers(4)), 4.8, 2.4, 0, 0, -4, -1},
		{"KAZE, one octave up", kazeResizer(layers(3)), 5, 10, 2, 0, 5, 1},
		// Its ξ of 0.9 stays: by its size it would be in level 3.
		{"KAZE, two layers up", kazeResizer(layers(4)), 3.2 * 1.6529, 3.2 * 1.6529 * 1.41421356, 2, 0, 4, 1},
		{"KAZE, below the first level", kazeResizer(layers(4)), 4, 2, 1, 0, -3, -1},
		{"KAZE without class", kazeResizer(layers(4)), 4, 8, -1, 0, -1, -1},
		{"KAZE without size", kazeResizer(layers(4)), 0, 8, 3, 0, -1, -1},
	} {
		k := Keypoint{X: 1, Y: 2, Size: c.size, Angle: 3, Response: 4, ClassID: c.class, Octave: c.octave}
		want := k
		want.Size, want.ClassID, want.Octave = c.to, c.toClass, c.toOctave
		if got := c.resize(k, c.to); got != want {
			t.Errorf("%s: got %+v, want %+v", c.name, got, want)
		}
	}
}

func TestDetectorsWhoseSizesTellNoLevelKeepOctaveAndClass(t *testing.T) {
	for _, name := range []string{"surf", "brisk", "fast", "agast", "gftt", "mser"} {
		k := Keypoint{X: 1, Y: 2, Size: 10, Angle: 30, Response: 4, Octave: 2, ClassID: 1}
		want := k
		want.Size = 40
		if got := ResizerOf(name, paramsOf(name))(k, 40); got != want {
			t.Errorf("%s: got %+v, want %+v", name, got, want)
		}
	}
}

func TestImportedKeypointsAreResizedAsSIFTsOnlyIfTheyAreSIFTs(t *testing.T) {
	resize := ResizerOf("", nil)
	sift := keypointOf(defaultSpace, 1, 2, 0.25)
	if got, want := resize(sift, 2*sift.Size), defaultSpace.Resize(sift, 2*sift.Size); got != want || got.Octave == sift.Octave {
		t.Errorf("of SIFT: got %+v, want %+v", got, want)
	}
	for name, k := range map[string]Keypoint{
		"without octave":                {Size: 6.4, ClassID: 7},
		"of another's octave":           {Size: 6.4, Octave: 2},
		"of SIFT with another's octave": {Size: 100, Octave: sift.Octave},
	} {
		want := k
		want.Size *= 2
		if got := resize(k, 2*k.Size); got != want {
			t.Errorf("%s: got %+v, want %+v", name, got, want)
		}
	}
}

func TestWhatIsNoSizeHasNoLevelByAnyDetectorThatHasLevels(t *testing.T) {
	for _, size := range []float32{0, -1, float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))} {
		k := Keypoint{Size: 10, Octave: 1, ClassID: 4}
		if got := ResizerOf("orb", paramsOf("orb"))(k, size); got.Octave != -1 {
			t.Errorf("ORB, size %v: octave %d, want -1", size, got.Octave)
		}
		for _, name := range []string{"akaze", "kaze"} {
			if got := ResizerOf(name, paramsOf(name))(k, size); got.ClassID != -1 || got.Octave != -1 {
				t.Errorf("%s, size %v: class %d, octave %d, want -1, -1", name, size, got.ClassID, got.Octave)
			}
		}
	}
}
