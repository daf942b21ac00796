package extract_test

import (
	"slices"
	"strings"
	"testing"

	"descbench/descriptors/extract"
	"descbench/eval/must"
	"descbench/keypoints"
	"descbench/keypoints/detect"
	"descbench/keypoints/detect/detecttest"
)

// foundBySURF returns what the surf detector finds with its defaults, changed as
// "name=value name=value" says.
func foundBySURF(t *testing.T, img detect.Image, changes string) []keypoints.Keypoint {
	t.Helper()
	set := must.Get(extract.Detect(img, "surf", detectorWith(t, "surf", changes)))(t)
	return set.Keypoints
}

func TestEveryParameterOfTheSURFDetectorReachesIt(t *testing.T) {
	img := cornered(320, 240, 1).Image(t)
	base := foundBySURF(t, img, "")
	changes := strings.Fields("hessian_threshold=900 n_octaves=2 n_octave_layers=2 upright=true")
	for _, change := range changes {
		if slices.Equal(foundBySURF(t, img, change), base) {
			t.Errorf("%s changes nothing", change)
		}
	}
	if all := detectorWith(t, "surf", ""); len(all) != len(changes) {
		t.Errorf("%d parameters were tried of %v", len(changes), all)
	}
}

func TestSURFLooksAtTheSmallestImageAndOneWithoutTexture(t *testing.T) {
	foundBySURF(t, detecttest.Textured(detect.MinSide, detect.MinSide, 1).Image(t), "")
	foundBySURF(t, detecttest.Textured(detect.MinSide, 90, 1).Image(t), "")
	if kps := foundBySURF(t, detecttest.Grey(120, 90, func(int, int) float64 { return 77 }).Image(t), ""); len(kps) > 0 {
		t.Errorf("%d keypoints in a flat image", len(kps))
	}
	small := detecttest.Textured(detect.MinSide-1, 90, 1).Image(t)
	if _, err := extract.Detect(small, "surf", detectorWith(t, "surf", "")); err == nil || !strings.HasPrefix(err.Error(), "detect surf: image is 7×90 px") {
		t.Errorf("error %v for an image that is too small", err)
	}
}
