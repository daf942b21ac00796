package tasks

import (
	"math"
	"slices"

	"descbench/eval/binary"
)

// positives holds the distances of positives in ascending order. Negatives are
// counted by their place among them and not kept.
type positives struct {
	distances []float64
	// All bins between the smallest and the largest distance have equal width.
	// starts[b/binsPerStart] + offsets[b] is the index of the first distance in bin b
	// or a later one. An offset that does not fit is cut off: then the index is too
	// low, and the search takes longer. Two small tables stay in the cache.
	starts  []int32
	offsets []uint16
	least   float64
	scale   float64 // bins per distance
	finite  int     // number of finite distances
}

// binsPerStart is the number of bins that share an element of starts.
const binsPerStart = 64

// newPositives keeps distances and sorts them in place.
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
	p.offsets = make([]uint16, bins+1)
	at := 0
	for b := range p.offsets {
		for at < p.finite && p.bin(distances[at]) < b {
			at++
		}
		if b%binsPerStart == 0 {
			p.starts = append(p.starts, int32(at))
		}
		p.offsets[b] = uint16(min(at-int(p.starts[b/binsPerStart]), math.MaxUint16))
	}
	return p
}

// largest returns the largest finite distance, -Inf if there is none.
func (p *positives) largest() float64 {
	if p.finite == 0 {
		return math.Inf(-1)
	}
	return p.distances[p.finite-1]
}

// bin returns the bin of a distance between the smallest and the largest. It is
// monotonic in the distance.
func (p *positives) bin(d float64) int { return int((d - p.least) * p.scale) }

// averagePrecision returns the AP of the positives among all negatives. counts[i] of
// the negatives have place i; the others are beyond the largest positive. The AP is
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
			// Negatives at the distance of the group have the place of its first positive.
			for _, n := range counts[i:end] {
				negatives += n
			}
		} else {
			negatives = all // at infinite distance, all negatives tie
		}
		retrieved.Add(int64(end-i), negatives-before)
		i = end
	}
	return retrieved.Sum() / float64(len(p.distances))
}
