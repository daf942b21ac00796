package binary

import (
	"cmp"
	"math"
	"slices"
)

// A Pool holds the samples of several scenes in one sorted order. It recomputes
// metrics over all scenes with each scene included any number of times, as a
// bootstrap over scenes needs. It takes 4 bytes per sample, and 20 while it is
// built. It is safe for concurrent use.
type Pool struct {
	// Sorted by ascending distance; each holds scene<<2 and the two bits below.
	samples   []uint32
	positives []int64 // indexed by scene
	negatives []int64
}

const (
	isPositive   = 1
	isLastOfTies = 2
)

// NewPool returns the pool of one curve per scene.
func NewPool(scenes []*Curve) *Pool {
	type sample struct {
		key key
		tag uint32
	}
	p := &Pool{}
	total := 0
	for _, c := range scenes {
		p.positives = append(p.positives, int64(len(c.positives)))
		p.negatives = append(p.negatives, int64(len(c.negatives)))
		total += len(c.positives) + len(c.negatives)
	}
	all := make([]sample, 0, total)
	for i, c := range scenes {
		for _, k := range c.positives {
			all = append(all, sample{k, uint32(i)<<2 | isPositive})
		}
		for _, k := range c.negatives {
			all = append(all, sample{k, uint32(i) << 2})
		}
	}
	slices.SortFunc(all, func(a, b sample) int { return cmp.Compare(a.key, b.key) })
	p.samples = make([]uint32, len(all))
	for i, s := range all {
		p.samples[i] = s.tag
		if i == len(all)-1 || all[i+1].key != s.key {
			p.samples[i] |= isLastOfTies
		}
	}
	return p
}

// AveragePrecision returns the AveragePrecision of the samples with scene i
// included times[i] times, or NaN if there are no positives.
func (p *Pool) AveragePrecision(times []uint8) float64 {
	sum := 0.0
	var tp, yes, before int64
	// The class of the next sample is unpredictable, so no branch may depend on
	// it: groups without positives add 0.
	for _, s := range p.samples {
		n := int64(times[s>>2])
		yes += n
		tp += n * int64(s&isPositive)
		if s&isLastOfTies != 0 {
			sum += float64(float64(tp-before) * float64(tp) / float64(max(yes, 1)))
			before = tp
		}
	}
	if tp == 0 {
		return math.NaN()
	}
	return sum / float64(tp)
}

// ROCAUC returns the ROCAUC of the samples with scene i included times[i]
// times, or NaN if there are no positives or no negatives.
func (p *Pool) ROCAUC(times []uint8) float64 {
	var positives, negatives int64
	for i, n := range times {
		positives += int64(n) * p.positives[i]
		negatives += int64(n) * p.negatives[i]
	}
	if positives == 0 || negatives == 0 {
		return math.NaN()
	}
	var twice, tp, fp, tpBefore, fpBefore int64
	for _, s := range p.samples {
		n, positive := int64(times[s>>2]), int64(s&isPositive)
		tp += n * positive
		fp += n * (1 - positive)
		if s&isLastOfTies != 0 {
			twice += (tp - tpBefore) * (2*negatives - fp - fpBefore)
			tpBefore, fpBefore = tp, fp
		}
	}
	return float64(twice) / (2 * float64(positives) * float64(negatives))
}
