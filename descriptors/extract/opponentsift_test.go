package extract_test

import (
	"bytes"
	"math"
	"testing"

	"descbench/keypoints/detect/detecttest"
)

// The definition: O1 = (R-G)/√2, O2 = (R+G-2B)/√6, O3 = (R+G+B)/√3 of channels
// from 0 to 255, each range stretched to 0 to 255.
func TestOpponentSIFTIsSIFTOfTheOpponentColours(t *testing.T) {
	pic := detecttest.Textured(160, 120, 1)
	img := pic.Image(t)
	kps := mustDetect(t, img, detectorWith(t, "sift", ""))
	m := mustExtract(t, img, kps, "opponentsift", params(t, "opponentsift"))
	stretch := func(v, least, most float64) float64 { return 255 * (v - least) / (most - least) }
	for part, colour := range []func(b, g, r float64) float64{
		func(_, g, r float64) float64 { return stretch((r-g)/math.Sqrt2, -255/math.Sqrt2, 255/math.Sqrt2) },
		func(b, g, r float64) float64 {
			return stretch((r+g-2*b)/math.Sqrt(6), -510/math.Sqrt(6), 510/math.Sqrt(6))
		},
		func(b, g, r float64) float64 { return stretch((r+g+b)/math.Sqrt(3), 0, 765/math.Sqrt(3)) },
	} {
		// A hair above, so that halves are rounded up in spite of the roots.
		plane := detecttest.Grey(160, 120, func(x, y int) float64 { return colour(pic.At(x, y)) + 1e-9 }).Image(t)
		sift := mustExtract(t, plane, kps, "sift", params(t, "sift"))
		for i := range kps {
			if !bytes.Equal(row(m, i)[part*128:][:128], row(sift, i)) {
				t.Errorf("O%d: row %d", part+1, i)
			}
		}
	}
}

func TestTheMeanOfRGBSIFTIsTheMeanOfItsParts(t *testing.T) {
	img := detecttest.Textured(160, 120, 3).Image(t)
	kps := append(mustDetect(t, img, detectorWith(t, "sift", "")), at(-500, 5, 4, 0))
	rgb := mustExtract(t, img, kps, "rgbsift", params(t, "rgbsift"))
	mean := mustExtract(t, img, kps, "rgbsift_mean", params(t, "rgbsift_mean"))
	for i := range kps {
		for j := range 128 {
			want := (float64(row(rgb, i)[j]) + float64(row(rgb, i)[128+j]) + float64(row(rgb, i)[256+j])) / 3
			if got := mean.Float32[i*128+j]; got != float32(want) {
				t.Errorf("row %d, element %d: %v, want %v", i, j, got, want)
			}
		}
		if mean.IsInvalid(i) != (i == len(kps)-1) {
			t.Errorf("row %d: invalid %v", i, mean.IsInvalid(i))
		}
	}
}
