package tasks

import (
	"math"
	"slices"

	"descbench/eval/binary"
)

// positives are the distances of positives, ascending, among which negatives
// are counted without being kept.
type positives struct {
	distances []float64
	// lookup[b] is the first distance whose bin is b or greater: below it are
	// only smaller ones. Bins are of equal width from the least distance to the
	// largest.
	lookup []int32
	least  float64
	scale  float64 // bins per distance
	finite int     // of the distances
}

// newPositives takes distances, which it sorts.
func newPositives(distances []float64) *positives {
	slices.Sort(distances)
	p := &positives{distances: distances, finite: len(distances)}
	for p.finite > 0 && math.IsInf(distances[p.finite-1], 1) {
		p.finite--
	}
	bins := max(8*p.finite, 1)
	if p.finite > 0 {
		p.least = distances[0]
		if width := p.largest() - p.least; width > 0 && !math.IsInf(float64(bins)/width, 1) {
			p.scale = float64(bins) / width
		}
	}
	p.lookup = make([]int32, bins+2)
	at := 0
	for b := range p.lookup {
		for at < p.finite && p.bin(distances[at]) < b {
			at++
		}
		p.lookup[b] = int32(at)
	}
	return p
}

// largest returns the greatest finite distance, -Inf if there is none.
func (p *positives) largest() float64 {
	if p.finite == 0 {
		return math.Inf(-1)
	}
	return p.distances[p.finite-1]
}

// bin returns that of a distance from the least to the largest; it never falls
// as the distance grows.
func (p *positives) bin(d float64) int { return int((d - p.least) * p.scale) }

// place returns the first positive that is not nearer than d, which must not be
// beyond the largest: it and those after it have a sample at d before them or
// beside them.
func (p *positives) place(d float64) int {
	if d <= p.least {
		return 0
	}
	i := int(p.lookup[p.bin(d)])
	for p.distances[i] < d {
		i++
	}
	return i
}

// averagePrecision returns the AP of the positives among negatives of which
// counts[i] have place i; the rest, up to all, lies beyond the largest.
// NaN without positives.
func (p *positives) averagePrecision(counts []int64, all int64) float64 {
	if len(p.distances) == 0 {
		return math.NaN()
	}
	var retrieved binary.GroupedPrecision
	negatives := int64(0)
	for i := 0; i < len(p.distances); {
		end := i + 1
		for end < len(p.distances) && p.distances[end] == p.distances[i] {
			end++
		}
		before := negatives
		if i < p.finite {
			// Negatives at the group's own distance have the place of its first.
			for _, n := range counts[i:end] {
				negatives += n
			}
		} else {
			negatives = all // at infinite distance everything is as near
		}
		retrieved.Add(int64(end-i), negatives-before)
		i = end
	}
	return retrieved.Sum() / float64(len(p.distances))
}
