package detect_test

import (
	"fmt"
	"testing"

	"descbench/keypoints"
	"descbench/keypoints/detect"
	"descbench/keypoints/detect/detecttest"
)

// A detector is limited exactly if a larger limit gives more keypoints.
func TestADetectorIsLimitedIfALargerLimitGivesMoreKeypoints(t *testing.T) {
	img := detecttest.Textured(300, 240, 5).Image(t)
	const plenty = 100_000
	for _, name := range []string{"sift", "orb", "gftt"} {
		d, _ := keypoints.FindDetector(name)
		param, _ := d.Max(keypoints.Defaults(d.Params))
		found := func(limit int) keypoints.Set {
			set, err := detect.Detect(img, name, detecttest.Params(t, d.Params, fmt.Sprintf("%s=%d", param, limit)))
			if err != nil {
				t.Fatal(err)
			}
			return set
		}
		all := found(plenty).Len()
		seen := map[bool]int{}
		for _, limit := range []int{20, all / 2, all - 1, all + 1, 2 * all, 5 * all, 20 * all, plenty} {
			set := found(limit)
			limited := set.Len() < all
			if got := d.Limited(set, detecttest.Params(t, d.Params, fmt.Sprintf("%s=%d", param, limit))); got != limited {
				t.Errorf("%s, %s %d: %d of %d keypoints, limited %v", name, param, limit, set.Len(), all, got)
			}
			seen[limited]++
		}
		if seen[true] < 2 || seen[false] < 2 {
			t.Errorf("%s: %v, so this shows too little", name, seen)
		}
	}
	for _, d := range keypoints.Detectors() {
		if _, max := d.Max(keypoints.Defaults(d.Params)); max == 0 && d.Limited(keypoints.Set{}, keypoints.Defaults(d.Params)) {
			t.Errorf("%s has no limit by default, but is limited", d.Name)
		}
	}
}
