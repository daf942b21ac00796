package distractors

import (
	"math"
	"slices"

	"descbench/eval/binary"
)

// positives holds the distances of positives. Negatives are counted by their place among
// them, the bin of binary.Edges, and not kept. Invalid ones are beyond all.
type positives struct {
	n     int           // with those at infinite distance
	edges *binary.Edges // the distinct finite distances
	at    []int64       // positives at each of them
}

// newPositives sorts distances in place.
func newPositives(distances []float64) *positives {
	slices.Sort(distances)
	finite := len(distances)
	for finite > 0 && math.IsInf(distances[finite-1], 1) {
		finite--
	}
	p := &positives{n: len(distances), edges: binary.NewEdges(slices.Clone(distances[:finite]))}
	p.at = make([]int64, p.edges.Len())
	for _, d := range distances[:finite] {
		p.at[p.edges.Bin(d)/2]++
	}
	return p
}

// newCounts returns counts of negatives by their place, all zero.
func (p *positives) newCounts() []int64 { return make([]int64, 2*len(p.at)+1) }

// places returns the places of distances of positives.
func (p *positives) places(distances []float64) []int {
	out := make([]int, len(distances))
	for i, d := range distances {
		out[i] = p.edges.Bin(d)
	}
	return out
}

// count adds negatives to counts by their place. To noFarther[k] it adds the number of
// those whose place is at most places[k].
func (p *positives) count(distances []float64, counts []int64, places []int, noFarther []int64) {
	for _, d := range distances {
		at := p.edges.Bin(d)
		counts[at]++
		for k, place := range places {
			if at <= place {
				noFarther[k]++
			}
		}
	}
}

// averagePrecision returns the AP of the positives among all negatives, NaN without
// positives. counts are from newCounts.
func (p *positives) averagePrecision(counts []int64, all int64) float64 {
	if p.n == 0 {
		return math.NaN()
	}
	var retrieved binary.GroupedPrecision
	infinite := int64(p.n)
	for i, n := range p.at {
		before := counts[2*i] + counts[2*i+1]
		retrieved.Add(n, before)
		infinite, all = infinite-n, all-before
	}
	retrieved.Add(infinite, all) // all other negatives tie with those at infinite distance
	return retrieved.Sum() / float64(p.n)
}
