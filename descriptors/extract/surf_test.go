package extract_test

import (
	"math"
	"slices"
	"testing"

	"descbench/descriptors/surf"
	"descbench/internal/must"
	"descbench/keypoints"
)

// Package surf has OpenCV's golden values.
func TestSURFIsThatOfTheGoldenValues(t *testing.T) {
	img := cornered(240, 180, 1).Image(t)
	pixels := must.Get(img.Gray.DataPtrUint8())(t)
	gray := &surf.Gray{Pix: pixels, Width: 240, Height: 180, Stride: 240}
	for _, changes := range []string{"", "extended=true", "upright=true"} {
		p := kindWith(t, "surf", changes)
		kps := own(t, img, "surf")
		kps = append(kps, keypoints.Keypoint{X: 300, Y: 20, Size: 20}, keypoints.Keypoint{X: 100, Y: 20, Size: 3000})
		want := surf.Params{HessianThreshold: 100, NOctaves: 4, NOctaveLayers: 3, Extended: p.Bool("extended"), Upright: p.Bool("upright")}
		if found := foundBySURF(t, img, ""); !want.Upright && !slices.Equal(found, surf.Detect(gray, want)) {
			t.Errorf("%s: other keypoints than those of package surf", changes)
		}
		_, rows := surf.Describe(gray, kps, want)
		m := mustExtract(t, img, kps, "surf", p)
		for i := range kps {
			if m.IsInvalid(i) != (i >= len(kps)-2) {
				t.Errorf("%s: row %d: invalid %v", changes, i, m.IsInvalid(i))
			}
			for j, v := range numbers(m, i) {
				if math.Abs(v-float64(rows.Float32[i*m.Dim+j])) > 1e-3 {
					t.Fatalf("%s: row %d, element %d is %v, want %v", changes, i, j, v, rows.Float32[i*m.Dim+j])
				}
			}
		}
	}
}
