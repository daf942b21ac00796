package detect_test

import (
	"math"
	"testing"

	"descbench/keypoints"
	"descbench/keypoints/detect/detecttest"
)

// checkOctaves holds keypoints.ScaleSpace to what OpenCV packed: the size alone
// must tell octave and layer, and ξ to the rounding of the size.
func checkOctaves(t *testing.T, name string, set keypoints.Set, space keypoints.ScaleSpace) {
	t.Helper()
	if set.Len() == 0 {
		t.Errorf("%s: no keypoints", name)
	}
	for row, k := range set.Keypoints {
		octave, layer := keypoints.UnpackOctave(k.Octave)
		packed := space.Octave(k.Size)
		gotOctave, gotLayer := keypoints.UnpackOctave(packed)
		if gotOctave != octave || gotLayer != layer || math.Abs(float64(packed>>16-k.Octave>>16)) > 1 {
			t.Errorf("%s, keypoint %d of size %v: octave %d, layer %d, ξ %d, want %d, %d, %d",
				name, row, k.Size, gotOctave, gotLayer, packed>>16, octave, layer, k.Octave>>16)
		}
		if got := space.Resize(k, k.Size); got != k {
			t.Errorf("%s, keypoint %d: %+v is resized to its own size as %+v", name, row, k, got)
		}
	}
}

func TestTheSizeOfOpenCVsKeypointsTellsOctaveAndLayer(t *testing.T) {
	img := detecttest.Textured(400, 300, 3).Image(t)
	octaves := map[int]bool{}
	for _, layers := range []int64{1, 2, 3, 4, 5} {
		for _, sigma := range []float64{0.9, 1.6, 2.3} {
			params := defaults(t, "sift")
			params["n_octave_layers"], params["sigma"], params["contrast_threshold"] = layers, sigma, 0.01
			set := mustDetect(t, img, params)
			checkOctaves(t, params.String(), set, keypoints.ScaleSpace{Layers: int(layers), Sigma: sigma})
			for _, k := range set.Keypoints {
				octaves[octaveOf(k)] = true
			}
		}
	}
	for octave := -1; octave <= 3; octave++ {
		if !octaves[octave] {
			t.Errorf("no keypoint in octave %d, so this shows too little", octave)
		}
	}
}

func octaveOf(k keypoints.Keypoint) int {
	octave, _ := keypoints.UnpackOctave(k.Octave)
	return octave
}
