package extract_test

import (
	"sync"
	"testing"

	"descbench/descriptors/extract"
	"descbench/keypoints/detect/detecttest"
)

func TestExtractionIsTheSameFromManyGoroutines(t *testing.T) {
	img := detecttest.Textured(160, 120, 1).Image(t)
	kps := mustDetect(t, img, detectorParams(t))
	for _, kind := range []string{"sift", "rgbsift"} {
		want := mustExtract(t, img, kps, kind, params(t, kind))
		p := params(t, kind)
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				if got, err := extract.Extract(img, kps, kind, p); err != nil || !equal(got, want) {
					t.Errorf("%s: other rows than alone, or error %v", kind, err)
				}
			})
		}
		wg.Wait()
	}
}
