package stats

import (
	"cmp"
	"math"
	"slices"
)

// Holm returns p-values adjusted for multiple comparisons, in the given order.
// Calling adjusted values up to α significant keeps the probability of any
// false claim among them at or below α. NaN marks a comparison that could not
// be made; it stays NaN and is not counted.
//
// Source: Holm, A Simple Sequentially Rejective Multiple Test Procedure,
// Scandinavian Journal of Statistics 6, 1979.
func Holm(p []float64) []float64 {
	adjusted := slices.Clone(p)
	var order []int
	for i, v := range p {
		if !math.IsNaN(v) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	largest := 0.0
	for rank, i := range order {
		largest = max(largest, min(1, float64(len(order)-rank)*p[i]))
		adjusted[i] = largest
	}
	return adjusted
}
