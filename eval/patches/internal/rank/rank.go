// Package rank holds the average precisions and areas under curves of the
// patch benchmark. Each is a function of where the relevant items stand in a
// ranking, nearest first; what differs between the benchmark's generations is
// how the area is taken, what it is divided by, and what ties are.
package rank

import (
	"iter"
	"math"
	"slices"
	"sort"

	"descbench/eval/binary"
)

// StepAP returns the average precision without interpolation, as TREC takes it
// and VLFeat's vl_pr reports it (info.ap): the precisions at the relevant
// items, summed and divided by p. ranks holds the ranks of the relevant items
// that were retrieved, from 1, ascending; p is the number that could have been.
// It is 0 if p is 0, as the benchmark has it.
func StepAP(ranks iter.Seq[int], p int) float64 {
	sum, found := 0.0, 0.0
	for r := range ranks {
		found++
		sum += found / float64(r)
	}
	return over(sum, p)
}

// TrapezoidAP returns the area under the precision-recall curve by trapezoids
// between the ranks, with precision 1 at recall 0: vl_pr's info.auc, and what
// the benchmark's Python code calls average precision.
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

// GroupedAP returns the average precision of a list in which all items of a
// distance are retrieved at once. Items at +Inf are never retrieved. p is as for
// StepAP.
func GroupedAP(distance []float64, relevant []bool, p int) float64 {
	var g binary.GroupedPrecision
	order := byDistance(distance)
	for len(order) > 0 {
		var found, other int64
		last := distance[order[0]]
		for len(order) > 0 && distance[order[0]] == last {
			if relevant[order[0]] {
				found++
			} else {
				other++
			}
			order = order[1:]
		}
		g.Add(found, other)
	}
	return over(g.Sum(), p)
}

// Ordered returns the ranks of the relevant items of a list ordered by
// ascending distance, equals in the order of the list. Items at +Inf are never
// retrieved.
func Ordered(distance []float64, relevant []bool) iter.Seq[int] {
	var ranks []int
	for r, i := range byDistance(distance) {
		if relevant[i] {
			ranks = append(ranks, r+1)
		}
	}
	return slices.Values(ranks)
}

// byDistance returns the items nearer than +Inf in stable ascending order.
func byDistance(distance []float64) []int {
	order := make([]int, 0, len(distance))
	for i, d := range distance {
		if d < math.Inf(1) {
			order = append(order, i)
		}
	}
	sort.SliceStable(order, func(a, b int) bool { return distance[order[a]] < distance[order[b]] })
	return order
}
