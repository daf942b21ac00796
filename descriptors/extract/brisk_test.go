package extract_test

import (
	"math"
	"math/bits"
	"testing"

	"descbench/keypoints"
	"descbench/keypoints/detect/detecttest"
)

// scene returns a picture of fixed blobs, enlarged s times.
func scene(w, h int, s float64) detecttest.Picture {
	return detecttest.Grey(int(float64(w)*s), int(float64(h)*s), func(px, py int) float64 {
		x, y := (float64(px)+0.5)/s-0.5, (float64(py)+0.5)/s-0.5
		v := 128.0
		for i := range 250 {
			cx, cy := float64(i*7919%w), float64(i*104729%h)
			radius := 3 + float64(i%5)
			v += float64(60-i%3*60) * math.Exp(-(math.Pow(x-cx, 2)+math.Pow(y-cy, 2))/(2*radius*radius))
		}
		return v
	})
}

// BRISK and SURF measure the size in pixels of the image, so that a keypoint
// scaled with the image keeps its descriptor.
func TestScalingImageAndKeypointsTogetherKeepsTheDescriptors(t *testing.T) {
	const s = 1.7
	var kps, scaled []keypoints.Keypoint
	for y := 60; y < 140; y += 13 {
		for x := 60; x < 180; x += 13 {
			k := keypoints.Keypoint{X: float32(x), Y: float32(y), Size: 14, Angle: -1}
			kps = append(kps, k)
			k.X, k.Y, k.Size = (k.X+0.5)*s-0.5, (k.Y+0.5)*s-0.5, k.Size*s
			scaled = append(scaled, k)
		}
	}
	one, other := scene(240, 200, 1).Image(t), scene(240, 200, s).Image(t)

	a, b := mustExtract(t, one, kps, "brisk", params(t, "brisk")), mustExtract(t, other, scaled, "brisk", params(t, "brisk"))
	near, far := 0, 0
	for i := range kps {
		if a.IsInvalid(i) || b.IsInvalid(i) {
			t.Fatalf("BRISK: keypoint %d is invalid", i)
		}
		next := (i + len(kps)/2) % len(kps)
		for n, v := range row(a, i) {
			near += bits.OnesCount8(v ^ row(b, i)[n])
			far += bits.OnesCount8(v ^ row(b, next)[n])
		}
	}
	if near > 512*len(kps)/8 || far < 2*near {
		t.Errorf("BRISK: of 512 bits %d differ for the same place, %d for another", near/len(kps), far/len(kps))
	}

	a, b = mustExtract(t, one, kps, "surf", params(t, "surf")), mustExtract(t, other, scaled, "surf", params(t, "surf"))
	good := 0
	for i := range kps {
		if squared(numbers(a, i), numbers(b, i)) < 0.1 { // a cosine of 0.95
			good++
		}
	}
	if good < len(kps)*9/10 {
		t.Errorf("SURF: of %d places only %d keep their descriptor", len(kps), good)
	}
}

func TestBRISKDropsKeypointsWithoutRoomAndKeepsTheirRows(t *testing.T) {
	img := cornered(200, 160, 1).Image(t)
	var kps []keypoints.Keypoint
	for x := 0; x <= 200; x += 4 {
		kps = append(kps, keypoints.Keypoint{X: float32(x), Y: 80, Size: 12})
	}
	m := mustExtract(t, img, kps, "brisk", params(t, "brisk"))
	// The pattern's outermost ring has radius 10.8·0.85 for size 7.2 and grows
	// with it; its samples are blurred (Leutenegger et al., section 3.2.1).
	ring := 10.8 * 0.85 * 12 / 7.2
	for i, k := range kps {
		room := math.Min(float64(k.X), 200-float64(k.X))
		if room < ring && !m.IsInvalid(i) || room > 1.5*ring+4 && m.IsInvalid(i) {
			t.Errorf("keypoint at x = %v, with a pattern of %.1f px: invalid %v", k.X, ring, m.IsInvalid(i))
		}
	}
	if m.CountInvalid() == 0 || m.CountInvalid() == m.Rows {
		t.Errorf("%d of %d rows are invalid", m.CountInvalid(), m.Rows)
	}
	none := mustExtract(t, img, kps[:2], "brisk", params(t, "brisk"))
	if none.CountInvalid() != 2 {
		t.Errorf("%d of 2 keypoints at the border are invalid", none.CountInvalid())
	}
}
