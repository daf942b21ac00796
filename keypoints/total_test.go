package keypoints

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// A labelled set is one image's of a data set.
type labelled struct {
	scene string
	image int
	set   Set
}

func cutOf(total *TotalTop, data []labelled) Cut {
	for _, d := range data {
		total.Add(d.scene, d.image, d.set)
	}
	return total.Cut()
}

func TestTheTotalTopBreaksTiesBySceneThenImageThenRow(t *testing.T) {
	nan := float32(math.NaN())
	data := []labelled{
		{"v_b", 1, responding(1, 3, 2)},
		{"i_a", 2, responding(2, 2, 5)},
		{"v_b", 10, responding(2)}, // after image 2 of v_b, as a number
		{"v_b", 2, responding(nan, 2)},
		{"i_a", 1, responding(0, 2)},
		{"i_c", 1, Set{}},
	}
	// 5 and 3 are first; then the 2s: i_a/1 row 1, i_a/2 rows 0 and 1, v_b/1 row 2,
	// v_b/2 row 1, v_b/10 row 0; then 1, 0, NaN.
	order := []string{"i_a/2/2", "v_b/1/1", "i_a/1/1", "i_a/2/0", "i_a/2/1", "v_b/1/2", "v_b/2/1", "v_b/10/0", "v_b/1/0", "i_a/1/0", "v_b/2/0"}
	for n := -1; n <= len(order)+1; n++ {
		cut := cutOf(NewTotalTop(n, ByResponse), data)
		got := []string{}
		for _, d := range data {
			rows := cut.Rows(d.scene, d.image, d.set)
			if !slices.IsSorted(rows) {
				t.Errorf("top %d: rows %v are out of order", n, rows)
			}
			for _, row := range rows {
				got = append(got, fmt.Sprintf("%s/%d/%d", d.scene, d.image, row))
			}
		}
		want := slices.Sorted(slices.Values(order[:max(0, min(n, len(order)))]))
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("top %d is %v, want %v", n, got, want)
		}
	}
}

func TestACutOfNothingKeepsNothing(t *testing.T) {
	inf := responding(float32(math.Inf(1)))
	for _, n := range []int{0, 3} {
		cut := cutOf(NewTotalTop(n, ByResponse), nil)
		if rows := cut.Rows("", 0, inf); len(rows) != 0 {
			t.Errorf("of nothing the top %d keeps rows %v", n, rows)
		}
	}
}
