package distractors

import (
	"math"
	"slices"
	"sort"

	"descbench/eval/binary"
)

// positives holds the distances of positives. Negatives are counted by their place among
// them and not kept.
type positives struct {
	edges *binary.Edges // the finite distances
	held  []int64       // positives by place; the last ones are at infinite distance
	n     int
}

// newPositives sorts distances in place.
func newPositives(distances []float64) *positives {
	slices.Sort(distances)
	finite := sort.SearchFloat64s(distances, math.Inf(1))
	p := &positives{edges: binary.NewEdges(slices.Clone(distances[:finite])), n: len(distances)}
	p.held = p.newCounts()
	for _, d := range distances {
		p.held[p.edges.Place(d)]++
	}
	return p
}

// newCounts returns counts of negatives by their place, all zero.
func (p *positives) newCounts() []int64 { return make([]int64, p.edges.Len()+1) }

// count adds negatives to counts by their place.
func (p *positives) count(distances []float64, counts []int64) {
	for _, d := range distances {
		counts[p.edges.Place(d)]++
	}
}

// averagePrecision returns the AP of the positives among the negatives counted, NaN without
// positives.
func (p *positives) averagePrecision(counts []int64) float64 {
	if p.n == 0 {
		return math.NaN()
	}
	var retrieved binary.GroupedPrecision
	for place, negatives := range counts {
		retrieved.Add(p.held[place], negatives)
	}
	return retrieved.Sum() / float64(p.n)
}
