package extract_test

import (
	"bytes"
	"math"
	"slices"
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

// A quarter turn maps pixels onto pixels. OpenCV's doubled image is displaced
// by a quarter pixel, which does not turn with it, so the descriptors are equal
// but for rounding only in the pyramid that starts at the image itself.
func TestTurningImageAndKeypointsTogetherKeepsTheDescriptors(t *testing.T) {
	pic := detecttest.Textured(161, 121, 5)
	turned := detecttest.NewPicture(pic.H, pic.W, func(x, y int) (b, g, r float64) { return pic.At(y, pic.H-1-x) })
	var kps, turnedKps []keypoints.Keypoint
	for y := 30; y <= 90; y += 20 {
		for x := 30; x <= 130; x += 20 {
			k := at(float32(x), float32(y), 8, 0)
			k.Angle = float32((x*7 + y*13) % 360)
			kps = append(kps, k)
			k.X, k.Y = float32(pic.H-1-y), float32(x)
			k.Angle = float32(math.Mod(float64(k.Angle)+90, 360))
			turnedKps = append(turnedKps, k)
		}
	}
	for _, c := range []struct {
		pyramid string
		least   float64 // cosine of the angle between the descriptors
	}{{"opencv", 0.999}, {"full", 0.9}} {
		p := params(t, "sift", "pyramid", c.pyramid)
		before := mustExtract(t, pic.Image(t), kps, "sift", p)
		after := mustExtract(t, turned.Image(t), turnedKps, "sift", p)
		for i := range kps {
			if got := cosine(row(before, i), row(after, i)); got < c.least {
				t.Errorf("pyramid %s, keypoint %d: cosine %.4f, want at least %v", c.pyramid, i, got, c.least)
			}
		}
		if got := cosine(row(before, 0), row(after, 1)); got > 0.9 {
			t.Errorf("pyramid %s: different places have cosine %.4f, so this shows nothing", c.pyramid, got)
		}
	}
}

func TestGainAndOffsetOfIntensityHardlyChangeTheDescriptors(t *testing.T) {
	pic := detecttest.Textured(160, 120, 6)
	darker := detecttest.NewPicture(pic.W, pic.H, func(x, y int) (b, g, r float64) {
		b, g, r = pic.At(x, y)
		return 30 + b/2, 30 + g/2, 30 + r/2
	})
	img := pic.Image(t)
	kps := mustDetect(t, img, detectorParams(t))
	before := mustExtract(t, img, kps, "sift", params(t, "sift"))
	after := mustExtract(t, darker.Image(t), kps, "sift", params(t, "sift"))
	for i := range kps {
		if got := cosine(row(before, i), row(after, i)); got < 0.97 {
			t.Errorf("keypoint %d, %+v: cosine %.4f", i, kps[i], got)
		}
	}
}

func TestEveryParameterOfTheDescriptorReachesOpenCV(t *testing.T) {
	img := detecttest.Textured(160, 120, 7).Image(t)
	k := []keypoints.Keypoint{at(80, 60, 10, 0)}
	base := mustExtract(t, img, k, "sift", params(t, "sift"))
	for name, value := range map[string]any{"n_octave_layers": int64(4), "sigma": 1.9, "pyramid": "opencv"} {
		if got := mustExtract(t, img, k, "sift", params(t, "sift", name, value)); bytes.Equal(got.Uint8, base.Uint8) {
			t.Errorf("%s=%v changes nothing", name, value)
		}
	}
}

// hpatches-benchmark's extract_opencv_sift.py passes cv2.KeyPoint() with pt = (32.5,
// 32.5) and size = 65/5.303 to SIFT's compute, one patch at a time; its angle is -1
// and its octave 0 by default.
func TestThePatchBenchmarksOpenCVScriptIsRepeated(t *testing.T) {
	script := []keypoints.Keypoint{{X: 32.5, Y: 32.5, Size: 65 / 5.303, Angle: -1, ClassID: -1}}
	p := params(t, "sift", "pyramid", "opencv")
	p[descriptors.OpenCVAngle] = true
	upright := 0
	for seed := range uint64(20) {
		img := detecttest.Textured(65, 65, seed).Image(t)
		raw := rawSIFT(t, img, script)[0]
		if !isRaw(row(mustExtract(t, img, script, "sift", p), 0), raw) {
			t.Errorf("patch %d: not OpenCV's row", seed)
		}
		if isRaw(row(mustExtract(t, img, script, "sift", params(t, "sift", "pyramid", "opencv")), 0), raw) {
			upright++
		}
	}
	if upright == 20 {
		t.Error("upright keypoints have the same rows, so this shows nothing")
	}
}

func TestRowsFollowTheOrderOfTheKeypoints(t *testing.T) {
	img := detecttest.Textured(160, 120, 8).Image(t)
	kps := mustDetect(t, img, detectorParams(t))
	kps = append(kps, kps[:5]...) // equal keypoints have a row each
	forward := mustExtract(t, img, kps, "sift", params(t, "sift"))
	slices.Reverse(kps)
	backward := mustExtract(t, img, kps, "sift", params(t, "sift"))
	distinct := map[string]bool{}
	for i := range kps {
		if !bytes.Equal(row(forward, i), row(backward, len(kps)-1-i)) {
			t.Errorf("row %d is not that of its keypoint", i)
		}
		distinct[string(row(forward, i))] = true
	}
	if len(distinct) < len(kps)/2 {
		t.Errorf("only %d different rows of %d, so this shows nothing", len(distinct), len(kps))
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
