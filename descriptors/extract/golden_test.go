package extract_test

import (
	"math"
	"strings"
	"testing"

	"descbench/descriptors/extract"
	"descbench/eval/must"
	"descbench/keypoints/detect"
	"descbench/keypoints/detect/detecttest"
)

// golden holds what C++ programs on OpenCV 4.6.0, without Go, gave for the grey
// image of v_graffiti/1.png: the number of keypoints and of rows, and the sum
// of the elements of the rows, numbered from 0 and bits counting 0 or 1,
// element j of row i weighted by (31i + 17j) mod 101. SURF has golden rows of
// its own, beside package surf.
var golden = []struct {
	kind, detector          string
	detectorParams, changes string
	keypoints, described    int
	sum                     float64
}{
	{"orb", "orb", "", "", 500, 500, 3314257},
	{"orb", "orb", "scale_factor=1.4 nlevels=5 edge_threshold=20 patch_size=25", "scale_factor=1.4 nlevels=5 edge_threshold=20 patch_size=25", 500, 500, 3211650},
	{"brisk", "brisk", "", "", 3523, 3523, 47094143},
	{"brisk", "brisk", "pattern_scale=1.5", "pattern_scale=1.5", 3153, 3153, 41675093},
	{"akaze", "akaze", "", "", 2420, 2420, 27018486},
	{"akaze", "akaze", "", "descriptor_size=200", 2420, 2420, 11614960},
	{"akaze", "akaze", "descriptor_type=mldb_upright diffusivity=weickert", "descriptor_type=mldb_upright diffusivity=weickert", 2470, 2470, 29761689},
	{"akaze", "akaze", "descriptor_type=kaze n_octaves=3 n_octave_layers=3", "descriptor_type=kaze n_octaves=3 n_octave_layers=3", 1655, 1655, 370775.618},
	{"akaze", "akaze", "descriptor_type=kaze_upright", "descriptor_type=kaze_upright", 2256, 2256, 483851.025},
	{"kaze", "kaze", "", "", 3155, 3155, 694418.926},
	{"kaze", "kaze", "threshold=0.002 n_octaves=3 n_octave_layers=3 diffusivity=pm_g1", "extended=true upright=true threshold=0.002 n_octaves=3 n_octave_layers=3 diffusivity=pm_g1", 1378, 1378, 365227.426},
	{"kaze", "kaze", "", "gradients=compute", 3155, 3155, 695721.295},
	{"brisk", "sift", "", "", 2674, 2510, 32913132},
	{"orb", "fast", "threshold=25", "", 1862, 1548, 9848680},
}

// Between processors a few bits and the last digits differ, hence the tolerance.
func TestRowsOfARealImageAreThoseOfOpenCVWithoutGo(t *testing.T) {
	img := detecttest.Real(t, "v_graffiti", "1.png")
	if !strings.HasPrefix(detect.OpenCVVersion(), "4.6.") {
		t.Skipf("the values are OpenCV 4.6's, this is %s", detect.OpenCVVersion())
	}
	for _, g := range golden {
		dp, kp := detectorWith(t, g.detector, g.detectorParams), params(t, g.kind, g.changes)
		set := must.Get(extract.Detect(img, g.detector, dp))(t)
		m := mustExtract(t, img, set.Keypoints, g.kind, kp)
		described, sum := 0, 0.0
		for i := range m.Rows {
			if m.IsInvalid(i) {
				continue
			}
			for j, v := range numbers(m, i) {
				sum += v * float64((described*31+j*17)%101)
			}
			described++
		}
		if m.Rows != g.keypoints || described != g.described || math.Abs(sum-g.sum) > 5e-5*g.sum {
			t.Errorf("%s (%s) of %s (%s): %d keypoints, %d rows, sum %.9g; want %d, %d, %.9g",
				g.kind, g.changes, g.detector, g.detectorParams, m.Rows, described, sum, g.keypoints, g.described, g.sum)
		}
	}
}
