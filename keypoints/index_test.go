package keypoints

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

func TestTheNearestPointIsThatOfAllPairs(t *testing.T) {
	// On a coarse lattice, where positions and distances repeat exactly; in a
	// crowd; far outside; nowhere.
	coordinates := []*rapid.Generator[float64]{
		rapid.Map(rapid.IntRange(-3, 3), func(v int) float64 { return float64(v) * 2.5 }),
		rapid.Float64Range(100, 100.5),
		rapid.SampledFrom([]float64{0, -1e9, 1e300, -1e300, 5e-324, math.NaN(), math.Inf(1), math.Inf(-1)}),
	}
	rapid.Check(t, func(t *rapid.T) {
		coordinate := rapid.OneOf(coordinates[:rapid.IntRange(1, 3).Draw(t, "kinds")]...)
		points := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) [2]float64 {
			return [2]float64{coordinate.Draw(t, "x"), coordinate.Draw(t, "y")}
		}), 0, 40).Draw(t, "points")
		radius := rapid.SampledFrom([]float64{0, 1e-170, 0.1, 2.5, 3.75, 1e5, 1e300, math.Inf(1), -1, math.NaN()}).Draw(t, "radius")
		x, y := coordinate.Draw(t, "of x"), coordinate.Draw(t, "of y")

		wantRow, want := int32(-1), math.Inf(1)
		for row, p := range points {
			dx, dy := p[0]-x, p[1]-y
			if d := math.Sqrt(float64(dx*dx) + float64(dy*dy)); d < want && d <= radius { // false for NaN
				// Two squares may have one root: the smaller one wins.
				wantRow, want = int32(row), d
			}
		}
		index := NewIndex(radius, len(points), func(row int) (float64, float64) { return points[row][0], points[row][1] })
		row, distance := index.Nearest(x, y)
		if distance != want || (row < 0) != (wantRow < 0) || row >= 0 && Distance(x, y, points[row][0], points[row][1]) != want {
			t.Fatalf("row %d at %v, want %d at %v", row, distance, wantRow, want)
		}
		// A lower row is only passed over if its square is greater.
		for lower := range max(row, 0) {
			dx, dy := points[lower][0]-x, points[lower][1]-y
			ex, ey := points[row][0]-x, points[row][1]-y
			if float64(dx*dx)+float64(dy*dy) <= float64(ex*ex)+float64(ey*ey) {
				t.Fatalf("row %d, although row %d is as near", row, lower)
			}
		}
	})
}

func TestTheNearestOfManyPointsIsThatOfAllPairs(t *testing.T) {
	kinds := map[string]func(r *rand.Rand) float64{
		"in an image":    func(r *rand.Rand) float64 { return 640 * r.Float64() },
		"on a lattice":   func(r *rand.Rand) float64 { return 2.5 * float64(r.IntN(13)-6) },
		"on a line":      func(*rand.Rand) float64 { return 5 },
		"next numbers":   func(r *rand.Rand) float64 { return math.Float64frombits(math.Float64bits(1) - 3 + uint64(r.IntN(6))) },
		"least numbers":  func(r *rand.Rand) float64 { return float64(r.IntN(9)-4) * math.SmallestNonzeroFloat64 },
		"on a log scale": func(r *rand.Rand) float64 { return math.Ldexp(1, -r.IntN(1200)) },
		"far and nowhere": func(r *rand.Rand) float64 {
			return []float64{0, 1, -1e9, 1e300, -1e300, math.MaxFloat64, math.NaN(), math.Inf(1)}[r.IntN(8)]
		},
	}
	r := rand.New(rand.NewPCG(8, 8))
	for xs, x := range kinds {
		for ys, y := range kinds {
			points := make([][2]float64, 300)
			for i := range points {
				points[i] = [2]float64{x(r), y(r)}
			}
			for _, radius := range []float64{0, 1e-322, 3, 1e5, math.Inf(1)} {
				index := NewIndex(radius, len(points), func(row int) (float64, float64) { return points[row][0], points[row][1] })
				for range 30 {
					u, v := x(r), y(r)
					want, best := int32(-1), math.Inf(1)
					for row, p := range points {
						dx, dy := p[0]-u, p[1]-v
						if d := float64(dx*dx) + float64(dy*dy); d < best { // false for NaN
							want, best = int32(row), d
						}
					}
					px := math.Sqrt(best)
					if px > radius || want < 0 {
						want, px = -1, math.Inf(1)
					}
					if row, distance := index.Nearest(u, v); row != want || distance != px {
						t.Fatalf("x %s, y %s, within %v of (%v, %v): row %d at %v, want %d at %v", xs, ys, radius, u, v, row, distance, want, px)
					}
				}
			}
		}
	}
}

func TestOfPointsAsNearTheLowestRowWins(t *testing.T) {
	for name, points := range map[string][][2]float64{
		"left and right":   {{-5, 0}, {5, 0}},
		"right and left":   {{5, 0}, {-5, 0}},
		"below and above":  {{0, 5}, {0, -5}},
		"above and right":  {{0, -5}, {5, 0}},
		"3-4-5 triangles":  {{-3, 4}, {4, -3}, {3, -4}},
		"at one place":     {{3, 4}, {3, 4}},
		"a further before": {{3, 4}, {7, 0}, {-5, 0}},
	} {
		index := NewIndex(9, len(points), func(row int) (float64, float64) { return points[row][0], points[row][1] })
		if row, distance := index.Nearest(0, 0); row != 0 || distance != 5 {
			t.Errorf("%s: row %d at %v, want 0 at 5", name, row, distance)
		}
	}
}

func TestDistanceIsPythagorasAndTheSameInEitherDirection(t *testing.T) {
	if got := Distance(1, 2, 4, 6); got != 5 {
		t.Errorf("from (1, 2) to (4, 6): %v, want 5", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SliceOfN(rapid.Float64Range(-1e4, 1e4), 4, 4).Draw(t, "points")
		if a, b := Distance(v[0], v[1], v[2], v[3]), Distance(v[2], v[3], v[0], v[1]); a != b {
			t.Fatalf("%v there, %v back", a, b)
		}
	})
}
