package keypoints

import (
	"cmp"
	"math"
	"slices"
)

// A TotalTop finds the n keypoints with the largest measure in a whole data set; ties are
// ordered by scene name, then image, then row. Add takes each set once, in any order, and
// keeps only 16 bytes per keypoint. Cut then says which rows of each set stay.
//
// A TotalTop is not safe for concurrent use.
type TotalTop struct {
	n       int
	by      Measure
	images  []imageName // in the order in which they were added
	entries []entry
}

// An imageName names one set of a data set.
type imageName struct {
	scene string
	image int
}

// An entry is one keypoint of a data set.
type entry struct {
	value float64
	image int32 // index in TotalTop.images
	row   int32
}

// NewTotalTop returns an empty TotalTop.
func NewTotalTop(n int, by Measure) *TotalTop { return &TotalTop{n: n, by: by} }

// Add adds the keypoints of one image.
func (t *TotalTop) Add(scene string, image int, s Set) {
	index := int32(len(t.images))
	t.images = append(t.images, imageName{scene, image})
	t.entries = slices.Grow(t.entries, s.Len())
	for row, k := range s.Keypoints {
		t.entries = append(t.entries, entry{t.by.of(k), index, int32(row)})
	}
}

// Cut returns the threshold for the keypoints added so far.
func (t *TotalTop) Cut() Cut {
	n := min(t.n, len(t.entries))
	if n <= 0 {
		return Cut{t.by, place{value: math.Inf(1), row: -1}} // before every keypoint
	}
	at := func(e entry) place { return place{e.value, t.images[e.image], int(e.row)} }
	slices.SortFunc(t.entries, func(a, b entry) int { return at(a).compare(at(b)) })
	return Cut{t.by, at(t.entries[n-1])}
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
	imageName
	row int
}

func (a place) compare(b place) int {
	return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.scene, b.scene), cmp.Compare(a.image, b.image), cmp.Compare(a.row, b.row))
}

// Rows returns, in ascending order, the rows that stay of the set added for
// this image.
func (c Cut) Rows(scene string, image int, s Set) []int {
	var rows []int
	for row, k := range s.Keypoints {
		if (place{c.by.of(k), imageName{scene, image}, row}).compare(c.last) <= 0 {
			rows = append(rows, row)
		}
	}
	return rows
}
