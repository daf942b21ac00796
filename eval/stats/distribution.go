package stats

import (
	"cmp"
	"math"
	"slices"
)

// A Distribution says how often the values of a quantity occur.
type Distribution struct {
	Name   string // of the quantity
	Label  string // of its axis, with the unit
	Log    bool   // bins grow in proportion to the values
	Whole  bool   // values are whole numbers with a bin each, if there are few
	Series []Series
}

// A Series holds the values of a quantity for one system or class.
type Series struct {
	Name   string
	Index  int       // selects the look in the figure
	Values []float64 // finite, in any order
}

// distributionBins is the largest number of bins of a distribution.
const distributionBins = 50

// Edges returns the common edges of the bins of all series: bin i is from edge i,
// included, to edge i+1, excluded but for the last bin.
func (d *Distribution) Edges() []float64 {
	low, high, least := math.Inf(1), math.Inf(-1), math.Inf(1)
	for _, s := range d.Series {
		for _, v := range s.Values {
			low, high = min(low, v), max(high, v)
			if v > 0 {
				least = min(least, v)
			}
		}
	}
	switch {
	case !(low <= high):
		return nil
	case d.Whole:
		width := math.Max(1, math.Ceil((high-low+1)/distributionBins))
		var edges []float64
		for at := low - 0.5; at < high+0.5+width; at += width {
			edges = append(edges, at)
		}
		return edges
	case low == high:
		return []float64{low, high}
	case d.Log && low >= 0 && least < high:
		var edges []float64
		if low < least {
			edges = append(edges, low) // zero, which has no logarithm
		}
		for i := range distributionBins {
			edges = append(edges, least*math.Pow(high/least, float64(i)/distributionBins))
		}
		return append(edges, high)
	}
	edges := make([]float64, distributionBins+1)
	for i := range edges {
		edges[i] = low + (high-low)*float64(i)/distributionBins
	}
	edges[distributionBins] = high
	return edges
}

// Counts returns the number of values of a series in each bin.
func (s Series) Counts(edges []float64) []int {
	if len(edges) == 0 {
		return nil
	}
	counts := make([]int, len(edges)-1)
	for _, v := range s.Values {
		at, found := slices.BinarySearch(edges, v)
		if !found {
			at--
		}
		counts[min(max(at, 0), len(counts)-1)]++
	}
	return counts
}

// Quantile returns the smallest of the ascending values such that at least the share q
// of all values is at most it.
func Quantile[T cmp.Ordered](ascending []T, q float64) T {
	return ascending[max(0, int(math.Ceil(q*float64(len(ascending))))-1)]
}

// Positions counts positions in images: cell (i, j) is row i from the top and column j
// from the left.
type Positions struct {
	Name, Label string
	Counts      [][]int
}

// NewPositions returns empty counts with cells for images that are wider than high.
func NewPositions(name, label string) *Positions {
	p := &Positions{Name: name, Label: label, Counts: make([][]int, 20)}
	for i := range p.Counts {
		p.Counts[i] = make([]int, 32)
	}
	return p
}

// Add counts a position from (0, 0), the top left corner of an image, to (1, 1).
func (p *Positions) Add(x, y float64) {
	cell := func(v float64, n int) int { return min(max(int(v*float64(n)), 0), n-1) }
	p.Counts[cell(y, len(p.Counts))][cell(x, len(p.Counts[0]))]++
}
