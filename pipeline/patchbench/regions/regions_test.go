package regions

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"descbench/eval/must"
	"descbench/eval/random"
	"descbench/keypoints"
)

// gray is a picture of a function of the pixel.
func gray(width, height int, f func(x, y float64) float64) Picture {
	p := Picture{Width: width, Height: height, Channels: 1}
	for y := range height {
		for x := range width {
			p.Pix = append(p.Pix, uint8(math.Round(f(float64(x), float64(y)))))
		}
	}
	return p
}

func square(t *testing.T, x, y, size, angle float32) Region {
	t.Helper()
	r, ok := Of(keypoints.Keypoint{X: x, Y: y, Size: size, Angle: angle}, 5)
	if !ok {
		t.Fatal("no region")
	}
	return r
}

func noisy(x, y float64) float64 { return math.Mod(17*x+31*y+x*y, 251) }

// A keypoint that points down, 90° clockwise, lies on its side: along the
// patch's row the picture's column is passed downwards.
func TestARegionOf65PixelsIsCopiedAndTurnedByItsAngle(t *testing.T) {
	p := gray(100, 90, noisy)
	for _, angle := range []float32{-1, 0, 90} {
		patch := p.Cut(square(t, 40, 50, 13, angle), keypoints.Identity, 65)
		for y := range 65 {
			for x := range 65 {
				want := p.Pix[100*(50-32+y)+40-32+x]
				if angle == 90 {
					want = p.Pix[100*(50-32+x)+40+32-y]
				}
				if got := patch[65*y+x]; got != want {
					t.Fatalf("angle %v: pixel (%d, %d) is %d, want %d", angle, x, y, got, want)
				}
			}
		}
	}
}

// texture is smooth, so that two ways of sampling it hardly differ.
func texture(x, y float64) float64 {
	return 128 + 40*math.Sin(x/9) + 40*math.Cos(y/7+x/23) + 30*math.Sin((x+y)/15)
}

// The second picture is that of the texture through a homography, exactly.
// Between one and two pixels of the picture for each of the patch, one sample would skip
// pixels; two are 3/4 px apart.
func TestSamplesAreNoFurtherApartThanPixels(t *testing.T) {
	for scale, want := range map[float64]int{.5: 1, 1: 1, 1.001: 2, 1.5: 2, 2: 2, 2.25: 3} {
		half := scale * 65 / 2
		columns, rows := samples(keypoints.Homography{half, 0, 100, 0, half, 100, 0, 0, 1}, 65)
		if columns != want || rows != want {
			t.Errorf("scale %v: %d×%d samples, want %d×%d", scale, columns, rows, want, want)
		}
	}
}

func TestPatchesThroughAHomographyAgreeAndJitterDrivesThemApart(t *testing.T) {
	h := keypoints.Homography{0.9, -0.25, 70, 0.2, 0.8, 30, 2e-4, -1e-4, 1}
	back := must.Get(h.Inverse())(t)
	first := gray(400, 400, texture)
	second := gray(500, 450, func(x, y float64) float64 { return texture(back.Apply(x, y)) })
	differ := make([]float64, 1+len(Noises()))
	count := 0.0
	for i := range 60 {
		r := square(t, float32(120+i%10*17), float32(110+i/10*30), float32(6+i%7), float32(i*37%360))
		if !r.Inside(keypoints.Identity, first.Width, first.Height) || !r.Inside(h, second.Width, second.Height) {
			t.Fatalf("region %d is not inside", i)
		}
		want := first.Cut(r, keypoints.Identity, 65)
		differ[0] += meanDifference(want, second.Cut(r, h, 65))
		for j, noise := range Noises() {
			differ[j+1] += meanDifference(want, second.Cut(r.Jittered(random.New(1, noise.Letter, i), noise.Amount), h, 65))
		}
		count++
	}
	t.Logf("mean differences without jitter, easy, hard, tough: %.2f", scaled(differ, 1/count))
	if differ[0]/count > 1 {
		t.Errorf("patches differ by %.2f without jitter, want less than 1", differ[0]/count)
	}
	for j := range Noises() {
		if differ[j+1] < 1.2*differ[j] || differ[j+1] < 3*differ[0] {
			t.Errorf("mean differences %v, want them to grow with the jitter", scaled(differ, 1/count))
		}
	}
}

func meanDifference(a, b []uint8) float64 {
	sum := 0.0
	for i := range a {
		sum += math.Abs(float64(a[i]) - float64(b[i]))
	}
	return sum / float64(len(a))
}

func scaled(v []float64, by float64) []float64 {
	out := slices.Clone(v)
	for i := range out {
		out[i] *= by
	}
	return out
}

// The medians of easy and hard are HPatches' own; ellipses are compared by
// counting points.
func TestHalfOfTheJitteredEllipsesOverlapAsMuchAsHPatches(t *testing.T) {
	unit := Region{A: [2][2]float64{{1, 0}, {0, 1}}}
	for i, want := range []float64{0.85, 0.72, 0.65} {
		noise := Noises()[i]
		var overlaps []float64
		for row := range 1501 {
			overlaps = append(overlaps, countedOverlap(unit, unit.Jittered(random.New(3, noise.Letter, row), noise.Amount), 0.05))
		}
		slices.Sort(overlaps)
		if got := overlaps[len(overlaps)/2]; math.Abs(got-want) > 0.01 {
			t.Errorf("%s: median overlap %.3f, want %.2f", noise.Name, got, want)
		}
	}
}

// countedOverlap is the intersection over union of the ellipses of two regions
// around the origin, by the points of a grid that are in them.
func countedOverlap(a, b Region, step float64) float64 {
	both, any := 0, 0
	for y := -4.0; y <= 4; y += step {
		for x := -4.0; x <= 4; x += step {
			inA, inB := contains(a, x, y), contains(b, x, y)
			if inA && inB {
				both++
			}
			if inA || inB {
				any++
			}
		}
	}
	return float64(both) / float64(any)
}

func contains(r Region, x, y float64) bool {
	x, y = x-r.X, y-r.Y
	det := r.A[0][0]*r.A[1][1] - r.A[0][1]*r.A[1][0]
	return math.Hypot((r.A[1][1]*x-r.A[0][1]*y)/det, (r.A[0][0]*y-r.A[1][0]*x)/det) <= 1
}

func TestTheOverlapOfCirclesIsTheShareOfPointsInBoth(t *testing.T) {
	circle := func(x, r float64) Region { return Region{X: x, A: [2][2]float64{{0, -r}, {r, 0}}} }
	for _, c := range []struct{ r, s, d float64 }{
		{1, 1, 0}, {1, 1, 0.3}, {1, 1, 1}, {1, 1, 1.9}, {1, 1, 2.1}, {2, 1, 0.5}, {2, 1, 1.2}, {1, 2, 2.7}, {1.5, 0.2, 1.4},
	} {
		a, b := circle(-c.d/2, c.r), circle(c.d/2, c.s)
		got, want := circleOverlap(a, b), countedOverlap(a, b, 0.01)
		if math.Abs(got-want) > 0.005 || got != circleOverlap(b, a) {
			t.Errorf("radii %v and %v, %v apart: overlap %.4f, want %.4f", c.r, c.s, c.d, got, want)
		}
	}
}

func TestNoTwoTakenRegionsOverlapTooMuchAndEveryOtherDoesWithOneOfThem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all []Region
		for range rapid.IntRange(0, 40).Draw(t, "regions") {
			number := rapid.Float64Range(0, 10)
			r := 0.5 + number.Draw(t, "radius")
			all = append(all, Region{X: number.Draw(t, "x"), Y: number.Draw(t, "y"), A: [2][2]float64{{r, 0}, {0, r}}})
		}
		order := random.New(rapid.Uint64().Draw(t, "seed")).Sample(len(all), len(all))
		limit := rapid.Float64Range(0, 1).Draw(t, "overlap")
		taken := Distinct(all, order, limit)
		place := func(i int) int { return slices.Index(order, i) }
		for i := range all {
			tooMuch := false
			for _, j := range taken {
				tooMuch = tooMuch || place(j) < place(i) && circleOverlap(all[i], all[j]) > limit
			}
			if tooMuch == slices.Contains(taken, i) {
				t.Fatalf("region %d of order %v is wrong in %v", i, order, taken)
			}
		}
	})
}

func TestARegionIsInsideIfAllOfItIs(t *testing.T) {
	r := square(t, 50, 50, 8, 0) // 30 to 70
	if !r.Inside(keypoints.Identity, 71, 71) {
		t.Error("a region up to the centres of the last pixels is not inside")
	}
	if r.Inside(keypoints.Identity, 70, 71) || r.Inside(keypoints.Identity, 71, 70) {
		t.Error("a region beyond the last pixels is inside")
	}
	if turned := square(t, 50, 50, 8, 45); turned.Inside(keypoints.Identity, 71, 71) {
		t.Error("the corners of a turned region are not looked at")
	}
	// The line x = 60, through the region, goes to infinity; its corners do not.
	horizon := keypoints.Homography{1, 0, 0, 0, 1, 0, -1.0 / 60, 0, 1}
	if r.Inside(horizon, 1<<30, 1<<30) || r.Inside(keypoints.Homography{0, 0, 10, 0, 0, 10, -1.0 / 60, 0, 1}, 1000, 1000) {
		t.Error("a region across the line that goes to infinity is inside")
	}
}

func TestSignAndScaleOfAHomographyDoNotMatter(t *testing.T) {
	p := gray(200, 200, texture)
	h := keypoints.Homography{0.9, -0.2, 30, 0.2, 0.9, 10, 1e-4, 0, 1}
	var negative keypoints.Homography
	for i, v := range h {
		negative[i] = -2 * v
	}
	r := square(t, 90, 90, 8, 20)
	if !r.Inside(h, 200, 200) || !r.Inside(negative, 200, 200) {
		t.Fatal("not inside")
	}
	if !slices.Equal(p.Cut(r, h, 65), p.Cut(r, negative, 65)) {
		t.Error("patches differ")
	}
}

func TestARegionThroughAHomographyIsTheAffineMapNearIt(t *testing.T) {
	h := keypoints.Homography{0.9, -0.25, 70, 0.2, 0.8, 30, 2e-4, -1e-4, 1}
	r := square(t, 120, 80, 10, 40)
	got := r.Through(h)
	const step = 1e-5
	for i, d := range [][2]float64{{step, 0}, {0, step}} {
		x, y := h.Apply(r.X+r.A[0][0]*d[0]+r.A[0][1]*d[1], r.Y+r.A[1][0]*d[0]+r.A[1][1]*d[1])
		if math.Abs((x-got.X)/step-got.A[0][i]) > 1e-3 || math.Abs((y-got.Y)/step-got.A[1][i]) > 1e-3 {
			t.Errorf("column %d of %v, want (%v, %v)", i, got.A, (x-got.X)/step, (y-got.Y)/step)
		}
	}
}

func TestKeypointsWithoutPlaceOrSizeHaveNoRegion(t *testing.T) {
	for _, k := range []keypoints.Keypoint{{X: 1, Y: 1}, {X: float32(math.NaN()), Size: 4}, {Size: float32(math.Inf(1))}} {
		if _, ok := Of(k, 5); ok {
			t.Errorf("%+v has a region", k)
		}
	}
}
