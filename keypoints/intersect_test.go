package keypoints

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestIntersectPairsMutualNearestNeighboursInTheOrderOfA(t *testing.T) {
	a := at([2]float32{50, 50}, [2]float32{0, 0}, [2]float32{10, 0}, [2]float32{100, 100}, [2]float32{100, 100}, [2]float32{200, 0}, [2]float32{300, 0})
	b := at(
		[2]float32{4, 0},     // 0: nearest to a1, which has it for nearest
		[2]float32{7, 0},     // 1: pairs with a2
		[2]float32{103, 104}, // 2: 5 px from a3 and a4, which are at one place: the lower row
		[2]float32{50, 50},   // 3: pairs with a0
		[2]float32{198, 0},   // 4 and 5: both 2 px from a5: the lower row
		[2]float32{202, 0},
		[2]float32{306, 0}, // 6: 6 px from a6
	)
	for _, c := range []struct {
		tolerance    float64
		rowsA, rowsB []int
	}{
		{5, []int{0, 1, 2, 3, 5}, []int{3, 0, 1, 2, 4}}, // 5 px is near enough
		{math.Nextafter(5, 0), []int{0, 1, 2, 5}, []int{3, 0, 1, 4}},
		{6, []int{0, 1, 2, 3, 5, 6}, []int{3, 0, 1, 2, 4, 6}},
		{math.Inf(1), []int{0, 1, 2, 3, 5, 6}, []int{3, 0, 1, 2, 4, 6}},
		{0, []int{0}, []int{3}},
		{-1, nil, nil},
		{math.NaN(), nil, nil},
	} {
		rowsA, rowsB := Intersect(a, b, c.tolerance)
		if !slices.Equal(rowsA, c.rowsA) || !slices.Equal(rowsB, c.rowsB) {
			t.Errorf("%v px: rows %v and %v, want %v and %v", c.tolerance, rowsA, rowsB, c.rowsA, c.rowsB)
		}
	}
}

func TestKeypointsThatAreNowhereHaveNoPartner(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	a := at([2]float32{nan, 0}, [2]float32{inf, 0}, [2]float32{1, 1})
	if rowsA, rowsB := Intersect(a, a, math.Inf(1)); !slices.Equal(rowsA, []int{2}) || !slices.Equal(rowsB, []int{2}) {
		t.Errorf("rows %v and %v, want 2 and 2", rowsA, rowsB)
	}
	if rowsA, _ := Intersect(a, Set{}, 5); len(rowsA) != 0 {
		t.Errorf("rows %v pair with nothing", rowsA)
	}
}

// intersectByAllPairs is Intersect by its definition.
func intersectByAllPairs(a, b Set, tolerance float64) (rowsA, rowsB []int) {
	nearest := func(k Keypoint, among Set) (int, float64) {
		best, row := math.Inf(1), -1
		for i, o := range among.Keypoints {
			dx, dy := float64(o.X)-float64(k.X), float64(o.Y)-float64(k.Y)
			if d := float64(dx*dx) + float64(dy*dy); d < best {
				best, row = d, i
			}
		}
		return row, math.Sqrt(best)
	}
	for i, k := range a.Keypoints {
		j, d := nearest(k, b)
		if j < 0 || d > tolerance {
			continue
		}
		if back, _ := nearest(b.Keypoints[j], a); back == i {
			rowsA, rowsB = append(rowsA, i), append(rowsB, j)
		}
	}
	return rowsA, rowsB
}

func TestIntersectAgreesWithAllPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawPositions(t, "a"), drawPositions(t, "b")
		tolerance := rapid.SampledFrom([]float64{0, 0.1, 1.25, 2.5, 3, 3.75, 10, 1e5, math.Inf(1)}).Draw(t, "tolerance")
		rowsA, rowsB := Intersect(a, b, tolerance)
		wantA, wantB := intersectByAllPairs(a, b, tolerance)
		if !slices.Equal(rowsA, wantA) || !slices.Equal(rowsB, wantB) {
			t.Fatalf("rows %v and %v, want %v and %v", rowsA, rowsB, wantA, wantB)
		}
	})
}
