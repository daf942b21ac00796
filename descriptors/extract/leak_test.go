//go:build matprofile

// gocv counts its matrices only when it is compiled with the tag matprofile:
//
//	GOFLAGS="$GOFLAGS,matprofile" go test -run Matrix ./descriptors/extract

package extract_test

import (
	"bytes"
	"testing"

	"gocv.io/x/gocv"

	"descbench/descriptors"
	"descbench/descriptors/extract"
	"descbench/eval/must"
	"descbench/keypoints"
	"descbench/keypoints/detect"
	"descbench/keypoints/detect/detecttest"
)

func TestNoMatrixOfOpenCVIsLeftBehind(t *testing.T) {
	img := detecttest.Textured(160, 120, 1).Image(t)
	flat := detecttest.Grey(160, 120, func(int, int) float64 { return 3 }).Image(t)
	dp, kp := detectorWith(t, "sift", ""), params(t, "sift")
	kps := mustDetect(t, img, dp)
	unfit := params(t, "sift", "n_octave_layers=-2") // OpenCV throws

	runs := map[string]func(){
		"detect":               func() { mustDetect(t, img, dp) },
		"detect nothing":       func() { mustDetect(t, flat, dp) },
		"sift":                 func() { mustExtract(t, img, kps, "sift", kp) },
		"rgbsift":              func() { mustExtract(t, img, kps, "rgbsift", kp) },
		"nothing describable":  func() { mustExtract(t, img, []keypoints.Keypoint{at(-1, 0, 3, 0)}, "rgbsift", kp) },
		"one pass":             func() { extract.DetectAndDescribe(img, "sift", dp, "sift", kp) },
		"one pass for nothing": func() { extract.DetectAndDescribe(flat, "sift", dp, "sift", kp) },
		"OpenCV throws": func() {
			if _, err := extract.Extract(img, []keypoints.Keypoint{{X: 50, Y: 50, Size: 5}}, "sift", unfit); err == nil {
				t.Error("OpenCV takes -2 layers")
			}
		},
		"image": func() {
			img := must.Get(detect.NewImage(gocv.NewMatWithSize(20, 20, gocv.MatTypeCV8UC3)))(t)
			img.Close()
		},
		"unfit image": func() { detect.NewImage(gocv.NewMatWithSize(20, 20, gocv.MatTypeCV8UC1)) },
	}
	for _, d := range keypoints.Detectors() {
		runs["detect "+d.Name] = func() { extract.Detect(img, d.Name, keypoints.Defaults(d.Params)) }
	}
	for _, k := range descriptors.Kinds() {
		runs["try "+k.Name] = func() { extract.Try(k) }
		runs["one pass "+k.Name] = func() {
			if d := ownDetector(k.Name); d == k.Name {
				extract.DetectAndDescribe(img, d, detectorWith(t, d, ""), d, params(t, d))
			}
		}
		runs["nothing of "+k.Name] = func() { mustExtract(t, img, nil, k.Name, params(t, k.Name)) }
	}
	for name, run := range runs {
		before := gocv.MatProfile.Count()
		run()
		if left := gocv.MatProfile.Count() - before; left != 0 {
			var where bytes.Buffer
			gocv.MatProfile.WriteTo(&where, 1)
			t.Errorf("%s: %d matrices are left, of these:\n%s", name, left, &where)
		}
	}
}
