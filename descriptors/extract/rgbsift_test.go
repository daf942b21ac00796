package extract_test

import (
	"bytes"
	"testing"

	"descbench/keypoints/detect/detecttest"
)

func TestRGBSIFTIsSIFTOfTheRedTheGreenAndTheBlueChannelInThisOrder(t *testing.T) {
	pic := detecttest.Textured(160, 120, 2)
	img := pic.Image(t)
	kps := mustDetect(t, img, detectorWith(t, "sift", ""))
	rgb := mustExtract(t, img, kps, "rgbsift", params(t, "rgbsift"))
	for part, channel := range []func(b, g, r float64) float64{
		func(_, _, r float64) float64 { return r },
		func(_, g, _ float64) float64 { return g },
		func(b, _, _ float64) float64 { return b },
	} {
		plane := detecttest.Grey(160, 120, func(x, y int) float64 { return channel(pic.At(x, y)) }).Image(t)
		sift := mustExtract(t, plane, kps, "sift", params(t, "sift"))
		for i := range kps {
			if !bytes.Equal(row(rgb, i)[part*128:][:128], row(sift, i)) {
				t.Errorf("row %d, part %d", i, part)
			}
		}
	}
}

func TestAFlatChannelLeavesTheRowValid(t *testing.T) {
	pic := detecttest.Textured(160, 120, 3)
	red := detecttest.NewPicture(160, 120, func(x, y int) (b, g, r float64) { _, _, r = pic.At(x, y); return 90, 50, r }).Image(t)
	kps := mustDetect(t, red, detectorWith(t, "sift", ""))
	m := mustExtract(t, red, kps, "rgbsift", params(t, "rgbsift"))
	if m.CountInvalid() != 0 {
		t.Errorf("%d of %d rows are invalid", m.CountInvalid(), m.Rows)
	}
	for i := range kps {
		if bytes.Equal(row(m, i)[:128], make([]uint8, 128)) || !bytes.Equal(row(m, i)[128:], make([]uint8, 256)) {
			t.Errorf("row %d: want texture in the red part only", i)
		}
	}
}
