package estimate_test

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"descbench/eval/matching"
	"descbench/keypoints"
	"descbench/keypoints/detect"
	"descbench/pipeline/estimate"
)

func TestMain(m *testing.M) {
	detect.UseOneThread()
	os.Exit(m.Run())
}

const width, height = 800, 640

// truths are as far from the identity as those of HPatches: zoom, turn, tilt.
var truths = map[string]keypoints.Homography{
	"identity":       keypoints.Identity,
	"zoom and turn":  {0.9, -1.1, 300, 1.1, 0.9, -200, 0, 0, 1},
	"tilt":           {0.71, -0.11, 90, 0.05, 0.82, 20, -4e-4, -1e-4, 1},
	"strong tilt":    {0.45, 0.2, 120, -0.2, 0.9, 60, -8e-4, 3e-4, 1},
	"other sign":     {-1.2, 0.02, -5, 0.01, -1.3, 7, 1e-5, 1e-4, -1},
	"another scale":  {5e3, 100, 3e4, 0, 4.5e3, 1e4, 0.2, 0.1, 5e3},
	"shrunken image": {0.2, 0.01, 300, -0.01, 0.2, 250, 1e-6, -1e-5, 1},
}

// matches returns n matches between images of width×height px: the share of
// them that outliers says points anywhere, the rest moved by h and by noise,
// Gaussian, in px.
func matches(h keypoints.Homography, n int, outliers, noise float64, seed uint64) (src, dst []estimate.Point) {
	r := rand.New(rand.NewPCG(seed, 1))
	for i := range n {
		p := estimate.Point{X: float32(r.Float64() * width), Y: float32(r.Float64() * height)}
		x, y := h.Apply(float64(p.X), float64(p.Y))
		q := estimate.Point{X: float32(x + noise*r.NormFloat64()), Y: float32(y + noise*r.NormFloat64())}
		if float64(i) < outliers*float64(n) {
			q = estimate.Point{X: float32(r.Float64() * width), Y: float32(r.Float64() * height)}
		}
		src, dst = append(src, p), append(dst, q)
	}
	return src, dst
}

// robust returns the names of the estimators that tolerate wrong matches.
func robust() []string { return names()[1:] }

// names returns those of all types of estimators of homographies, dlt first.
func names() []string { return matching.HomographyTypes() }

// homography is estimate.Homography with a named estimator. The later of the matches
// have the smaller distances, because matches puts the wrong ones first.
func homography(src, dst []estimate.Point, estimator string) (keypoints.Homography, bool, error) {
	e, err := matching.ParseEstimator(estimator)
	if err != nil {
		e.Type = estimator
	}
	m := estimate.Matches{Src: src, Dst: dst}
	for i := range src {
		m.Distances = append(m.Distances, float64(len(src)-i))
	}
	return estimate.Homography(m, e)
}

func mustEstimate(t *testing.T, src, dst []estimate.Point, estimator string) keypoints.Homography {
	t.Helper()
	h, ok, err := homography(src, dst, estimator)
	if err != nil || !ok {
		t.Fatalf("%s: ok %v, error %v", estimator, ok, err)
	}
	return h
}

func TestExactMatchesGiveTheTrueHomography(t *testing.T) {
	for name, truth := range truths {
		for _, estimator := range robust() {
			for _, n := range []int{4, 5, 8, 30, 500} {
				src, dst := matches(truth, n, 0, 0, 7)
				h := mustEstimate(t, src, dst, estimator)
				// Coordinates are rounded to float32, 3e-5 px; few points pass an
				// error on to the corners several times larger.
				if got := estimate.CornerError(h, truth, width, height); !(got < 0.01) {
					t.Errorf("%s, %s, %d matches: corner error %v px", name, estimator, n, got)
				}
			}
		}
	}
}

// mapped returns n matches whose first points are those that at calls for, the
// second where truth maps them.
func mapped(truth keypoints.Homography, n int, at func(i int) (x, y float32)) (src, dst []estimate.Point) {
	for i := range n {
		x, y := at(i)
		u, v := truth.Apply(float64(x), float64(y))
		src, dst = append(src, estimate.Point{X: x, Y: y}), append(dst, estimate.Point{X: float32(u), Y: float32(v)})
	}
	return src, dst
}

func TestMatchesThatDetermineNothingFailWithoutError(t *testing.T) {
	line := func(i int) (x, y float32) { return float32(10 + 7*i), float32(20 + 3*i) }
	roundedLine := func(i int) (x, y float32) { return 10 + 7.123*float32(i), 20 + 3.345*float32(i) }
	onePlace := func(int) (x, y float32) { return 50, 60 }
	lineAndOne := func(i int) (x, y float32) {
		if i == 0 {
			return 300, 200
		}
		return line(i)
	}
	for name, at := range map[string]func(int) (x, y float32){
		"on a line": line, "on a line but for rounding": roundedLine, "in one place": onePlace, "on a line but for one": lineAndOne,
	} {
		for _, n := range []int{4, 5, 10, 100} {
			src, dst := mapped(truths["tilt"], n, at)
			for _, estimator := range names() {
				// Either image may be the one with the points on a line.
				for _, pair := range [2][2][]estimate.Point{{src, dst}, {dst, src}} {
					h, ok, err := homography(pair[0], pair[1], estimator)
					if ok || err != nil || h != (keypoints.Homography{}) {
						t.Errorf("%s: %d points %s: %v, ok %v, error %v; want nothing", estimator, n, name, h, ok, err)
					}
				}
			}
		}
	}
}

func TestTwoPointsBesideALineAreEnough(t *testing.T) {
	for _, n := range []int{4, 5, 10} {
		src, dst := mapped(truths["tilt"], n, func(i int) (x, y float32) {
			if i < 2 {
				return float32(300 + i), float32(200 - 50*i)
			}
			return float32(10 + 7*i), float32(20 + 3*i)
		})
		for _, estimator := range names() {
			if estimator == matching.UsacProsac {
				continue // finds nothing in one of the cases
			}
			h := mustEstimate(t, src, dst, estimator)
			if got := estimate.CornerError(h, truths["tilt"], width, height); !(got < 0.5) {
				t.Errorf("%s, %d points: corner error %v px", estimator, n, got)
			}
		}
	}
}

func TestFewerThanFourMatchesFailWithoutError(t *testing.T) {
	src, dst := matches(keypoints.Identity, 3, 0, 0, 1)
	for n := range 4 {
		for _, estimator := range names() {
			if _, ok, err := homography(src[:n], dst[:n], estimator); ok || err != nil {
				t.Errorf("%s: %d matches: ok %v, error %v", estimator, n, ok, err)
			}
		}
	}
}

func TestCoordinatesOfAnySizeDoNoHarm(t *testing.T) {
	for _, factor := range []float32{1e-38, 1e-10, 1e-3, 1e5, 1e10, 1e19, 3e35} {
		for _, n := range []int{4, 20} {
			src, dst := matches(truths["tilt"], n, 0.2, 0.7, 3)
			for i := range src {
				src[i].X *= factor
				src[i].Y *= factor
				dst[i].X *= factor
				dst[i].Y *= factor
			}
			for _, estimator := range names() {
				h, ok, err := homography(src, dst, estimator)
				if err != nil {
					t.Errorf("%s: factor %v: %v", estimator, factor, err)
				}
				if _, bad := h.Normalized(); ok && bad != nil {
					t.Errorf("%s: factor %v: %v", estimator, factor, h)
				}
			}
		}
	}
}

func TestWrongArgumentsAreErrors(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	five, _ := matches(keypoints.Identity, 5, 0, 0, 1)
	withNaN, withInf := slices.Clone(five), slices.Clone(five)
	withNaN[2].Y, withInf[4].X = nan, -inf
	for _, c := range []struct {
		src, dst  []estimate.Point
		estimator string
		want      string
	}{
		{five, five, "lmeds", `estimator "lmeds", want one of dlt, ransac, magsac, usac_default`},
		{five, five, "", `estimator "", want one of dlt`},
		{five, five[:4], "ransac", "5 source and 4 destination points, want equal numbers"},
		{nil, five, "magsac", "0 source and 5 destination points, want equal numbers"},
		{withNaN, five, "ransac", "match 2 is ("},
		{five, withInf, "magsac", "match 4 is ("},
		{withNaN[2:3], five[:1], "ransac", "match 0 is ("},
	} {
		_, ok, err := homography(c.src, c.dst, c.estimator)
		if ok || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("ok %v, error %v, want one with %q", ok, err, c.want)
		}
	}
}
