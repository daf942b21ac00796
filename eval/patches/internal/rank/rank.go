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

// A Tie counts the items of a ranking that are equally near.
type Tie struct {
	Relevant, Other int
}

// GroupedAP returns the average precision in which all items of a tie are
// retrieved at once (scikit-learn's average_precision_score). It does not
// depend on the order of equals. p is as for StepAP.
func GroupedAP(ties iter.Seq[Tie], p int) float64 {
	sum, found, seen := 0.0, 0, 0
	for t := range ties {
		found += t.Relevant
		seen += t.Relevant + t.Other
		if t.Relevant > 0 {
			sum += float64(t.Relevant) * float64(found) / float64(seen)
		}
	}
	return over(sum, p)
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

// Ties returns the same list as ties, nearest first.
func Ties(distance []float64, relevant []bool) iter.Seq[Tie] {
	var ties []Tie
	last := math.NaN()
	for _, i := range byDistance(distance) {
		if distance[i] != last {
			ties = append(ties, Tie{})
			last = distance[i]
		}
		if relevant[i] {
			ties[len(ties)-1].Relevant++
		} else {
			ties[len(ties)-1].Other++
		}
	}
	return slices.Values(ties)
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
