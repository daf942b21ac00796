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

// places returns the places of distances of positives.
func (p *positives) places(distances []float64) []int32 {
	out := make([]int32, len(distances))
	for i, d := range distances {
		out[i] = int32(p.edges.Place(d))
	}
	return out
}

// count adds negatives to counts by their place. To noFarther[k] it adds the number of
// those whose place is at most places[k].
func (p *positives) count(distances []float64, counts []int64, places []int32, noFarther []int64) {
	for _, d := range distances {
		at := int32(p.edges.Place(d))
		counts[at]++
		for k, place := range places {
			if at <= place {
				noFarther[k]++
			}
		}
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
