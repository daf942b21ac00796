package extract_test

import (
	"slices"
	"testing"

	"descbench/descriptors/extract"
	"descbench/eval/must"
	"descbench/keypoints"
	"descbench/keypoints/detect"
	"descbench/keypoints/detect/detecttest"
)

// sameTogether checks that one pass gives what two give.
func sameTogether(t *testing.T, img detect.Image, kind string, dp, kp keypoints.Params) {
	t.Helper()
	alone := must.Get(extract.Detect(img, kind, dp))(t)
	rows := mustExtract(t, img, alone.Keypoints, kind, kp)
	set, m, err := extract.DetectAndDescribe(img, kind, dp, kind, kp)
	must.Do(t, err)
	if !slices.Equal(set.Keypoints, alone.Keypoints) {
		t.Errorf("%s, %v: %d keypoints that are not the %d detected alone", kind, dp, set.Len(), alone.Len())
	}
	if !equal(m, rows) {
		t.Errorf("%s, %v, %v: the %d rows are not those extracted alone", kind, dp, kp, m.Rows)
	}
}

// bothWith lists parameters on which detector and descriptor agree.
var bothWith = []struct{ kind, detector, descriptor string }{
	{"sift", "", ""},
	{"sift", "nfeatures=25", ""},
	{"sift", "contrast_threshold=0 edge_threshold=1e6", ""},
	{"sift", "n_octave_layers=1 sigma=0.5", "n_octave_layers=1 sigma=0.5"},
	{"sift", "n_octave_layers=1 sigma=10", "n_octave_layers=1 sigma=10"},
	{"sift", "n_octave_layers=2 sigma=2.2", "n_octave_layers=2 sigma=2.2"},
	{"sift", "n_octave_layers=5 sigma=0.5", "n_octave_layers=5 sigma=0.5"},
	{"sift", "n_octave_layers=5 sigma=10", "n_octave_layers=5 sigma=10"},
	{"surf", "", ""},
	{"surf", "hessian_threshold=10 n_octaves=3 n_octave_layers=2 upright=true", "upright=true extended=true"},
	{"orb", "", ""},
	{"orb", "nfeatures=3000 scale_factor=1.37 nlevels=4 edge_threshold=0 score_type=fast_score patch_size=9 fast_threshold=5",
		"scale_factor=1.37 nlevels=4 edge_threshold=0 patch_size=9"},
	{"orb", "nfeatures=3000 scale_factor=1.05 nlevels=16 edge_threshold=3 patch_size=40", "scale_factor=1.05 nlevels=16 edge_threshold=3 patch_size=40"},
	{"brisk", "", ""},
	{"brisk", "thresh=10 octaves=0 pattern_scale=0.4", "pattern_scale=0.4"},
	{"brisk", "thresh=10 octaves=5 pattern_scale=1.7", "pattern_scale=1.7"},
	{"akaze", "", ""},
	{"akaze", "descriptor_type=kaze threshold=0.0001 n_octaves=2 n_octave_layers=3 diffusivity=pm_g1", "descriptor_type=kaze n_octaves=2 n_octave_layers=3 diffusivity=pm_g1"},
	{"akaze", "descriptor_type=kaze_upright threshold=0", "descriptor_type=kaze_upright"},
	{"akaze", "descriptor_type=mldb_upright", "descriptor_type=mldb_upright descriptor_size=61"},
	{"kaze", "", ""},
	{"kaze", "threshold=0.0001 n_octaves=2 n_octave_layers=3 diffusivity=weickert", "threshold=0.0001 n_octaves=2 n_octave_layers=3 diffusivity=weickert extended=true"},
}

func TestOnePassEqualsDetectThenExtractForEveryKindThatShares(t *testing.T) {
	img, small := cornered(240, 180, 1).Image(t), cornered(60, 40, 2).Image(t)
	flat := detecttest.Grey(64, 64, func(int, int) float64 { return 5 }).Image(t)
	for _, c := range bothWith {
		dp, kp := detectorWith(t, c.kind, c.detector), params(t, c.kind, c.descriptor)
		sameTogether(t, img, c.kind, dp, kp)
		sameTogether(t, small, c.kind, dp, kp)
		sameTogether(t, flat, c.kind, dp, kp)
	}
}

func TestOnlyDetectorAndDescriptorOfOneScaleSpaceCanShare(t *testing.T) {
	img := detecttest.Textured(64, 64, 1).Image(t)
	for _, c := range []struct {
		name, detector, kind string
		dp, kp               string
		want                 bool
	}{
		{"defaults", "sift", "sift", "", "", true},
		{"other thresholds", "sift", "sift", "nfeatures=9 edge_threshold=5", "", true},
		{"both of four layers", "sift", "sift", "n_octave_layers=4", "n_octave_layers=4", true},
		{"layers differ", "sift", "sift", "n_octave_layers=4", "", false},
		{"sigma differs", "sift", "sift", "", "sigma=1.5", false},
		{"pyramid by company", "sift", "sift", "", "pyramid=opencv", false},
		{"other planes", "sift", "rgbsift", "", "", false},
		{"mean of planes", "sift", "rgbsift_mean", "", "", false},
		{"upright", "sift", "usift", "", "", false},
		{"opponent planes", "sift", "opponentsift", "", "", false},
		{"other detector", "surf", "sift", "", "", false},
		{"detector that does not describe", "fast", "orb", "", "", false},
		{"SURF", "surf", "surf", "hessian_threshold=50", "extended=true", true},
		{"one upright", "surf", "surf", "upright=true", "", false},
		{"ORB", "orb", "orb", "nfeatures=70", "", true},
		{"other pyramid", "orb", "orb", "scale_factor=1.3", "", false},
		{"enlarged level", "orb", "orb", "first_level=1", "first_level=1", false},
		{"BRISK", "brisk", "brisk", "thresh=20", "", true},
		{"other pattern", "brisk", "brisk", "", "pattern_scale=1.1", false},
		{"AKAZE", "akaze", "akaze", "threshold=0.1", "descriptor_size=99", true},
		{"other border", "akaze", "akaze", "", "descriptor_type=kaze", false},
		{"KAZE", "kaze", "kaze", "", "extended=true", true},
		{"KAZE without angles", "kaze", "kaze", "", "upright=true", false},
		{"gradients of compute", "kaze", "kaze", "", "gradients=compute", false},
	} {
		dp, kp := detectorWith(t, c.detector, c.dp), params(t, c.kind, c.kp)
		if got := extract.CanShare(c.detector, dp, c.kind, kp); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
		if _, _, err := extract.DetectAndDescribe(img, c.detector, dp, c.kind, kp); (err == nil) != c.want {
			t.Errorf("%s: error %v", c.name, err)
		}
	}
	for want, run := range map[string]func() error{
		"detect and describe sift: image is closed or was never decoded": func() error {
			_, _, err := extract.DetectAndDescribe(detect.Image{}, "sift", detectorWith(t, "sift", ""), "sift", params(t, "sift"))
			return err
		},
		"detect and describe orb: the image of 64×64 px has no pixels at level 7": func() error {
			_, _, err := extract.DetectAndDescribe(img, "orb", detectorWith(t, "orb", "scale_factor=2"), "orb", params(t, "orb", "scale_factor=2"))
			return err
		},
	} {
		must.FailAbout(t, run(), want)
	}
}
