package y2017

import (
	"math"
	"slices"
	"sort"

	"descbench/eval/binary"
	"descbench/eval/nearest"
	"descbench/eval/patches"
	"descbench/eval/patches/internal/rank"
)

// A tally counts the distractors around the counterparts of one query for all pools
// at once, without sorting or storing distances.
type tally struct {
	own         uint16 // sequence of the query; its distractors are excluded
	distractors []Patch
	keys        []float64
	// levels are the distinct finite keys of the counterparts in ascending order,
	// followed by +Inf.
	levels [16]float64
	used   int
	// cuts are the ends of the pools among the distractors. bounds are the same
	// values sorted: pool c consists of the segments up to its bound.
	cuts, bounds []int
	segment      int // of the next distractor
	// counts[segment][2i] is the number of distractors between levels i−1 and i,
	// counts[segment][2i+1] the number at level i.
	counts [][]int32
}

// newTally returns a tally for the keys of the counterparts, at most 15, grouped by
// noise level. It keeps the keys and sorts those of each noise level.
func newTally(keys []float64, cuts []int, own uint16, distractors []Patch) *tally {
	t := &tally{own: own, distractors: distractors, keys: keys, cuts: cuts}
	for noise := range slices.Chunk(keys, patches.ImagesPerNoise) {
		slices.Sort(noise)
	}
	levels := t.levels[:copy(t.levels[:], keys)]
	slices.Sort(levels)
	for i := len(slices.Compact(levels)); i < len(t.levels); i++ {
		t.levels[i] = math.Inf(1)
	}
	t.used = slices.Index(t.levels[:], math.Inf(1))
	t.bounds = slices.Clone(cuts)
	slices.Sort(t.bounds)
	t.bounds = slices.Compact(t.bounds)
	t.counts = make([][]int32, len(t.bounds))
	for i := range t.counts {
		t.counts[i] = make([]int32, 2*t.used)
	}
	return t
}

// limit returns the key of the farthest counterpart. Distractors beyond need not be
// counted.
func (t *tally) limit() float64 {
	if t.used == 0 {
		return math.Inf(-1)
	}
	return t.levels[t.used-1]
}

// count counts distractors, which come in ascending order. Their keys are known up to
// slack; exact returns the exact key.
func (t *tally) count(near []nearest.Near, slack float64, exact func(row int) float64) {
	last := t.limit()
	for _, n := range near {
		for t.segment < len(t.bounds) && n.Row >= t.bounds[t.segment] {
			t.segment++
		}
		if t.segment == len(t.bounds) {
			return // beyond all pools
		}
		key, counts := n.D2, t.counts[t.segment]
		if key-slack > last || t.distractors[n.Row].Sequence == t.own {
			continue
		}
		level := t.below(key - slack)
		if t.levels[level] > key+slack {
			counts[2*level]++
			continue
		}
		// Near a level: use the exact key.
		if slack > 0 {
			if key = exact(n.Row); key > last {
				continue
			}
			level = t.below(key)
		}
		if t.levels[level] == key {
			counts[2*level+1]++
		} else {
			counts[2*level]++
		}
	}
}

// accumulate replaces the counts by their sums over the segments and levels so far.
func (t *tally) accumulate() {
	for s, counts := range t.counts {
		sum := int32(0)
		for i := range counts {
			sum += counts[i]
			counts[i] = sum
			if s > 0 {
				counts[i] += t.counts[s-1][i]
			}
		}
	}
}

// below returns the number of levels below key, 0 for NaN.
func (t *tally) below(key float64) int {
	return sort.Search(len(t.levels), func(i int) bool { return !(t.levels[i] < key) })
}

// A place is the position of a counterpart in a pool.
type place struct {
	key         float64
	less, equal int // numbers of distractors at smaller and at equal distance
}

// pool returns the places of the counterparts of a noise level in a pool, nearest
// first, without counterparts at infinite distance. The counts must be accumulated.
func (t *tally) pool(noise, cut int) []place {
	segment, _ := slices.BinarySearch(t.bounds, t.cuts[cut])
	counts := t.counts[segment]
	places := make([]place, 0, patches.ImagesPerNoise)
	for _, key := range t.keys[noise*patches.ImagesPerNoise : (noise+1)*patches.ImagesPerNoise] {
		if math.IsInf(key, 1) {
			break
		}
		level := t.below(key)
		less, upto := int(counts[2*level]), int(counts[2*level+1])
		places = append(places, place{key, less, upto - less})
	}
	return places
}

// poolAP returns the average precision of the counterparts in a pool.
func (p Protocol) poolAP(places []place) float64 {
	if p == Grouped {
		var keys [patches.ImagesPerNoise]float64
		for i, c := range places {
			keys[i] = c.key
		}
		return binary.GroupedSum(keys[:len(places)], func(i int) int64 { return int64(places[i].less + places[i].equal) }) / patches.ImagesPerNoise
	}
	ranks := make([]int, len(places))
	for i, c := range places {
		ranks[i] = i + 1 + c.less
	}
	if p == P17 {
		return rank.TrapezoidAP(ranks, patches.ImagesPerNoise)
	}
	return rank.StepAP(ranks, patches.ImagesPerNoise)
}
