package surf

import (
	"math"
	"slices"
	"testing"

	"descbench/keypoints"
)

// sizePerSigma returns the size of the filter with the largest response to a
// Gaussian blob of σ = 1, integrating it over boxes of any real size: in the
// direction of the derivative 1, -2, 1 on thirds of the size, in the other 1
// on five ninths, divided by the area of a box.
func sizePerSigma() float64 {
	within := func(a float64) float64 { return math.Erf(a / math.Sqrt2) } // of [-a, a]
	best, largest := 0.0, 0.0
	for size := 1.0; size < 12; size += 0.001 {
		response := (3*within(size/6) - within(size/2)) * within(size*5/18) / (size * size)
		if response > largest {
			best, largest = size, response
		}
	}
	return best
}

func TestGaussianBlobIsFoundAtItsCentreWithASizeProportionalToItsSigma(t *testing.T) {
	const x0, y0 = 120.3, 99.6
	perSigma := sizePerSigma()
	for _, sigma := range []float64{2.5, 3, 4, 5, 6.5, 8, 10, 12} {
		for class, height := range map[int32]float64{-1: 120, 1: -120} { // bright, dark
			g := render(240, 200, func(x, y float64) float64 {
				return 127 + height*math.Exp(-((x-x0)*(x-x0)+(y-y0)*(y-y0))/(2*sigma*sigma))
			})
			kps := Detect(g, defaults())
			if len(kps) == 0 {
				t.Fatalf("σ = %v: %d keypoints", sigma, len(kps))
			}
			k := kps[0]
			if d := math.Hypot(float64(k.X)-x0, float64(k.Y)-y0); d > 0.05*sigma {
				t.Errorf("σ = %v: blob found at (%v, %v), want (%v, %v)", sigma, k.X, k.Y, x0, y0)
			}
			// The sizes of neighbouring layers differ by 6 px and more.
			if want := perSigma * sigma; math.Abs(float64(k.Size)-want) > max(2, 0.07*want) {
				t.Errorf("σ = %v: size is %v, want %v ± 7 %% or 2 px", sigma, k.Size, want)
			}
			if k.ClassID != class {
				t.Errorf("σ = %v, height %v: class is %d, want %d", sigma, height, k.ClassID, class)
			}
		}
	}
}

func TestKeypointsAreAboveTheThresholdAndStrongestFirst(t *testing.T) {
	g := clouds(200, 150, 3)
	p := defaults()
	all := Detect(g, p)
	p["hessian_threshold"] = 1500.0
	strong := Detect(g, p)
	if !slices.IsSortedFunc(all, func(a, b keypoints.Keypoint) int { return int(b.Response) - int(a.Response) }) {
		t.Error("responses do not descend")
	}
	n := slices.IndexFunc(all, func(k keypoints.Keypoint) bool { return k.Response <= 1500 })
	if n < 10 || n > len(all)-10 || !slices.Equal(strong, all[:n]) {
		t.Errorf("threshold 1500 leaves %d keypoints, want the first %d of %d", len(strong), n, len(all))
	}
}

func TestOctavesFindSizesOfTheirOwn(t *testing.T) {
	kps := Detect(clouds(500, 400, 4), defaults())
	var count [4]int
	for _, k := range kps {
		count[k.Octave]++
		// Three layers lie between the first and the last of an octave.
		least, most := float32(int(9)<<k.Octave), float32(int(9+6*4)<<k.Octave)
		if k.Size < least || k.Size > most {
			t.Errorf("octave %d: size %v, want %v to %v", k.Octave, k.Size, least, most)
		}
	}
	for octave, n := range count {
		if n == 0 {
			t.Errorf("no keypoint in octave %d; counts are %v", octave, count)
		}
	}
}

func TestNoKeypointsWhereFiltersDoNotFit(t *testing.T) {
	p := defaults()
	p["hessian_threshold"] = 0.0
	for width := 1; width <= 24; width++ {
		for _, height := range []int{1, 8, 9, 21, 22, 300} {
			kps, m := DetectAndDescribe(clouds(width, height, 5), p)
			// The layer above the first searched has filters of size 21, and
			// a sample on either side.
			if min(width, height) < 23 && len(kps) > 0 {
				t.Errorf("%d×%d: %d keypoints, want none", width, height, len(kps))
			}
			if m.Rows != len(kps) {
				t.Errorf("%d×%d: %d rows of %d keypoints", width, height, m.Rows, len(kps))
			}
		}
	}
}

func TestMoreOctavesAndLayersThanFitAreNoMatter(t *testing.T) {
	g := clouds(120, 100, 6)
	p := defaults()
	p["n_octaves"] = int64(5)
	want := Detect(g, p)
	if len(want) == 0 {
		t.Fatalf("%d keypoints", len(want))
	}
	p["n_octaves"] = int64(math.MaxInt)
	got := Detect(g, p)
	if !slices.Equal(got, want) {
		t.Errorf("%d keypoints; want those of 5 octaves, %d", len(got), len(want))
	}
	p["n_octave_layers"] = int64(math.MaxInt)
	if got = Detect(g, p); len(got) == 0 {
		t.Error("no keypoints")
	}
}

func TestMaximumIsAboveAllItsNeighbours(t *testing.T) {
	c := cube{}
	c[1][4] = 1
	if !c.isMaximum() {
		t.Error("an impulse is not a maximum")
	}
	for n := range c {
		for k := range c[n] {
			if n != 1 || k != 4 {
				d := c
				d[n][k] = 1
				if d.isMaximum() {
					t.Errorf("maximum although neighbour %d of layer %d is equal", k, n)
				}
			}
		}
	}
}
