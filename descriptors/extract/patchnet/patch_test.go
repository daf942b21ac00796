package patchnet_test

import (
	"image"
	"image/color"
	"math"
	"slices"
	"testing"

	"gocv.io/x/gocv"

	"descbench/descriptors/extract/patchnet"
	"descbench/keypoints"
	"descbench/keypoints/detect"
	"descbench/keypoints/detect/detecttest"
)

// The tests look at patches through a network whose descriptor is the patch.

// A picture that is linear in x and y shows where each sample was taken: both
// interpolation and the means of the pyramid leave it as it is.
func TestSamplesLieOnAGridAroundTheKeypointTurnedByItsAngle(t *testing.T) {
	const side, w, h = 16, 240, 240
	ramps := map[string]detect.Image{
		"x": detecttest.Grey(w, h, func(x, _ int) float64 { return float64(x) }).Image(t),
		"y": detecttest.Grey(w, h, func(_, y int) float64 { return float64(y) }).Image(t),
	}
	o := raw(side, 8)
	o.Upright = true
	turning, upright := mustLoad(t, looking(0, 1, side), raw(side, 8)), mustLoad(t, looking(0, 1, side), o)
	for _, size := range []float32{0.5, 8. / 3, 4, 9.7, 16} { // 0.2 to 6 px a step
		for _, angle := range []float32{-1, 0, 17, 90, 123.4, 180, 271, 359.9} {
			k := at(121.3, 117.8, size, angle)
			n, turn := turning, float64(angle)*math.Pi/180
			switch angle {
			case -1:
				turn = 0
			case 271:
				n, turn = upright, 0
			}
			got := map[string][]float32{}
			for axis, img := range ramps {
				got[axis] = row(mustDescribe(t, n, img, k), 0)
			}
			step := 6 * float64(size) / side
			for j := range side {
				for i := range side {
					// In the plane of complex numbers turning is multiplying.
					off := complex((float64(i)-7.5)*step, (float64(j)-7.5)*step) * complex(math.Cos(turn), math.Sin(turn))
					x, y := float64(k.X)+real(off), float64(k.Y)+imag(off)
					gx, gy := float64(got["x"][j*side+i]), float64(got["y"][j*side+i])
					if math.Hypot(gx-x, gy-y) > 1e-3 {
						t.Fatalf("size %v, angle %v: sample (%d, %d) is of (%.3f, %.3f), want (%.3f, %.3f)", size, angle, i, j, gx, gy, x, y)
					}
				}
			}
		}
	}
}

// OpenCV's warpAffine places its samples in 32nds of a pixel, so that the
// difference is bounded by 1/32 px of the picture's slopes.
func TestFinePatchesAreThoseOfOpenCVsWarpAffine(t *testing.T) {
	const side = 24
	img := detecttest.Textured(160, 120, 5).Image(t)
	n := mustLoad(t, looking(0, 1, side), raw(side, 4))
	for _, k := range []keypoints.Keypoint{at(80, 60, 4, 0), at(71.3, 55.2, 3, 77), at(90.6, 61.9, 1.5, 305), at(3, 118, 4, 45)} {
		step := 6 * float64(k.Size) / side
		sin, cos := math.Sincos(float64(k.Angle) * math.Pi / 180)
		centre := float64(side-1) / 2
		m := gocv.NewMatWithSize(2, 3, gocv.MatTypeCV64F)
		defer m.Close()
		for i, v := range []float64{
			step * cos, -step * sin, float64(k.X) - step*cos*centre + step*sin*centre,
			step * sin, step * cos, float64(k.Y) - step*sin*centre - step*cos*centre,
		} {
			m.SetDoubleAt(i/3, i%3, v)
		}
		warped := gocv.NewMat()
		defer warped.Close()
		const inverseMap = 16 // cv::WARP_INVERSE_MAP
		err := gocv.WarpAffineWithParams(img.Gray, &warped, m, image.Pt(side, side), gocv.InterpolationLinear|inverseMap, gocv.BorderReplicate, color.RGBA{})
		if err != nil {
			t.Fatal(err)
		}
		got := row(mustDescribe(t, n, img, k), 0)
		for i := range got {
			if want := float64(warped.GetUCharAt(i/side, i%side)); math.Abs(float64(got[i])-want) > 2 {
				t.Errorf("keypoint %+v: sample (%d, %d) is %.2f, OpenCV has %v", k, i%side, i/side, got[i], want)
			}
		}
	}
}

// Stripes of period p px are finer than samples s px apart can show if p < 2s.
// Sampled as they are, they would show as stripes that are not there.
func TestCoarsePatchesDoNotShowWhatIsFinerThanTheirSamples(t *testing.T) {
	const side = 16
	n := mustLoad(t, looking(0, 1, side), raw(side, 1))
	for _, period := range []float64{2, 2.3, 3, 3.7} {
		img := detecttest.Grey(400, 400, func(x, _ int) float64 { return 128 + 100*math.Sin(2*math.Pi*float64(x)/period) }).Image(t)
		for _, step := range []float64{4, 5.3, 7.9, 12} {
			patch := row(mustDescribe(t, n, img, at(200, 200, float32(step*side/6), -1)), 0)
			if spread := slices.Max(patch) - slices.Min(patch); spread > 10 {
				t.Errorf("stripes of %v px, samples %v px apart: grey values differ by %.1f, want hardly", period, step, spread)
			}
		}
	}
}

// A sample is as wide as the step, also where that is just below twice the
// spacing of a level of the pyramid.
func TestCoarsePatchesAreSmoothedByTheStepNotByALevelOfThePyramid(t *testing.T) {
	const side = 16
	n := mustLoad(t, looking(0, 1, side), raw(side, 1))
	for _, step := range []float64{1.99, 3.98, 7.9} {
		period := 1.25 * step
		img := detecttest.Grey(400, 400, func(x, _ int) float64 { return 128 + 100*math.Sin(2*math.Pi*float64(x)/period) }).Image(t)
		patch := row(mustDescribe(t, n, img, at(200, 200, float32(step*side/6), -1)), 0)
		if spread := slices.Max(patch) - slices.Min(patch); spread > 20 {
			t.Errorf("stripes of %.2f px, samples %v px apart: grey values differ by %.1f, want hardly", period, step, spread)
		}
	}
}

// The other half: what the samples can show, they show.
func TestCoarsePatchesKeepWhatTheirSamplesCanShow(t *testing.T) {
	const side = 16
	n := mustLoad(t, looking(0, 1, side), raw(side, 1))
	for _, step := range []float64{1, 1.5, 2.8, 4, 6} {
		period := 8 * step
		img := detecttest.Grey(400, 400, func(x, _ int) float64 { return 128 + 100*math.Sin(2*math.Pi*float64(x)/period) }).Image(t)
		patch := row(mustDescribe(t, n, img, at(200, 200, float32(step*side/6), -1)), 0)
		if spread := slices.Max(patch) - slices.Min(patch); spread < 150 {
			t.Errorf("stripes of 8 samples, %v px each: grey values differ by %.1f, want nearly 200", step, spread)
		}
	}
}

func TestBeyondItsEdgeAnImageGoesOnAsItsOutermostPixels(t *testing.T) {
	const side = 9
	p := detecttest.Textured(40, 30, 2)
	img := p.Image(t)
	n := mustLoad(t, looking(0, 1, side), raw(side, 1))
	patch := row(mustDescribe(t, n, img, at(0, 0, side/6., -1)), 0) // a sample a pixel
	for j := range side {
		for i := range side {
			x, y := max(i-4, 0), max(j-4, 0)
			if want := float32(img.Gray.GetUCharAt(y, x)); patch[j*side+i] != want {
				t.Errorf("sample (%d, %d) is %v, want the pixel (%d, %d), %v", i, j, patch[j*side+i], x, y, want)
			}
		}
	}
}

func TestChannelsAreInTheOrderAskedFor(t *testing.T) {
	const side = 8
	p := detecttest.Textured(60, 50, 3)
	img := p.Image(t)
	for channels, want := range map[string]func(b, g, r float64) []float64{
		"bgr": func(b, g, r float64) []float64 { return []float64{b, g, r} },
		"rgb": func(b, g, r float64) []float64 { return []float64{r, g, b} },
	} {
		o := raw(side, 2)
		o.Channels = channels
		n := mustLoad(t, looking(0, 3, side), o)
		got := row(mustDescribe(t, n, img, at(23.5, 30.5, side/6., -1)), 0) // a sample a pixel, from (20, 27)
		for i := range side * side {
			for c, v := range want(p.At(20+i%side, 27+i/side)) {
				if got[c*side*side+i] != float32(v) {
					t.Fatalf("%s: channel %d of sample %d is %v, want %v", channels, c, i, got[c*side*side+i], v)
				}
			}
		}
	}
}

func TestGreyIsThatOfTheImage(t *testing.T) {
	const side = 8
	img := detecttest.Textured(60, 50, 3).Image(t)
	n := mustLoad(t, looking(0, 1, side), raw(side, 2))
	for i, v := range row(mustDescribe(t, n, img, at(23.5, 30.5, side/6., -1)), 0) {
		if want := float32(img.Gray.GetUCharAt(27+i/side, 20+i%side)); v != want {
			t.Fatalf("sample %d is %v, want %v", i, v, want)
		}
	}
}

func TestMagnificationIsThePatchBySize(t *testing.T) {
	const side = 16
	img := detecttest.Textured(200, 200, 4).Image(t)
	six := mustLoad(t, looking(0, 1, side), raw(side, 1))
	o := raw(side, 1)
	o.Magnification = 12
	twelve := mustLoad(t, looking(0, 1, side), o)
	a, b := mustDescribe(t, six, img, at(90, 95, 10, 30)), mustDescribe(t, twelve, img, at(90, 95, 5, 30))
	if !slices.Equal(row(a, 0), row(b, 0)) {
		t.Error("6 × 10 px and 12 × 5 px are different patches")
	}
}

func TestPixelsAreNormalisedAsAsked(t *testing.T) {
	const side = 8
	img := detecttest.Textured(60, 50, 6).Image(t)
	k := at(30.2, 20.7, 2, 40)
	for _, channels := range []string{"gray", "bgr"} {
		planes := map[string]int{"gray": 1, "bgr": 3}[channels]
		patch := func(change func(*patchnet.Options)) []float32 {
			o := raw(side, 1)
			o.Channels = channels
			change(&o)
			return row(mustDescribe(t, mustLoad(t, looking(0, planes, side), o), img, k), 0)
		}
		pixels := patch(func(*patchnet.Options) {})
		mean, variance := 0.0, 0.0
		for _, v := range pixels {
			mean += float64(v) / float64(len(pixels))
		}
		for _, v := range pixels {
			variance += math.Pow(float64(v)-mean, 2) / float64(len(pixels))
		}
		for name, c := range map[string]struct {
			got       []float32
			mean, std float64
		}{
			"default":       {patch(func(o *patchnet.Options) { o.Mean, o.Std = []float64{0}, patchnet.DefaultOptions().Std }), 0, 255},
			"mean and std":  {patch(func(o *patchnet.Options) { o.Mean, o.Std = []float64{112.5}, []float64{51.25} }), 112.5, 51.25},
			"standardise":   {patch(func(o *patchnet.Options) { o.Standardize = true }), mean, math.Sqrt(variance)},
			"both are once": {patch(func(o *patchnet.Options) { o.Standardize, o.Mean, o.Std = true, []float64{3}, []float64{4} }), mean, math.Sqrt(variance)},
		} {
			for i, v := range pixels {
				if want := (float64(v) - c.mean) / c.std; math.Abs(float64(c.got[i])-want) > 1e-5 {
					t.Errorf("%s, %s: sample %d is %v, want %v", channels, name, i, c.got[i], want)
					break
				}
			}
		}
	}
}

func TestEveryChannelMayHaveItsMeanAndDeviation(t *testing.T) {
	const side = 8
	img := detecttest.Textured(60, 50, 6).Image(t)
	k := at(30.2, 20.7, 2, 40)
	for _, channels := range []string{"bgr", "rgb"} {
		patch := func(mean, std []float64) []float32 {
			o := raw(side, 1)
			o.Channels, o.Mean, o.Std = channels, mean, std
			return row(mustDescribe(t, mustLoad(t, looking(0, 3, side), o), img, k), 0)
		}
		pixels := patch([]float64{0}, []float64{1})
		mean, std := []float64{103.5, 116.25, 123}, []float64{57, 58.5, 61.25}
		for name, c := range map[string]struct {
			got                 []float32
			meanScale, stdScale int // 0: the first of all channels
		}{
			"both":          {patch(mean, std), 1, 1},
			"mean":          {patch(mean, std[:1]), 1, 0},
			"std, one mean": {patch(mean[:1], std), 0, 1},
		} {
			for i, v := range pixels {
				channel := i / (side * side)
				want := (float64(v) - mean[c.meanScale*channel]) / std[c.stdScale*channel]
				if math.Abs(float64(c.got[i])-want) > 1e-5 {
					t.Errorf("%s, %s: sample %d is %v, want %v", channels, name, i, c.got[i], want)
					break
				}
			}
		}
	}
}
