package patchcut_test

import (
	"image"
	"image/color"
	"math"
	"slices"
	"testing"

	"gocv.io/x/gocv"

	"descbench/descriptors"
	"descbench/descriptors/extract/patchcut"
	"descbench/eval/must"
	"descbench/keypoints"
	"descbench/keypoints/detect"
	"descbench/keypoints/detect/detecttest"
)

// raw returns options for grey patches of values from 0 to 255.
func raw(side int) descriptors.PatchCut {
	o := descriptors.DefaultPatchCut()
	o.InputSize, o.Std = side, []float64{1}
	return o
}

// cut returns the patches of keypoints; nil of those that have none.
func cut(t *testing.T, img detect.Image, o descriptors.PatchCut, kps ...keypoints.Keypoint) [][]float32 {
	t.Helper()
	patches := make([][]float32, len(kps))
	err := patchcut.Each(img, kps, o, func(i int, patch []float32) error {
		if len(patch) != o.Planes()*o.InputSize*o.InputSize {
			t.Errorf("patch of %d values", len(patch))
		}
		patches[i] = slices.Clone(patch)
		return nil
	})
	must.Do(t, err)
	return patches
}

// at returns a keypoint.
func at(x, y, size, angle float32) keypoints.Keypoint {
	return keypoints.Keypoint{X: x, Y: y, Size: size, Angle: angle, ClassID: -1}
}

// A picture that is linear in x and y shows where each sample was taken: both
// interpolation and the means of the pyramid leave it as it is.
func TestSamplesLieOnAGridAroundTheKeypointTurnedByItsAngle(t *testing.T) {
	const side, w, h = 16, 240, 240
	ramps := map[string]detect.Image{
		"x": detecttest.Grey(w, h, func(x, _ int) float64 { return float64(x) }).Image(t),
		"y": detecttest.Grey(w, h, func(_, y int) float64 { return float64(y) }).Image(t),
	}
	o := raw(side)
	o.Upright = true
	for _, size := range []float32{0.5, 8. / 3, 4, 9.7, 16} { // 0.2 to 6 px a step
		for _, angle := range []float32{-1, 0, 17, 90, 123.4, 180, 271, 359.9} {
			k := at(121.3, 117.8, size, angle)
			options, turn := raw(side), float64(angle)*math.Pi/180
			switch angle {
			case -1:
				turn = 0
			case 271:
				options, turn = o, 0
			}
			got := map[string][]float32{}
			for axis, img := range ramps {
				got[axis] = cut(t, img, options, k)[0]
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
		must.Do(t, err)
		got := cut(t, img, raw(side), k)[0]
		for i := range got {
			if want := float64(warped.GetUCharAt(i/side, i%side)); math.Abs(float64(got[i])-want) > 2 {
				t.Errorf("keypoint %+v: sample (%d, %d) is %.2f, OpenCV has %v", k, i%side, i/side, got[i], want)
			}
		}
	}
}

// Stripes of period p px are finer than samples s px apart can show if p < 2s: sampled as they are, they
// would show as stripes that are not there. A sample is as wide as the step, also where that is just below
// twice the spacing of a level of the pyramid. What the samples can show, they show.
func TestCoarsePatchesShowWhatTheirSamplesCanShow(t *testing.T) {
	const side = 16
	for _, c := range []struct {
		steps, periods []float64 // periods in px or, if in steps, in these
		inSteps        bool
		least, most    float32 // difference of grey values, of 200 in the image
	}{
		{[]float64{4, 5.3, 7.9, 12}, []float64{2, 2.3, 3, 3.7}, false, 0, 10},
		{[]float64{1.99, 3.98, 7.9}, []float64{1.25}, true, 0, 20},
		{[]float64{1, 1.5, 2.8, 4, 6}, []float64{8}, true, 150, 200},
	} {
		for _, step := range c.steps {
			for _, period := range c.periods {
				if c.inSteps {
					period *= step
				}
				img := detecttest.Grey(400, 400, func(x, _ int) float64 { return 128 + 100*math.Sin(2*math.Pi*float64(x)/period) }).Image(t)
				patch := cut(t, img, raw(side), at(200, 200, float32(step*side/6), -1))[0]
				if spread := slices.Max(patch) - slices.Min(patch); spread < c.least || spread > c.most {
					t.Errorf("stripes of %.2f px, samples %v px apart: grey values differ by %.1f, want %v to %v", period, step, spread, c.least, c.most)
				}
			}
		}
	}
}

func TestChannelsAreInTheOrderAskedFor(t *testing.T) {
	const side = 8
	p := detecttest.Textured(60, 50, 3)
	img := p.Image(t)
	for channels, want := range map[string]func(b, g, r float64) []float64{
		"bgr":  func(b, g, r float64) []float64 { return []float64{b, g, r} },
		"rgb":  func(b, g, r float64) []float64 { return []float64{r, g, b} },
		"gray": nil,
	} {
		o := raw(side)
		o.Channels = channels
		got := cut(t, img, o, at(23.5, 30.5, side/6., -1))[0] // a sample a pixel, from (20, 27)
		for i := range side * side {
			x, y := 20+i%side, 27+i/side
			values := []float64{float64(img.Gray.GetUCharAt(y, x))}
			if want != nil {
				values = want(p.At(x, y))
			}
			for c, v := range values {
				if got[c*side*side+i] != float32(v) {
					t.Fatalf("%s: channel %d of sample %d is %v, want %v", channels, c, i, got[c*side*side+i], v)
				}
			}
		}
	}
}

func TestMagnificationIsThePatchBySize(t *testing.T) {
	const side = 16
	img := detecttest.Textured(200, 200, 4).Image(t)
	o := raw(side)
	o.Magnification = 12
	if !slices.Equal(cut(t, img, raw(side), at(90, 95, 10, 30))[0], cut(t, img, o, at(90, 95, 5, 30))[0]) {
		t.Error("6 × 10 px and 12 × 5 px are different patches")
	}
}

func TestPixelsAreNormalisedAsAsked(t *testing.T) {
	const side = 8
	img := detecttest.Textured(60, 50, 6).Image(t)
	for _, channels := range []string{"gray", "bgr", "rgb"} {
		patch := func(standardize bool, mean, std []float64) []float32 {
			o := raw(side)
			o.Channels, o.Standardize, o.Mean, o.Std = channels, standardize, mean, std
			return cut(t, img, o, at(30.2, 20.7, 2, 40))[0]
		}
		pixels := patch(false, []float64{0}, []float64{1})
		mean, variance := 0.0, 0.0
		for _, v := range pixels {
			mean += float64(v) / float64(len(pixels))
		}
		for _, v := range pixels {
			variance += math.Pow(float64(v)-mean, 2) / float64(len(pixels))
		}
		means, stds := []float64{103.5, 116.25, 123}, []float64{57, 58.5, 61.25}
		for name, c := range map[string]struct {
			got         []float32
			means, stds []float64 // of the channels, or of all
		}{
			"default":     {patch(false, []float64{0}, descriptors.DefaultPatchCut().Std), []float64{0}, []float64{255}},
			"standardise": {patch(true, []float64{3}, []float64{4}), []float64{mean}, []float64{math.Sqrt(variance)}},
			"both":        {patch(false, means, stds), means, stds},
			"mean":        {patch(false, means, stds[:1]), means, stds[:1]},
			"std":         {patch(false, means[:1], stds), means[:1], stds},
		} {
			for i, v := range pixels {
				channel := i / (side * side)
				want := (float64(v) - c.means[channel%len(c.means)]) / c.stds[channel%len(c.stds)]
				if math.Abs(float64(c.got[i])-want) > 1e-5 {
					t.Errorf("%s, %s: sample %d is %v, want %v", channels, name, i, c.got[i], want)
					break
				}
			}
		}
	}
}

func TestAKeypointWithoutSizeOrOutsideTheImageHasNoPatch(t *testing.T) {
	img := detecttest.Textured(60, 50, 1).Image(t)
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	good := []keypoints.Keypoint{
		at(30, 20, 4, 0), at(0, 0, 4, 0), at(60, 50, 4, 0), at(30, 20, 1e-30, 0), at(12, 30, 4, -1),
		at(30, 20, 3e38, 77), // all of it is outermost pixels
	}
	kps := slices.Concat(good, []keypoints.Keypoint{
		at(30, 20, 0, 0), at(30, 20, -4, 0), at(30, 20, nan, 0), at(30, 20, inf, 0), at(nan, 20, 4, 0), at(30, -inf, 4, 0),
		at(30, 20, 4, nan), at(-0.01, 20, 4, 0), at(60.1, 50, 4, 0), at(60, 50.1, 4, 0),
	})
	patches := cut(t, img, raw(8), kps...)
	for i, k := range kps {
		ok := i < len(good)
		if (patches[i] != nil) != ok {
			t.Errorf("%+v: has a patch %v", k, !ok)
		}
		if ok && !slices.Equal(cut(t, img, raw(8), k)[0], patches[i]) {
			t.Errorf("the patch of %+v is another's", k)
		}
	}
	must.Fail(t, patchcut.Each(detect.Image{}, kps, raw(8), nil), "image is closed or was never decoded")
}

func TestAFlatPatchCannotBeStandardised(t *testing.T) {
	p := detecttest.Grey(160, 80, func(x, y int) float64 {
		if x < 80 {
			return 77
		}
		return float64(x + y)
	})
	img := p.Image(t)
	o := raw(7)
	o.Standardize = true
	for _, size := range []float32{1, 3.3, 5.9} { // steps of 0.9 to 5.1 px
		if p := cut(t, img, o, at(40.2, 30.7, size, 33), at(120.1, 40.3, size, 33)); p[0] != nil || p[1] == nil {
			t.Errorf("size %v: flat %v, textured %v", size, p[0], p[1])
		}
	}
	// All samples at one place between pixels, of a value that is no integer.
	if p := cut(t, img, o, at(120.13, 40.37, 1e-30, 33)); p[0] != nil {
		t.Errorf("a patch of no extent is %v", p[0])
	}
}
