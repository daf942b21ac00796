package truth

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"descbench/eval/paired"
	"descbench/keypoints"
)

// at returns keypoints at the given positions.
func at(positions ...[2]float32) []keypoints.Keypoint {
	out := make([]keypoints.Keypoint, len(positions))
	for i, p := range positions {
		out[i] = keypoints.Keypoint{X: p[0], Y: p[1]}
	}
	return out
}

// places returns the places of points that h maps.
func places(h keypoints.Homography, points []keypoints.Keypoint) []keypoints.Place {
	out := make([]keypoints.Place, len(points))
	for i, k := range points {
		out[i].X, out[i].Y = h.Apply(float64(k.X), float64(k.Y))
	}
	return out
}

// byAllPairs is Find by its definition: every query with every candidate.
func byAllPairs(queries []keypoints.Place, candidates []keypoints.Keypoint, maxErrorPx float64) []Truth {
	out := make([]Truth, len(queries))
	for i, q := range queries {
		best, row := math.Inf(1), -1
		for j, c := range candidates {
			dx, dy := float64(c.X)-q.X, float64(c.Y)-q.Y
			if d := float64(dx*dx) + float64(dy*dy); d < best { // false for NaN
				best, row = d, j
			}
		}
		out[i] = Truth{Row: -1, Error: math.Inf(1), Place: q}
		if d := math.Sqrt(best); row >= 0 && d <= maxErrorPx {
			out[i].Row, out[i].Error = int32(row), d
		}
	}
	return out
}

// sameTruth compares bit by bit, but takes all NaN for equal.
func sameTruth(a, b Truth) bool {
	same := func(x, y float64) bool { return x == y || math.IsNaN(x) && math.IsNaN(y) }
	return a.Row == b.Row && same(a.Error, b.Error) && same(a.X, b.X) && same(a.Y, b.Y)
}

func TestTruthIsTheNearestCandidateWithinTheTolerance(t *testing.T) {
	candidates := at([2]float32{3, 4}, [2]float32{100, 0}, [2]float32{-3, 4}, [2]float32{200, 200}, [2]float32{100, 0})
	shift := keypoints.Homography{1, 0, 10, 0, 1, 0, 0, 0, 1}
	for _, c := range []struct {
		name  string
		query [2]float32
		max   float64
		row   int32
		px    float64
	}{
		{"3-4-5 triangles, two as near: the lower row", [2]float32{-10, 0}, 10, 0, 5},
		{"the tolerance itself is near enough", [2]float32{-10, 0}, 5, 0, 5},
		{"beyond the tolerance", [2]float32{-10, 0}, math.Nextafter(5, 0), -1, math.Inf(1)},
		{"two at one position: the lower row", [2]float32{90.5, 0}, 3, 1, 0.5},
		{"tolerance 0, exact hit", [2]float32{190, 200}, 0, 3, 0},
		{"tolerance 0, no hit", [2]float32{190, 201}, 0, -1, math.Inf(1)},
		{"no limit", [2]float32{990, 200}, math.Inf(1), 3, 800},
		{"negative tolerance", [2]float32{190, 200}, -1, -1, math.Inf(1)},
		{"tolerance NaN", [2]float32{190, 200}, math.NaN(), -1, math.Inf(1)},
	} {
		got := Find(places(shift, at(c.query)), candidates, c.max)[0]
		want := Truth{Row: c.row, Error: c.px, Place: keypoints.Place{X: float64(c.query[0]) + 10, Y: float64(c.query[1])}}
		if !sameTruth(got, want) {
			t.Errorf("%s: got %+v, want %+v", c.name, got, want)
		}
	}
}

func TestAQueryThatGoesToInfinityHasNoTruth(t *testing.T) {
	h := keypoints.Homography{1, 0, 0, 0, 1, 0, 1, 0, -2} // w = x − 2
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	candidates := at([2]float32{inf, inf}, [2]float32{nan, nan}, [2]float32{0, 0})
	for _, max := range []float64{10, math.Inf(1)} {
		got := Find(places(h, at([2]float32{2, 5}, [2]float32{2, 0}, [2]float32{nan, 0})), candidates, max)
		for i, g := range got {
			if g.Row != -1 || !math.IsInf(g.Error, 1) {
				t.Errorf("query %d within %v px: got %+v, want none", i, max, g)
			}
		}
	}
}

func TestTruthsAndRelevantCandidatesAreThoseOfAllPairs(t *testing.T) {
	// Where points may be: on a coarse lattice, where positions and distances
	// repeat exactly; anywhere in an image; in a crowd; far outside; nowhere.
	position := rapid.OneOf(
		rapid.Map(rapid.IntRange(-12, 12), func(v int) float32 { return float32(v) * 2.5 }),
		rapid.Float32Range(0, 640),
		rapid.Float32Range(100, 100.5),
		rapid.SampledFrom([]float32{-1e9, 1e6, 16777216, 3e38, -3e38, 1e-40, float32(math.NaN()), float32(math.Inf(1))}),
	)
	keypoint := rapid.Custom(func(t *rapid.T) keypoints.Keypoint {
		return keypoints.Keypoint{X: position.Draw(t, "x"), Y: position.Draw(t, "y")}
	})
	homographies := []keypoints.Homography{
		keypoints.Identity,
		{1, 0, 2.5, 0, 1, -1.25, 0, 0, 1},
		{0.8, -0.6, 31, 0.6, 0.8, -7, 0, 0, 1},
		{0.9, 0.1, 20, -0.05, 1.1, 3, 3e-4, -2e-4, 1},
		{1, 0, 0, 0, 1, 0, 0.01, 0, -1}, // x = 100 goes to infinity
	}
	rapid.Check(t, func(t *rapid.T) {
		points := rapid.SliceOfN(keypoint, 0, 40).Draw(t, "queries")
		candidates := rapid.SliceOfN(keypoint, 0, 60).Draw(t, "candidates")
		h := rapid.SampledFrom(homographies).Draw(t, "h")
		radius := rapid.SampledFrom([]float64{0, 1e-170, 0.1, 1.25, 2.5, 3, 3.75, 10, 1e5, 1e300, math.Inf(1)}).Draw(t, "tolerance")
		queries := places(h, points)
		got, relevant := Find(queries, candidates, radius), Relevant(queries, candidates, radius)
		for i, want := range byAllPairs(queries, candidates, radius) {
			if !sameTruth(got[i], want) {
				t.Fatalf("query %d: got %+v, want %+v", i, got[i], want)
			}
			var rows []int32
			for row, c := range candidates {
				if want.PixelError(c) <= radius {
					rows = append(rows, int32(row))
				}
			}
			if row := want.Row; radius < math.Inf(1) && !slices.Equal(relevant[i], rows) || row >= 0 && want.PixelError(candidates[row]) != want.Error {
				t.Fatalf("query %d: relevant %v, want %v with %d at %v px", i, relevant[i], rows, row, want.Error)
			}
		}
	})
}

// The limit belongs to what is relevant, on every side.
func TestCandidatesAtTheLimitAreRelevant(t *testing.T) {
	beyond := math.Nextafter32(13, 14)
	candidates := at([2]float32{7, 20}, [2]float32{13, 20}, [2]float32{10, 17}, [2]float32{10, 23}, [2]float32{beyond, 20}, [2]float32{20 - beyond, 20})
	if got := Relevant([]keypoints.Place{{X: 10, Y: 20}}, candidates, 3); !slices.Equal(got[0], []int32{0, 1, 2, 3}) {
		t.Errorf("found %v, want the first four", got[0])
	}
}

// The usual size of a set.
func BenchmarkFind8000In8000(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	points, candidates := make([]keypoints.Keypoint, 8000), make([]keypoints.Keypoint, 8000)
	for _, set := range [][]keypoints.Keypoint{points, candidates} {
		for i := range set {
			set[i] = keypoints.Keypoint{X: 800 * r.Float32(), Y: 640 * r.Float32()}
		}
	}
	queries := places(keypoints.Identity, points)
	defer paired.PerOp(b)()
	for b.Loop() {
		Find(queries, candidates, 10)
	}
}
