package binary

import "math"

// A Pool holds the samples of several scenes in one sorted order. It recomputes
// metrics over all scenes with each scene included any number of times, as a
// bootstrap over scenes needs. It takes 4 bytes per sample, and 32 while it is
// built. It is safe for concurrent use.
type Pool struct {
	// Sorted by ascending distance; each holds scene<<sceneShift and the bits below.
	samples   []uint32
	positives []int64 // indexed by scene
	negatives []int64
}

const (
	isPositive   = 1
	isLastOfTies = 2
	isScored     = 4 // the last of ties that include positives
	sceneShift   = 3
)

// NewPool returns the pool of one curve per scene.
func NewPool(scenes []*Curve) *Pool {
	_, pool := Merge(scenes)
	return pool
}

// Merge returns the curve of the samples of all scenes, given one curve per scene,
// and their pool.
func Merge(scenes []*Curve) (*Curve, *Pool) {
	p := &Pool{}
	positives, total := 0, 0
	for _, c := range scenes {
		p.positives = append(p.positives, int64(len(c.positives)))
		p.negatives = append(p.negatives, int64(len(c.negatives)))
		positives += len(c.positives)
		total += len(c.positives) + len(c.negatives)
	}
	keys := make([]key, 0, total)
	p.samples = make([]uint32, total)
	tags := p.samples[:0]
	for i, c := range scenes {
		scene := uint32(i) << sceneShift
		keys = append(append(keys, c.positives...), c.negatives...)
		for range c.positives {
			tags = append(tags, scene|isPositive)
		}
		for range c.negatives {
			tags = append(tags, scene)
		}
	}
	sortTagged(keys, make([]key, total), p.samples, make([]uint32, total))

	all := &Curve{
		positives: make([]key, 0, positives), negatives: make([]key, 0, total-positives),
		positiveCount: positives, negativeCount: total - positives,
	}
	scored := uint32(0)
	for i, k := range keys {
		if p.samples[i]&isPositive != 0 {
			all.positives = append(all.positives, k)
			scored = isScored
		} else {
			all.negatives = append(all.negatives, k)
		}
		if i == total-1 || keys[i+1] != k {
			p.samples[i] |= isLastOfTies | scored
			scored = 0
		}
	}
	return all, p
}

// AveragePrecision returns the AveragePrecision of the samples with scene i
// included times[i] times, or NaN if there are no positives.
func (p *Pool) AveragePrecision(times []uint8) float64 {
	sum := 0.0
	var tp, yes, before int64
	// The class of the next sample is unpredictable, so no branch may depend on
	// it: groups without positives add 0.
	for _, s := range p.samples {
		n := int64(times[s>>sceneShift])
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
		n, positive := int64(times[s>>sceneShift]), int64(s&isPositive)
		tp += n * positive
		fp += n * (1 - positive)
		if s&isLastOfTies != 0 {
			twice += (tp - tpBefore) * (2*negatives - fp - fpBefore)
			tpBefore, fpBefore = tp, fp
		}
	}
	return float64(twice) / (2 * float64(positives) * float64(negatives))
}
