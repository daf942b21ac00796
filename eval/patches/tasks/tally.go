package tasks

import (
	"math"
	"slices"

	"descbench/eval/binary"
	"descbench/eval/patches/internal/rank"
)

// A tally counts the distractors around the counterparts of one query for all pools
// at once, without sorting or storing distances.
type tally struct {
	own       uint16   // sequence of the query; its distractors are excluded
	sequences []uint16 // of the distractors
	keys      []float64
	// levels are the distinct finite keys of the counterparts in ascending order,
	// followed by +Inf.
	levels [16]float64
	used   int
	// cuts are the ends of the pools among the distractors. bounds are the same
	// values sorted: pool c consists of the segments up to its bound.
	cuts, bounds []int
	// counts[segment][2i] is the number of distractors between levels i−1 and i,
	// counts[segment][2i+1] the number at level i.
	counts [][]int32
}

// newTally returns a tally for the keys of the counterparts, at most 15, grouped by
// noise level.
func newTally(keys []float64, cuts []int, own uint16, sequences []uint16) *tally {
	t := &tally{own: own, sequences: sequences, keys: keys, cuts: cuts}
	finite := slices.Compact(slices.Sorted(slices.Values(keys)))
	for i := range t.levels {
		t.levels[i] = math.Inf(1)
		if i < len(finite) && !math.IsInf(finite[i], 1) {
			t.levels[i] = finite[i]
			t.used++
		}
	}
	t.bounds = slices.Compact(slices.Sorted(slices.Values(cuts)))
	t.counts = make([][]int32, len(t.bounds))
	for i := range t.counts {
		t.counts[i] = make([]int32, 2*t.used)
	}
	return t
}

// count counts the distractors starting at first. Their keys are known up to slack;
// exact returns the exact key of a distractor.
func (t *tally) count(first int, keys []float64, slack float64, exact func(row int) float64) {
	if t.used == 0 {
		return
	}
	for s, bound := range t.bounds {
		if bound <= first {
			continue
		}
		n := min(bound-first, len(keys))
		t.countSegment(t.counts[s], first, keys[:n], slack, exact)
		first, keys = first+n, keys[n:]
		if len(keys) == 0 {
			return
		}
	}
}

func (t *tally) countSegment(counts []int32, first int, keys []float64, slack float64, exact func(row int) float64) {
	last := t.levels[t.used-1]
	sequences := t.sequences[first : first+len(keys)]
	for k, key := range keys {
		if key-slack > last || sequences[k] == t.own {
			continue
		}
		level := t.below(key - slack)
		if t.levels[level] > key+slack {
			counts[2*level]++
			continue
		}
		// Near a level: use the exact key.
		if slack > 0 {
			key = exact(first + k)
			if key > last {
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

// below returns the number of levels below key, by bisection.
func (t *tally) below(key float64) int {
	n := 0
	if t.levels[7] < key {
		n = 8
	}
	if t.levels[n+3] < key {
		n += 4
	}
	if t.levels[n+1] < key {
		n += 2
	}
	if t.levels[n] < key {
		n++
	}
	return n
}

// A place is the position of a counterpart in a pool.
type place struct {
	key         float64
	less, equal int // numbers of distractors at smaller and at equal distance
}

// pool returns the places of the counterparts of a noise level in a pool, nearest
// first, without counterparts at infinite distance.
func (t *tally) pool(noise, cut int) []place {
	total := make([]int, 2*t.used)
	for s, bound := range t.bounds {
		if bound > t.cuts[cut] {
			break
		}
		for i, n := range t.counts[s] {
			total[i] += int(n)
		}
	}
	var places []place
	for _, key := range t.keys[noise*imagesPerNoise : (noise+1)*imagesPerNoise] {
		if math.IsInf(key, 1) {
			continue
		}
		level := t.below(key)
		p := place{key: key, equal: total[2*level+1]}
		for _, n := range total[:2*level+1] {
			p.less += n
		}
		places = append(places, p)
	}
	slices.SortFunc(places, func(a, b place) int {
		if a.key < b.key {
			return -1
		}
		if a.key > b.key {
			return 1
		}
		return 0
	})
	return places
}

// poolAP returns the average precision of the counterparts in a pool.
func (p Protocol) poolAP(places []place) float64 {
	if p == Grouped {
		var g binary.GroupedPrecision
		seen := 0
		for len(places) > 0 {
			tied, c := 0, places[0]
			for len(places) > 0 && places[0].key == c.key {
				tied, places = tied+1, places[1:]
			}
			g.Add(int64(tied), int64(c.less+c.equal-seen))
			seen = c.less + c.equal
		}
		return g.Sum() / imagesPerNoise
	}
	ranks := make([]int, len(places))
	for i, c := range places {
		ranks[i] = i + 1 + c.less
	}
	if p == P17 {
		return rank.TrapezoidAP(slices.Values(ranks), imagesPerNoise)
	}
	return rank.StepAP(slices.Values(ranks), imagesPerNoise)
}
