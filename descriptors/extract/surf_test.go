package extract_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"descbench/descriptors/surf"
	"descbench/eval/must"
	"descbench/keypoints"
	"descbench/keypoints/detect"
	"descbench/keypoints/detect/detecttest"
)

// Package surf has OpenCV's golden values, of this image too.
func TestSURFFindsWhatItsPackageFinds(t *testing.T) {
	img := detecttest.Real(t, "v_graffiti", "1.png")
	for _, upright := range []bool{false, true} {
		want := surf.Detect(grayOf(t, img), surf.Params{HessianThreshold: 400, NOctaves: 4, NOctaveLayers: 3, Upright: upright})
		if got := foundBySURF(t, img, fmt.Sprint("hessian_threshold=400 upright=", upright)); !slices.Equal(got, want) {
			t.Errorf("upright %v: %d keypoints, want %d", upright, len(got), len(want))
		}
	}
}

func grayOf(t *testing.T, img detect.Image) *surf.Gray {
	pixels := must.Get(img.Gray.DataPtrUint8())(t)
	return &surf.Gray{Pix: pixels, Width: img.Width(), Height: img.Height(), Stride: img.Width()}
}

func TestSURFIsThatOfTheGoldenValues(t *testing.T) {
	img := cornered(240, 180, 1).Image(t)
	gray := grayOf(t, img)
	for _, changes := range []string{"", "extended=true", "upright=true"} {
		p := kindWith(t, "surf", changes)
		kps := own(t, img, "surf")
		kps = append(kps, keypoints.Keypoint{X: 300, Y: 20, Size: 20}, keypoints.Keypoint{X: 100, Y: 20, Size: 3000})
		want := surf.Params{HessianThreshold: 100, NOctaves: 4, NOctaveLayers: 3, Extended: p.Bool("extended"), Upright: p.Bool("upright")}
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
