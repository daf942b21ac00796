package detect_test

import (
	"math"
	"slices"
	"testing"

	"gocv.io/x/gocv"

	"descbench/eval/must"
	"descbench/keypoints"
	"descbench/keypoints/detect"
	"descbench/keypoints/detect/detecttest"
)

// defaults returns the parameters of a detector as a config without any has them.
func defaults(t *testing.T, detector string) keypoints.Params {
	t.Helper()
	return withParams(t, detector, "")
}

func mustDetect(t *testing.T, img detect.Image, params keypoints.Params) keypoints.Set {
	t.Helper()
	return must.Get(detect.Detect(img, "sift", params))(t)
}

// The difference of Gaussians of scales σ and kσ of a Gaussian hill of scale s
// is extreme at its centre for σ² = s²/k (set the derivative of
// 1/(s²+k²σ²) − 1/(s²+σ²) by σ² to zero); k = 2^(1/3) for three layers. SIFT
// takes the image to have a blur of ½ px already, so σ² comes out ¼ greater.
func TestSIFTFindsABlobAtItsCentreAndScale(t *testing.T) {
	for _, s := range []float64{3, 5, 8} {
		const cx, cy = 71, 64
		img := detecttest.Grey(150, 130, func(x, y int) float64 {
			dx, dy := float64(x-cx), float64(y-cy)
			return 60 + 150*math.Exp(-(dx*dx+dy*dy)/(2*s*s))
		}).Image(t)
		set := mustDetect(t, img, defaults(t, "sift"))
		if set.Len() == 0 {
			t.Fatalf("blob of %v px: no keypoint", s)
		}
		strongest := slices.MaxFunc(set.Keypoints, func(a, b keypoints.Keypoint) int {
			return int(math.Copysign(1, float64(a.Response-b.Response)))
		})
		want := 2 * math.Sqrt(s*s/math.Cbrt(2)+0.25)
		if off := math.Hypot(float64(strongest.X)-cx, float64(strongest.Y)-cy); off > 0.5 {
			t.Errorf("blob of %v px: keypoint %.2f px from the centre", s, off)
		}
		if rel := float64(strongest.Size)/want - 1; math.Abs(rel) > 0.05 {
			t.Errorf("blob of %v px: size %.2f, want %.2f", s, strongest.Size, want)
		}
	}
}

func TestNfeaturesKeepsTheStrongestAndThoseThatTieWithTheWeakestOfThem(t *testing.T) {
	img := detecttest.Textured(300, 200, 1).Image(t)
	responses := func(n int64) []float32 {
		params := defaults(t, "sift")
		params["nfeatures"] = n
		var out []float32
		for _, k := range mustDetect(t, img, params).Keypoints {
			out = append(out, k.Response)
		}
		slices.SortFunc(out, func(a, b float32) int { return int(math.Copysign(1, float64(b-a))) })
		return out
	}
	all := responses(0)
	if len(all) < 50 {
		t.Fatalf("only %d keypoints to choose from", len(all))
	}
	ties := 0
	for n := 1; n < 50; n++ {
		want := n
		for want < len(all) && all[want] == all[n-1] {
			want++
		}
		ties += want - n
		if got := responses(int64(n)); !slices.Equal(got, all[:want]) {
			t.Errorf("nfeatures=%d: %d keypoints, want the %d strongest", n, len(got), want)
		}
	}
	if ties == 0 {
		t.Error("no two keypoints tie, so this shows nothing")
	}
}

func TestDetectRefusesWhatItCannotLookAt(t *testing.T) {
	good := detecttest.Textured(32, 32, 1).Image(t)
	closed := must.Get(detect.NewImage(gocv.NewMatWithSize(32, 32, gocv.MatTypeCV8UC3)))(t)
	closed.Close()
	for _, c := range []struct {
		name, detector string
		img            detect.Image
		want           string
	}{
		{"unknown detector", "sieve", good, `detector "sieve"`},
		{"never decoded", "sift", detect.Image{}, "image is closed or was never decoded"},
		{"closed", "sift", closed, "image is closed"},
		{"too low", "sift", detecttest.Textured(40, 7, 1).Image(t), "image is 40×7 px, want at least 8×8 px"},
	} {
		_, err := detect.Detect(c.img, c.detector, defaults(t, "sift"))
		must.FailAbout(t, err, c.want)
	}
}

func TestConvertingKeypointsThereAndBackLosesNothing(t *testing.T) {
	k := keypoints.Keypoint{X: 0.1, Y: 1e6 + 0.3, Size: 3.3, Angle: 359.9999, Response: 1e-9, Octave: 12845311, ClassID: -1}
	if got := detect.FromOpenCV([]gocv.KeyPoint{detect.ToOpenCV(k)}); got[0] != k {
		t.Errorf("got %+v, want %+v", got[0], k)
	}
}
