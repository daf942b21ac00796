package extract_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"gocv.io/x/gocv"

	"descbench/descriptors"
	"descbench/descriptors/extract"
	"descbench/eval/must"
	"descbench/keypoints"
	"descbench/keypoints/detect"
	"descbench/keypoints/detect/detecttest"
)

func TestInOpenCVARowDependsOnItsCompany(t *testing.T) {
	img := detecttest.Textured(160, 120, 1).Image(t)
	subject, company := at(80, 60, 10, 0), at(30, 30, 3, -1)
	alone := rawSIFT(t, img, []keypoints.Keypoint{subject})[0]
	together := rawSIFT(t, img, []keypoints.Keypoint{subject, company})[0]

	kps := []keypoints.Keypoint{subject}
	opencv := row(mustExtract(t, img, kps, "sift", params(t, "sift", "pyramid=opencv")), 0)
	full := row(mustExtract(t, img, kps, "sift", params(t, "sift")), 0)
	if isRaw(full, alone) {
		t.Fatal("company changes nothing, so this shows nothing")
	}
	if !isRaw(opencv, alone) {
		t.Error("pyramid opencv: not OpenCV's row of the keypoint alone")
	}
	if !isRaw(full, together) {
		t.Error("pyramid full: not OpenCV's row in company of the doubled image")
	}
	both := mustExtract(t, img, []keypoints.Keypoint{subject, company}, "sift", params(t, "sift", "pyramid=opencv"))
	if !isRaw(row(both, 0), together) {
		t.Error("pyramid opencv: not OpenCV's row in company of the doubled image")
	}
}

func TestGocvPanicsWithoutKeypointsAndExtractDoesNot(t *testing.T) {
	img := detecttest.Textured(64, 64, 1).Image(t)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("gocv takes an empty list now: the special case can go")
			}
		}()
		sift := gocv.NewSIFT()
		defer sift.Close()
		sift.Compute(img.Gray, gocv.Mat{}, nil)
	}()
	for _, k := range descriptors.Kinds() {
		m := mustExtract(t, img, nil, k.Name, params(t, k.Name))
		if m.Rows != 0 || m.Dim != k.Dim || m.Type != k.Type || m.CountInvalid() != 0 {
			t.Errorf("%s of nothing: %+v", k.Name, m)
		}
	}
}

// forbidden lists keypoints that a 200×160 image must not be described at, beside those that
// no kind describes (TestKeypointsThatCannotBeDescribedKeepInvalidRowsOfEveryKind).
// Under valgrind, with OPENCV_BUFFER_AREA_ALWAYS_SAFE=1, OpenCV 4.6.0 writes
// beside its buffers for those marked so.
func forbidden() map[string]keypoints.Keypoint {
	with := func(change func(*keypoints.Keypoint)) keypoints.Keypoint {
		k := at(50, 50, 10, 0)
		change(&k)
		return k
	}
	nan := float32(math.NaN())
	return map[string]keypoints.Keypoint{
		"small size (writes)":                  with(func(k *keypoints.Keypoint) { k.Size = 0.3 }),
		"window of less than 128 px":           with(func(k *keypoints.Keypoint) { k.Size = 1.06 }),
		"small size for its octave (writes)":   at(50, 50, 2, 3),
		"size beyond the image":                with(func(k *keypoints.Keypoint) { k.Size = 4097 }),
		"size beyond 32 bits (writes)":         with(func(k *keypoints.Keypoint) { k.Size = 1e9 }),
		"window left of the image":             with(func(k *keypoints.Keypoint) { k.X = -300 }),
		"window right of the image":            with(func(k *keypoints.Keypoint) { k.X = 500 }),
		"x beyond what octaves hold":           with(func(k *keypoints.Keypoint) { k.X = -2e6 }),
		"y beyond what octaves hold":           with(func(k *keypoints.Keypoint) { k.Y = 2e6 }),
		"NaN angle":                            with(func(k *keypoints.Keypoint) { k.Angle = nan }),
		"angle below the circle (writes)":      with(func(k *keypoints.Keypoint) { k.Angle = -30 }),
		"angle beyond the circle":              with(func(k *keypoints.Keypoint) { k.Angle = 1100 }),
		"NaN response":                         with(func(k *keypoints.Keypoint) { k.Response = nan }),
		"octave -5 (throws)":                   at(50, 50, 0.2, -5),
		"window of less than 128 px, enlarged": at(50, 50, 0.265, -2),
		"size beyond the enlarged part":        at(50, 50, 16.1, -2),
		"octave -128 (throws)":                 at(50, 50, 10, -128),
		"octave of 5 px":                       at(50, 50, 320, 5),
		"octave of 1 px (writes)":              at(50, 50, 1280, 7),
		"octave of less than a pixel (throws)": at(50, 50, 10, 8),
		"octave 127 (throws)":                  at(50, 50, 10, 127),
		"layer 6 (throws)":                     with(func(k *keypoints.Keypoint) { k.Octave = 6 << 8 }),
		"layer 255 (throws)":                   with(func(k *keypoints.Keypoint) { k.Octave = 255 << 8 }),
	}
}

func TestAKeypointThatOpenCVMustNotSeeKeepsAnInvalidRow(t *testing.T) {
	img := detecttest.Textured(200, 160, 2).Image(t)
	good := mustDetect(t, img, detectorWith(t, "sift", ""))
	if len(good) < 30 {
		t.Fatalf("only %d keypoints to mix the others with", len(good))
	}
	for _, kind := range []string{"sift", "rgbsift"} {
		if want := mustExtract(t, img, good, kind, params(t, kind)); want.CountInvalid() != 0 {
			t.Fatalf("%d detected keypoints are invalid", want.CountInvalid())
		}
		checkAmongGood(t, img, kind, params(t, kind), good, forbidden())
		var bad []keypoints.Keypoint
		for _, k := range forbidden() {
			bad = append(bad, k)
		}
		if only := mustExtract(t, img, bad, kind, params(t, kind)); only.CountInvalid() != len(bad) {
			t.Errorf("%s: %d of %d bad keypoints alone are invalid", kind, only.CountInvalid(), len(bad))
		}
	}
}

func TestKeypointsJustInsideTheBoundsAreDescribed(t *testing.T) {
	img := detecttest.Textured(200, 160, 2).Image(t)
	for name, c := range map[string]struct {
		layers int64
		k      keypoints.Keypoint
	}{
		"smallest":            {3, at(50, 50, 1.0625, 0)},
		"smallest, doubled":   {3, at(50, 50, 0.53125, -1)},
		"largest":             {3, at(50, 50, 4096, 0)},
		"smallest, enlarged":  {3, at(50, 50, 0.265625, -2)},
		"largest, enlarged":   {3, at(50, 50, 16, -2)},
		"enlarged by 8":       {3, at(50, 50, 0.2, -4)},
		"octave of 10 px":     {3, at(50, 50, 60, 4)},
		"upper left":          {3, at(0, 0, 10, 0)},
		"lower right":         {3, at(200, 160, 10, 0)},
		"full circle":         {3, keypoints.Keypoint{X: 50, Y: 50, Size: 10, Angle: 360, Octave: 1 << 8}},
		"layer 0":             {3, keypoints.Keypoint{X: 50, Y: 50, Size: 10}},
		"layer 5 of three":    {3, keypoints.Keypoint{X: 50, Y: 50, Size: 10, Octave: 5 << 8}},
		"layer 7 of five":     {5, keypoints.Keypoint{X: 50, Y: 50, Size: 10, Octave: 7 << 8}},
		"offset of the layer": {3, keypoints.Keypoint{X: 50, Y: 50, Size: 10, Octave: 200<<16 | 1<<8}},
	} {
		for _, pyramid := range []string{"full", "opencv"} {
			p := params(t, "sift", fmt.Sprint("n_octave_layers=", c.layers), "pyramid="+pyramid)
			if m := mustExtract(t, img, []keypoints.Keypoint{c.k}, "sift", p); m.CountInvalid() != 0 {
				t.Errorf("%s, pyramid %s: invalid", name, pyramid)
			}
		}
	}
}

func TestTheSmallestImageIsDescribed(t *testing.T) {
	img := detecttest.Textured(detect.MinSide, detect.MinSide, 4).Image(t)
	if m := mustExtract(t, img, []keypoints.Keypoint{at(4, 4, 3, 0), at(4, 4, 3, -1), at(4, 4, 3, 1)}, "sift", params(t, "sift")); m.IsInvalid(0) || m.IsInvalid(1) || !m.IsInvalid(2) {
		t.Errorf("valid %v, want all but the keypoint of the octave of 4 px", m.Valid())
	}
}

func TestAKeypointWithoutOrientationIsDescribedUpright(t *testing.T) {
	img := detecttest.Textured(160, 120, 3).Image(t)
	upright, none := at(80, 60, 10, 0), at(80, 60, 10, 0)
	none.Angle = -1
	m := mustExtract(t, img, []keypoints.Keypoint{upright, none}, "sift", params(t, "sift"))
	if m.CountInvalid() != 0 || !bytes.Equal(row(m, 0), row(m, 1)) {
		t.Errorf("%d invalid rows, or one turned by the angle -1", m.CountInvalid())
	}
}

func TestExtractRefusesWhatItCannotDescribe(t *testing.T) {
	img := detecttest.Textured(32, 32, 1).Image(t)
	for _, c := range []struct {
		kind string
		img  detect.Image
		want string
	}{
		{"sieve", img, `descriptor "sieve"`},
		{"sift", detect.Image{}, "extract sift: image is closed or was never decoded"},
		{"rgbsift", detecttest.Textured(40, 7, 1).Image(t), "extract rgbsift: image is 40×7 px"},
	} {
		_, err := extract.Extract(c.img, nil, c.kind, params(t, "sift"))
		must.FailAbout(t, err, c.want)
	}
}

// No config can ask for -2 layers; here they stand for whatever OpenCV may
// come to refuse.
func TestWhatOpenCVRefusesIsAnErrorWithItsReason(t *testing.T) {
	img := detecttest.Textured(100, 100, 1).Image(t)
	p := params(t, "sift", "n_octave_layers=-2")
	_, err := extract.Extract(img, []keypoints.Keypoint{{X: 50, Y: 50, Size: 5}}, "sift", p)
	if err == nil || !strings.Contains(err.Error(), "extract sift of 1 keypoints: OpenCV(") || !strings.Contains(err.Error(), "Assertion failed") {
		t.Errorf("error %v, want OpenCV's assertion", err)
	}
}

// TestAKeypointOutsideTheImageIsDescribedByWhatItsWindowHoldsOfIt: so does
// OpenCV, and keypoints projected within the bounds of a larger image need it.
func TestAKeypointOutsideTheImageIsDescribedByWhatItsWindowHoldsOfIt(t *testing.T) {
	img := detecttest.Textured(200, 160, 1).Image(t)
	kps := []keypoints.Keypoint{at(-3, 50, 10, -1), at(202, 80, 12, -1), at(90, 163, 9, -1)}
	m := mustExtract(t, img, kps, "sift", params(t, "sift"))
	for i, raw := range rawSIFT(t, img, kps) {
		if m.IsInvalid(i) || !isRaw(row(m, i), raw) {
			t.Errorf("keypoint %d: invalid %v, or not OpenCV's row", i, m.IsInvalid(i))
		}
	}
}
