package keypoints

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

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
			for _, radius := range []float64{0, 1e-322, 3, 1e5, math.Inf(1), -1, math.NaN()} {
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
					if !(px <= radius) || want < 0 {
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
