package extract_test

import (
	"math"
	"testing"

	"descbench/descriptors"
	"descbench/keypoints"
	"descbench/keypoints/detect/detecttest"
)

// On a ramp every gradient has the ramp's direction. The 4×4 histograms count
// directions from the keypoint's own, counter-clockwise in the image, in eight
// bins of 45° (Lowe, IJCV 2004, section 6.1).
func TestOnARampAllOfTheDescriptorIsInTheBinOfTheRampsDirection(t *testing.T) {
	for _, c := range []struct {
		name   string
		dx, dy float64
		angle  float32 // of the keypoint, degrees clockwise
		bin    int
	}{
		{"to the right", 2, 0, 0, 0},
		{"upwards", 0, -2, 0, 2},
		{"to the left", -2, 0, 0, 4},
		{"downwards", 0, 2, 0, 6},
		{"downwards, as the keypoint", 0, 2, 90, 0},
		{"to the right of a keypoint that points down", 2, 0, 90, 2},
		{"to the left, as the keypoint", -2, 0, 180, 0},
		{"upwards, as the keypoint", 0, -2, 270, 0},
	} {
		img := detecttest.Grey(81, 81, func(x, y int) float64 { return 128 + c.dx*float64(x-40) + c.dy*float64(y-40) }).Image(t)
		k := at(40, 40, 6, 0)
		k.Angle = c.angle
		m := mustExtract(t, img, []keypoints.Keypoint{k}, "sift", params(t, "sift"))
		for cell := range 16 {
			for bin, v := range row(m, 0)[cell*8:][:8] {
				if bin == c.bin && v < 50 || bin != c.bin && v > 2 {
					t.Errorf("%s: cell %d has %d in bin %d, want everything in bin %d", c.name, cell, v, bin, c.bin)
				}
			}
		}
	}
}

// hpatches-benchmark's extract_opencv_sift.py passes cv2.KeyPoint() with pt = (32.5,
// 32.5) and size = 65/5.303 to SIFT's compute, one patch at a time; its angle is -1
// and its octave 0 by default.
func TestThePatchBenchmarksOpenCVScriptIsRepeated(t *testing.T) {
	script := []keypoints.Keypoint{{X: 32.5, Y: 32.5, Size: 65 / 5.303, Angle: -1, ClassID: -1}}
	p := params(t, "sift", "pyramid=opencv")
	p[descriptors.OpenCVAngle] = true
	upright := 0
	for seed := range uint64(20) {
		img := detecttest.Textured(65, 65, seed).Image(t)
		raw := rawSIFT(t, img, script)[0]
		if !isRaw(row(mustExtract(t, img, script, "sift", p), 0), raw) {
			t.Errorf("patch %d: not OpenCV's row", seed)
		}
		if isRaw(row(mustExtract(t, img, script, "sift", params(t, "sift", "pyramid=opencv")), 0), raw) {
			upright++
		}
	}
	if upright == 20 {
		t.Error("upright keypoints have the same rows, so this shows nothing")
	}
}

func cosine(a, b []uint8) float64 {
	var ab, aa, bb float64
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		ab, aa, bb = ab+x*y, aa+x*x, bb+y*y
	}
	return ab / math.Sqrt(aa*bb)
}
