package distractors

import (
	"math"
	"slices"

	"descbench/eval/binary"
)

// positives holds the distances of positives in ascending order. Negatives are counted by
// their place among them and not kept.
type positives struct {
	distances []float64 // the finite ones
	n         int       // with those at infinite distance
	// first[b] is the index of the first distance in bin b or a later one. All bins
	// between the smallest and the largest distance have equal width.
	first []int32
	scale float64 // bins per distance
}

// newPositives sorts distances in place.
func newPositives(distances []float64) *positives {
	slices.Sort(distances)
	p := &positives{distances: distances, n: len(distances)}
	for len(p.distances) > 0 && math.IsInf(p.distances[len(p.distances)-1], 1) {
		p.distances = p.distances[:len(p.distances)-1]
	}
	if len(p.distances) == 0 {
		return p
	}
	bins := 8 * len(p.distances)
	if scale := float64(bins) / (p.distances[len(p.distances)-1] - p.distances[0]); !math.IsInf(scale, 1) {
		p.scale = scale
	}
	at := 0
	for b := range bins + 1 {
		for at < len(p.distances) && p.bin(p.distances[at]) < b {
			at++
		}
		p.first = append(p.first, int32(at))
	}
	return p
}

// newCounts returns counts of negatives by their place, all zero.
func (p *positives) newCounts() []int64 { return make([]int64, len(p.distances)+1) }

// places returns the places of distances of positives.
func (p *positives) places(distances []float64) []int32 {
	out := make([]int32, len(distances))
	for i, d := range distances {
		out[i] = int32(p.place(d))
	}
	return out
}

// place returns the index of the first positive at this distance or more, which a negative
// precedes or ties with. NaN is beyond all positives.
func (p *positives) place(d float64) int {
	last := len(p.distances) - 1
	if last < 0 || !(d <= p.distances[last]) {
		return last + 1
	}
	at := int(p.first[p.bin(max(d, p.distances[0]))])
	for p.distances[at] < d {
		at++
	}
	return at
}

// count adds negatives to counts by their place. To noFarther[k] it adds the number of
// those whose place is at most places[k].
func (p *positives) count(distances []float64, counts []int64, places []int32, noFarther []int64) {
	for _, d := range distances {
		at := int32(p.place(d))
		counts[at]++
		for k, place := range places {
			if at <= place {
				noFarther[k]++
			}
		}
	}
}

// bin returns the bin of a distance between the smallest and the largest. It is
// monotonic in the distance.
func (p *positives) bin(d float64) int { return int((d - p.distances[0]) * p.scale) }

// averagePrecision returns the AP of the positives among all negatives, NaN without
// positives. counts are from newCounts.
func (p *positives) averagePrecision(counts []int64, all int64) float64 {
	if p.n == 0 {
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
		for _, n := range counts[i:end] { // those at the distance of the group have the place of its first positive
			negatives += n
		}
		retrieved.Add(int64(end-i), negatives-before)
		i = end
	}
	if len(p.distances) < p.n {
		retrieved.Add(int64(p.n-len(p.distances)), all-negatives) // at infinite distance, all other negatives tie
	}
	return retrieved.Sum() / float64(p.n)
}
