package detect_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"descbench/eval/must"
	"descbench/keypoints"
	"descbench/keypoints/detect"
	"descbench/keypoints/detect/detecttest"
)

// ofOpenCV returns the detectors of this package: all but SURF, whose tests are
// those of package extract.
func ofOpenCV() []keypoints.Detector {
	return slices.DeleteFunc(slices.Clone(keypoints.Detectors()), func(d keypoints.Detector) bool { return d.Name == "surf" })
}

// withParams returns a detector's defaults, changed as "name=value name=value"
// says.
func withParams(t *testing.T, detector, changes string) keypoints.Params {
	t.Helper()
	d, known := keypoints.FindDetector(detector)
	if !known {
		t.Fatalf("no detector %q", detector)
	}
	return detecttest.Params(t, d.Params, changes)
}

// found returns what a detector finds with its defaults, changed likewise.
func found(t *testing.T, img detect.Image, detector, changes string) []keypoints.Keypoint {
	t.Helper()
	set := must.Get(detect.Detect(img, detector, withParams(t, detector, changes)))(t)
	return set.Keypoints
}

// noisy returns a picture with detail for every detector: blobs, and noise
// with the sharp corners that the textured picture lacks.
func noisy(t *testing.T, w, h int) detect.Image {
	base := detecttest.Textured(w, h, 1)
	return detecttest.NewPicture(w, h, func(x, y int) (b, g, r float64) {
		b, g, r = base.At(x, y)
		d := float64((x/5*7919+y/5*104729)%97) - 48
		return b + d, g + d, r + d
	}).Image(t)
}

func TestEveryParameterOfEveryDetectorReachesIt(t *testing.T) {
	img := noisy(t, 320, 240)
	changes := map[string]string{
		"sift":  "nfeatures=20 n_octave_layers=4 contrast_threshold=0.08 edge_threshold=4 sigma=1.9",
		"orb":   "nfeatures=77 scale_factor=1.5 nlevels=3 edge_threshold=40 first_level=1 score_type=fast_score patch_size=21 fast_threshold=50",
		"akaze": "descriptor_type=kaze threshold=0.01 n_octaves=1 n_octave_layers=3 diffusivity=weickert",
		"kaze":  "threshold=0.01 n_octaves=1 n_octave_layers=3 diffusivity=pm_g1",
		"brisk": "thresh=50 octaves=1 pattern_scale=2.5",
		"fast":  "threshold=30 nonmax_suppression=false detector_type=type_7_12",
		"agast": "threshold=30 nonmax_suppression=false detector_type=agast_7_12d",
		"gftt":  "max_corners=50 quality_level=0.9 min_distance=9 block_size=7 use_harris_detector=true",
		"mser":  "delta=9 min_area=300 max_area=900 max_variation=0.1 image=color",
	}
	special := map[string]string{ // by the setting without which those after it mean nothing
		"gftt use_harris_detector=true": "k=0.1",
		"mser image=color":              "min_area=300 max_area=900 min_diversity=0.6 max_evolution=20 area_threshold=1.2 min_margin=0.1 edge_blur_size=1",
	}
	changed := map[string]bool{}
	try := func(detector, always, changes string) {
		base := found(t, img, detector, always)
		if len(base) == 0 {
			t.Errorf("%s %s finds nothing", detector, always)
		}
		for _, change := range strings.Fields(changes) {
			if slices.Equal(found(t, img, detector, always+" "+change), base) {
				t.Errorf("%s %s: %s changes nothing", detector, always, change)
			}
			name, _, _ := strings.Cut(change, "=")
			changed[detector+" "+name] = true
		}
	}
	for detector, list := range changes {
		try(detector, "", list)
	}
	for detectorAlways, list := range special {
		detector, always, _ := strings.Cut(detectorAlways, " ")
		try(detector, always, list)
	}
	for _, d := range ofOpenCV() {
		for _, p := range d.Params {
			if !changed[d.Name+" "+p.Name] {
				t.Errorf("%s of %s was not tried", p.Name, d.Name)
			}
		}
	}
}

func TestEveryChoiceIsAnother(t *testing.T) {
	img := noisy(t, 320, 240)
	for _, d := range ofOpenCV() {
		for _, p := range d.Params {
			seen := map[string]string{}
			for _, choice := range p.Choices {
				var key strings.Builder
				for _, k := range found(t, img, d.Name, p.Name+"="+choice) {
					fmt.Fprintln(&key, k)
				}
				// An upright descriptor leaves as much room as a turned one.
				upright := p.Name == "descriptor_type" && strings.HasSuffix(choice, "_upright")
				if other, ok := seen[key.String()]; ok && !upright {
					t.Errorf("%s: %s=%s gives what %s gives", d.Name, p.Name, choice, other)
				}
				seen[key.String()] = choice
			}
		}
	}
}

func TestTheSmallestImageAndOneWithoutTextureAreLookedAtByEveryDetector(t *testing.T) {
	small := detecttest.Textured(detect.MinSide, detect.MinSide, 1).Image(t)
	narrow := detecttest.Textured(detect.MinSide, 90, 1).Image(t)
	flat := detecttest.Grey(120, 90, func(int, int) float64 { return 77 }).Image(t)
	for _, d := range ofOpenCV() {
		found(t, small, d.Name, "")
		found(t, narrow, d.Name, "")
		if kps := found(t, flat, d.Name, ""); len(kps) > 0 && d.Name != "mser" {
			t.Errorf("%s: %d keypoints in a flat image", d.Name, len(kps))
		}
	}
}

func TestEveryDetectorFindsTheSameFromManyGoroutinesAndAgain(t *testing.T) {
	img := noisy(t, 160, 120)
	for _, d := range ofOpenCV() {
		want := found(t, img, d.Name, "")
		if len(want) == 0 {
			t.Errorf("%s finds nothing", d.Name)
		}
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				got, err := detect.Detect(img, d.Name, keypoints.Defaults(d.Params))
				if err != nil || !slices.Equal(got.Keypoints, want) {
					t.Errorf("%s: %d keypoints, error %v; want the %d found alone", d.Name, got.Len(), err, len(want))
				}
			})
		}
		wg.Wait()
	}
}

func TestEveryKeypointIsFiniteAndInTheImage(t *testing.T) {
	img := noisy(t, 320, 240)
	for _, d := range ofOpenCV() {
		for i, k := range found(t, img, d.Name, "") {
			if !k.Finite() || k.X < 0 || k.X > 319.5 || k.Y < 0 || k.Y > 239.5 || k.Size <= 0 || k.Angle != -1 && (k.Angle < 0 || k.Angle > 360) {
				t.Errorf("%s: keypoint %d is %+v", d.Name, i, k)
			}
		}
	}
}

// A bright square on black, its edges a little soft: where they are sharp,
// neighbouring corners are equally strong and FAST keeps none of them.
func TestCornersOfASquareAreFoundAtItsCorners(t *testing.T) {
	const from, to = 40, 79
	inside := func(v int) float64 {
		return 1/(1+math.Exp(1.5*float64(from-v))) - 1/(1+math.Exp(1.5*float64(to-v)))
	}
	img := detecttest.Grey(120, 120, func(x, y int) float64 { return 20 + 200*inside(x)*inside(y) }).Image(t)
	for detector, changes := range map[string]string{
		"fast":  "",
		"agast": "",
		"gftt":  "max_corners=4 min_distance=10",
		"brisk": "octaves=0",
		"orb":   "nlevels=1 nfeatures=4 edge_threshold=20",
	} {
		kps := found(t, img, detector, changes)
		if len(kps) < 4 {
			t.Errorf("%s finds %d corners", detector, len(kps))
		}
		for _, corner := range [][2]float64{{from, from}, {to, from}, {from, to}, {to, to}} {
			if !slices.ContainsFunc(kps, func(k keypoints.Keypoint) bool {
				return math.Hypot(float64(k.X)-corner[0], float64(k.Y)-corner[1]) < 2.5
			}) {
				t.Errorf("%s: no keypoint at %v", detector, corner)
			}
		}
		for _, k := range kps {
			if math.Min(math.Abs(float64(k.X)-from), math.Abs(float64(k.X)-to)) > 3 || math.Min(math.Abs(float64(k.Y)-from), math.Abs(float64(k.Y)-to)) > 3 {
				t.Errorf("%s: keypoint at (%v, %v), which is no corner", detector, k.X, k.Y)
			}
		}
	}
}

func TestDetectRefusesParametersThatTheImageOrOpenCVCannotTake(t *testing.T) {
	img := detecttest.Textured(40, 30, 1).Image(t)
	for _, c := range []struct{ detector, params, want string }{
		{"orb", "nlevels=9 scale_factor=2", "detect orb: the image of 40×30 px has no pixels at level 5, set nlevels to at most 5"},
		{"brisk", "octaves=6", "detect brisk: the image of 40×30 px is too small for 6 octaves"},
		{"gftt", "quality_level=0", "detect gftt: OpenCV(4"}, // no config can ask for it
	} {
		_, err := detect.Detect(img, c.detector, withParams(t, c.detector, c.params))
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s %s: error %v, want one line with %q", c.detector, c.params, err, c.want)
		}
	}
	found(t, img, "orb", "nlevels=5 scale_factor=2")
	found(t, img, "brisk", "octaves=5")
}
