package extract_test

import (
	"slices"
	"strings"
	"testing"

	"descbench/descriptors/extract"
	"descbench/keypoints"
	"descbench/keypoints/detect"
	"descbench/keypoints/detect/detecttest"
)

// sameTogether checks that one pass gives what two give.
func sameTogether(t *testing.T, img detect.Image, dp, kp keypoints.Params) {
	t.Helper()
	kps := mustDetect(t, img, dp)
	rows := mustExtract(t, img, kps, "sift", kp)
	set, m, err := extract.DetectAndDescribe(img, "sift", dp, "sift", kp)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(set.Keypoints, kps) {
		t.Errorf("%v: %d keypoints that are not the %d detected alone", dp, set.Len(), len(kps))
	}
	if !equal(m, rows) {
		t.Errorf("%v: the %d rows are not those extracted alone", dp, m.Rows)
	}
}

func TestOnePassEqualsDetectThenExtract(t *testing.T) {
	img := detecttest.Textured(200, 160, 1).Image(t)
	sameTogether(t, img, detectorParams(t), params(t, "sift"))
	sameTogether(t, img, detectorParams(t, "nfeatures", int64(25)), params(t, "sift"))
	sameTogether(t, img, detectorParams(t, "contrast_threshold", 0.0, "edge_threshold", 1e6), params(t, "sift"))
	for _, layers := range []int64{1, 2, 5} {
		for _, sigma := range []float64{0.5, 2.2, 10} {
			sameTogether(t, img, detectorParams(t, "n_octave_layers", layers, "sigma", sigma),
				params(t, "sift", "n_octave_layers", layers, "sigma", sigma))
		}
	}
}

func TestOnePassOverAnImageWithoutTextureGivesNothing(t *testing.T) {
	sameTogether(t, detecttest.Grey(64, 64, func(int, int) float64 { return 5 }).Image(t), detectorParams(t), params(t, "sift"))
}

func TestOnePassEqualsDetectThenExtractOnRealImages(t *testing.T) {
	for scene, file := range map[string]string{"v_graffiti": "1.png", "v_dogman": "3.ppm", "i_oxbikes": "6.png"} {
		sameTogether(t, detecttest.Real(t, scene, file), detectorParams(t), params(t, "sift"))
	}
}

func TestOnlySIFTOfOneScaleSpaceCanShare(t *testing.T) {
	img := detecttest.Textured(64, 64, 1).Image(t)
	for _, c := range []struct {
		name           string
		detector, kind string
		dp, kp         keypoints.Params
		want           bool
	}{
		{"defaults", "sift", "sift", detectorParams(t), params(t, "sift"), true},
		{"other thresholds", "sift", "sift", detectorParams(t, "nfeatures", int64(9), "edge_threshold", 5.0), params(t, "sift"), true},
		{"both of four layers", "sift", "sift", detectorParams(t, "n_octave_layers", int64(4)), params(t, "sift", "n_octave_layers", int64(4)), true},
		{"layers differ", "sift", "sift", detectorParams(t, "n_octave_layers", int64(4)), params(t, "sift"), false},
		{"sigma differs", "sift", "sift", detectorParams(t), params(t, "sift", "sigma", 1.5), false},
		{"pyramid by company", "sift", "sift", detectorParams(t), params(t, "sift", "pyramid", "opencv"), false},
		{"other planes", "sift", "rgbsift", detectorParams(t), params(t, "rgbsift"), false},
		{"other detector", "surf", "sift", detectorParams(t), params(t, "sift"), false},
	} {
		if got := extract.CanShare(c.detector, c.dp, c.kind, c.kp); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
		if _, _, err := extract.DetectAndDescribe(img, c.detector, c.dp, c.kind, c.kp); (err == nil) != c.want {
			t.Errorf("%s: error %v", c.name, err)
		}
	}
	if _, _, err := extract.DetectAndDescribe(detect.Image{}, "sift", detectorParams(t), "sift", params(t, "sift")); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("image never decoded: error %v", err)
	}
}
