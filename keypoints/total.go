package keypoints

import (
	"cmp"
	"math"
	"slices"
)

// A TotalTop finds the n keypoints with the largest measure in a whole data set; ties are
// ordered by scene name, then image, then row. Add takes each set once, in any order, and keeps
// at most 2n places. Cut then says which rows of each set stay.
//
// A TotalTop is not safe for concurrent use.
type TotalTop struct {
	n    int
	by   Measure
	best []place // of the keypoints added so far: the first n, and perhaps others
}

// NewTotalTop returns an empty TotalTop.
func NewTotalTop(n int, by Measure) *TotalTop { return &TotalTop{n: max(n, 0), by: by} }

// Add adds the keypoints of one image.
func (t *TotalTop) Add(scene string, image int, s Set) {
	for row, k := range s.Keypoints {
		if len(t.best) == 2*t.n {
			t.trim()
		}
		t.best = append(t.best, place{t.by.of(k), scene, image, row})
	}
}

// trim puts the keypoints in order and leaves out those behind the first n.
func (t *TotalTop) trim() {
	slices.SortFunc(t.best, place.compare)
	t.best = t.best[:min(t.n, len(t.best))]
}

// Cut returns the threshold for the keypoints added so far.
func (t *TotalTop) Cut() Cut {
	t.trim()
	if len(t.best) == 0 {
		return Cut{t.by, place{value: math.Inf(1), row: -1}} // before every keypoint
	}
	return Cut{t.by, t.best[len(t.best)-1]}
}

// A Cut is the position, in the order of all keypoints of a data set, of the
// last keypoint that stays. It is small and safe for concurrent use.
type Cut struct {
	by   Measure
	last place // of the last keypoint that stays
}

// A place is the position of one keypoint in the order of a data set.
type place struct {
	value float64
	scene string
	image int
	row   int
}

func (a place) compare(b place) int {
	return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.scene, b.scene), cmp.Compare(a.image, b.image), cmp.Compare(a.row, b.row))
}

// Rows returns, in ascending order, the rows that stay of the set added for
// this image.
func (c Cut) Rows(scene string, image int, s Set) []int {
	var rows []int
	for row, k := range s.Keypoints {
		if (place{c.by.of(k), scene, image, row}).compare(c.last) <= 0 {
			rows = append(rows, row)
		}
	}
	return rows
}
