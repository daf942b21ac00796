package detect_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"descbench/eval/must"
	"descbench/keypoints"
	"descbench/keypoints/detect/detecttest"
)

// OpenCV itself must find, in an image that was enlarged and turned, keypoints
// of the position, size, angle and octave that ProjectGeometry predicts from
// those of the original.
func TestProjectedGeometryIsWhatSIFTFindsInTheTransformedImage(t *testing.T) {
	scene := hills(240, 5)
	sin, cos := math.Sincos(60 * math.Pi / 180)
	// Twice the size, turned clockwise by 60° about the centre (120, 120), which
	// goes to (300, 300).
	h := keypoints.Homography{2 * cos, -2 * sin, 300 - 240*(cos-sin), 2 * sin, 2 * cos, 300 - 240*(sin+cos), 0, 0, 1}
	back := must.Get(h.Inverse())(t)
	params := defaults(t, "sift")
	original := mustDetect(t, detecttest.Grey(240, 240, func(x, y int) float64 { return scene(float64(x), float64(y)) }).Image(t), params)
	transformed := mustDetect(t, detecttest.Grey(600, 600, func(x, y int) float64 { return scene(back.Apply(float64(x), float64(y))) }).Image(t), params)

	space := keypoints.ScaleSpace{Layers: params.Int("n_octave_layers"), Sigma: params.Float("sigma")}
	predicted := original.ProjectGeometry(must.Get(keypoints.Plane(h, [2]int{240, 240}, [2]int{600, 600}))(t), 600, 600, keypoints.Border{Px: 40}, space.Resize)
	var sizes, angles, octaves []float64
	for row, p := range predicted.Keypoints {
		// Of the orientations found at the place the nearest counts.
		angle, found := math.Inf(1), keypoints.Keypoint{}
		for _, k := range transformed.Keypoints {
			ratio := float64(k.Size / p.Size)
			if math.Hypot(float64(k.X-p.X), float64(k.Y-p.Y)) > 1.5 || ratio < 0.8 || ratio > 1.25 {
				continue
			}
			if off := math.Remainder(float64(k.Angle-p.Angle), 360); math.Abs(off) < math.Abs(angle) {
				angle, found = off, k
			}
		}
		if math.IsInf(angle, 1) {
			continue
		}
		sizes = append(sizes, math.Log2(float64(found.Size/p.Size)))
		angles = append(angles, angle)
		// Twice the size is one octave up.
		octaves = append(octaves, float64(octaveOf(p)-octaveOf(original.Keypoints[predicted.Source[row]])-1))
	}
	if share := float64(len(angles)) / float64(predicted.Len()); predicted.Len() < 50 || share < 0.7 {
		t.Errorf("%.2f of %d predicted keypoints are found, want 0.7 of at least 50", share, predicted.Len())
	}
	for _, v := range [][]float64{sizes, angles, octaves} {
		slices.Sort(v)
	}
	t.Logf("%d of %d found; median errors: size %.3f octaves, angle %.2f°", len(angles), predicted.Len(), median(sizes), median(angles))
	if math.Abs(median(sizes)) > 0.02 || math.Abs(median(angles)) > 1 {
		t.Errorf("median errors: size %.3f octaves, angle %.2f°, want under 0.02 and 1°", median(sizes), median(angles))
	}
	if octaves[0] != 0 || octaves[len(octaves)-1] != 0 {
		t.Errorf("octaves are off by %v to %v", octaves[0], octaves[len(octaves)-1])
	}
}

func median(sorted []float64) float64 { return sorted[len(sorted)/2] }

// hills returns a landscape of oblong Gaussian hills and hollows on a square,
// defined between the pixels too.
func hills(side float64, seed uint64) func(x, y float64) float64 {
	rnd := rand.New(rand.NewPCG(seed, 0))
	type hill struct{ x, y, reach, cos, sin, height float64 }
	var all []hill
	for range 200 {
		sin, cos := math.Sincos(rnd.Float64() * math.Pi)
		all = append(all, hill{side * rnd.Float64(), side * rnd.Float64(), 2 + 5*rnd.Float64(), cos, sin, 200 * (rnd.Float64() - 0.5)})
	}
	return func(x, y float64) float64 {
		v := 120.0
		for _, h := range all {
			dx, dy := x-h.x, y-h.y
			if r := 4 * h.reach; dx*dx+dy*dy < r*r {
				along, across := h.cos*dx+h.sin*dy, 1.8*(h.cos*dy-h.sin*dx)
				v += h.height * math.Exp(-(along*along+across*across)/(2*h.reach*h.reach))
			}
		}
		return v
	}
}
