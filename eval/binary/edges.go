package binary

import (
	"math"
	"slices"
)

// Edges are ascending distances at which Bins count samples exactly. They are safe
// for concurrent use.
type Edges struct {
	at []float64
	// first holds, for each cell of a uniform grid from the first edge to the last, the
	// first edge that is in this cell or a later one.
	first    []int32
	perWidth float64 // cells per unit of distance
}

// NewEdges returns the distinct values among distances, which must be finite. It
// sorts distances and keeps them.
func NewEdges(distances []float64) *Edges {
	slices.Sort(distances)
	e := &Edges{at: slices.Compact(distances)}
	n := len(e.at)
	if n < 2 {
		return e
	}
	cells := 4 * n
	e.perWidth = float64(cells-1) / (e.at[n-1] - e.at[0])
	if math.IsInf(e.perWidth, 0) || e.perWidth == 0 { // edges too close or too far apart
		e.perWidth, cells = 0, 1
	}
	e.first = make([]int32, cells+1)
	i := 0
	for cell := range e.first {
		for i < n && e.cell(e.at[i]) < cell {
			i++
		}
		e.first[cell] = int32(i)
	}
	e.first[cells] = int32(n)
	return e
}

// Len returns the number of edges.
func (e *Edges) Len() int { return len(e.at) }

// Thin returns at most n of the edges, n ≥ 2: all if there are no more, else evenly
// spaced ones with the first and the last.
func (e *Edges) Thin(n int) *Edges {
	if len(e.at) <= n {
		return e
	}
	some := make([]float64, n)
	for i := range some {
		some[i] = e.at[i*(len(e.at)-1)/(n-1)]
	}
	return NewEdges(some)
}

// With returns the edges and further distances.
func (e *Edges) With(distances []float64) *Edges {
	return NewEdges(slices.Concat(e.at, distances))
}

// cell does not decrease as d grows.
func (e *Edges) cell(d float64) int {
	if e.perWidth == 0 { // the difference may be infinite
		return 0
	}
	return int((d - e.at[0]) * e.perWidth)
}

// bin returns the bin of a distance: 2i+1 if it equals edge i, 2i if it is below edge
// i and above the one before, twice the number of edges if it is above all.
func (e *Edges) bin(d float64) int {
	at := e.Place(d)
	if at < len(e.at) && e.at[at] == d {
		return 2*at + 1
	}
	return 2 * at
}

// Place returns the index of the first edge at a distance or beyond, or the number of
// edges if there is none. NaN is beyond all edges.
func (e *Edges) Place(d float64) int {
	n := len(e.at)
	if n == 0 || !(d <= e.at[n-1]) {
		return n
	}
	if d <= e.at[0] {
		return 0
	}
	cell := e.cell(d)
	low, high := int(e.first[cell]), int(e.first[cell+1])
	for high-low > 8 {
		if middle := (low + high) / 2; e.at[middle] < d {
			low = middle + 1
		} else {
			high = middle
		}
	}
	for e.at[low] < d { // ends, because d is at most the last edge
		low++
	}
	return low
}
