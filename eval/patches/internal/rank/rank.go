// Package rank computes the average precisions and areas under curves of the patch
// benchmark. Each is a function of the ranks of the relevant items, nearest first.
// The versions of the benchmark differ in how they integrate the area, what they
// divide it by, and how they treat ties.
package rank

import (
	"iter"
	"math"
	"slices"
)

// StepAP returns the average precision without interpolation, as defined by TREC and
// reported by VLFeat's vl_pr (info.ap): the sum of the precisions at the relevant
// items, divided by p. ranks yields the ranks of the retrieved relevant items, from
// 1, in ascending order; p is the number of all relevant items. The result is 0 if p
// is 0, as in the benchmark.
func StepAP(ranks iter.Seq[int], p int) float64 {
	sum, found := 0.0, 0.0
	for r := range ranks {
		found++
		sum += found / float64(r)
	}
	return over(sum, p)
}

// TrapezoidAP returns the area under the precision-recall curve by trapezoids between
// the ranks, with precision 1 at recall 0. This is vl_pr's info.auc; the benchmark's
// Python code calls it average precision.
func TrapezoidAP(ranks iter.Seq[int], p int) float64 {
	sum, found := 0.0, 0.0
	for r := range ranks {
		before := 1.0
		if r > 1 {
			before = found / float64(r-1)
		}
		found++
		sum += (before + found/float64(r)) / 2
	}
	return over(sum, p)
}

func over(sum float64, p int) float64 {
	if p == 0 {
		return 0
	}
	return sum / float64(p)
}

// Ordered returns the ranks of the relevant items of a list in ascending order of
// distance. Items with equal distances keep the order of the list. Items at +Inf are
// never retrieved.
func Ordered(distance []float64, relevant []bool) iter.Seq[int] {
	var ranks []int
	for r, i := range byDistance(distance) {
		if relevant[i] {
			ranks = append(ranks, r+1)
		}
	}
	return slices.Values(ranks)
}

// byDistance returns the items with finite distances in ascending order, stable on
// ties.
func byDistance(distance []float64) []int {
	type item struct {
		distance float64
		index    int
	}
	items := make([]item, 0, len(distance))
	for i, d := range distance {
		if d < math.Inf(1) {
			items = append(items, item{d, i})
		}
	}
	slices.SortFunc(items, func(a, b item) int {
		switch {
		case a.distance < b.distance:
			return -1
		case a.distance > b.distance:
			return 1
		}
		return a.index - b.index
	})
	order := make([]int, len(items))
	for i, item := range items {
		order[i] = item.index
	}
	return order
}
