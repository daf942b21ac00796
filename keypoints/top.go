package keypoints

import (
	"cmp"
	"fmt"
	"slices"
)

// A Measure is what keypoints are selected by; more is better.
type Measure func(Keypoint) float64

// ByResponse measures a keypoint by the strength that its detector gave it.
func ByResponse(k Keypoint) float64 { return float64(k.Response) }

// ParseMeasure returns the measure of that name in configs.
func ParseMeasure(name string) (Measure, error) {
	if name == "response" {
		return ByResponse, nil
	}
	return nil, fmt.Errorf("measure %q, want response", name)
}

// Top returns the n keypoints that measure most, most first, equal ones in
// their order; all of them, so ordered, if there are no more than n. A
// keypoint that measures NaN comes last.
func (s Set) Top(n int, by Measure) Set {
	ranked := make([]measured, s.Len())
	for i, k := range s.Keypoints {
		ranked[i] = measured{by(k), i}
	}
	slices.SortFunc(ranked, measured.compare)
	rows := make([]int, max(0, min(n, len(ranked))))
	for i := range rows {
		rows[i] = ranked[i].row
	}
	return s.Select(rows)
}

// A measured is one keypoint in a ranking.
type measured struct {
	value float64
	row   int
}

// compare orders by value, descending, NaN last, then by row. It is total, so
// that the order does not depend on the sorting algorithm.
func (a measured) compare(b measured) int {
	return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.row, b.row))
}
