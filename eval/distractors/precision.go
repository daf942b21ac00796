package distractors

import (
	"math"
	"slices"

	"descbench/eval/binary"
)

// positives holds the distances of positives in ascending order, and +Inf in
// placesBeyond places behind them. Negatives are counted by their place and not kept.
type positives struct {
	distances []float64
	n, finite int // number of positives, and of those at a finite distance
	// All bins between the smallest and the largest distance have equal width.
	// starts[b/binsPerStart] + offsets[b] is the index of the first distance in bin b
	// or a later one. An offset that does not fit is cut off: then the index is too
	// low, and the search takes longer. Two small tables stay in the cache. The last
	// placesBeyond bins, from beyond on, are those of the places behind all positives.
	starts  []int32
	offsets []uint16
	beyond  int
	least   float64
	scale   float64 // bins per distance
}

const (
	binsPerStart = 64 // bins that share an element of starts
	// placesBeyond is the number of places that negatives beyond all positives take in
	// turn, because the next addition to the same place would wait for the last.
	placesBeyond = 8
)

// newPositives sorts distances in place.
func newPositives(distances []float64) *positives {
	slices.Sort(distances)
	p := &positives{distances: distances, n: len(distances), finite: len(distances)}
	for p.finite > 0 && math.IsInf(distances[p.finite-1], 1) {
		p.finite--
	}
	bins := max(8*p.finite, 1)
	if p.finite > 0 {
		p.least = distances[0]
		if scale := float64(bins) / (p.largest() - p.least); !math.IsInf(scale, 1) {
			p.scale = scale
		}
	}
	p.beyond = (bins/binsPerStart + 1) * binsPerStart
	p.offsets = make([]uint16, p.beyond+placesBeyond)
	at := 0
	for b := range p.offsets[:bins+1] {
		for at < p.finite && p.bin(distances[at]) < b {
			at++
		}
		if b%binsPerStart == 0 {
			p.starts = append(p.starts, int32(at))
		}
		p.offsets[b] = uint16(min(at-int(p.starts[b/binsPerStart]), math.MaxUint16))
	}
	p.starts = append(p.starts, int32(p.finite))
	p.distances = p.distances[:p.finite:p.finite]
	for i := range placesBeyond {
		p.offsets[p.beyond+i] = uint16(i)
		p.distances = append(p.distances, math.Inf(1))
	}
	return p
}

// newCounts returns counts of negatives by their place, all zero.
func (p *positives) newCounts() []int64 { return make([]int64, len(p.distances)) }

// places returns the places of distances of positives: for each, the index of the first
// positive at that distance.
func (p *positives) places(distances []float64) []int32 {
	out := make([]int32, len(distances))
	for i, d := range distances {
		at, _ := slices.BinarySearch(p.distances, d)
		out[i] = int32(at)
	}
	return out
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

// averagePrecision returns the AP of the positives among all negatives, NaN without
// positives. counts are from newCounts.
func (p *positives) averagePrecision(counts []int64, all int64) float64 {
	if p.n == 0 {
		return math.NaN()
	}
	var retrieved binary.GroupedPrecision
	negatives := int64(0)
	for i := 0; i < p.finite; {
		end := i + 1
		for end < p.finite && p.distances[end] == p.distances[i] {
			end++
		}
		before := negatives
		for _, n := range counts[i:end] { // those at the distance of the group have the place of its first positive
			negatives += n
		}
		retrieved.Add(int64(end-i), negatives-before)
		i = end
	}
	if p.finite < p.n {
		retrieved.Add(int64(p.n-p.finite), all-negatives) // at infinite distance, all other negatives tie
	}
	return retrieved.Sum() / float64(p.n)
}
