package keypoints

import (
	"math"
	"slices"
	"testing"
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
