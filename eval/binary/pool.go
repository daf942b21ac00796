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
func NewPool(scenes []*Curve) *Pool { return Merge(scenes).Pool }

// A Merged is the curve and the pool of the samples of several scenes.
type Merged struct {
	Curve *Curve
	Pool  *Pool
}

// newMerged returns the curve and the pool of scenes with the given numbers of
// positives and negatives, with room for their samples. Keys are kept in the given
// slice, positives first.
func newMerged(positives, negatives []int64, keys []key) (m Merged, classes [2][]key) {
	p := int64(0)
	for _, n := range positives {
		p += n
	}
	classes = [2][]key{keys[p:], keys[:p]} // by isPositive
	return Merged{
		&Curve{positives: classes[1], negatives: classes[0], positiveCount: len(classes[1]), negativeCount: len(classes[0])},
		&Pool{samples: make([]uint32, 0, len(keys)), positives: positives, negatives: negatives},
	}, classes
}

// Merge returns the samples of all scenes, given one curve per scene.
func Merge(scenes []*Curve) Merged {
	var positives, negatives []int64
	total := 0
	for _, c := range scenes {
		positives, negatives = append(positives, int64(len(c.positives))), append(negatives, int64(len(c.negatives)))
		total += len(c.positives) + len(c.negatives)
	}
	keys, scratch := make([]key, 0, total), make([]key, total)
	m, classes := newMerged(positives, negatives, scratch)
	samples := m.Pool.samples
	for i, c := range scenes {
		scene := uint32(i) << sceneShift
		keys = append(append(keys, c.positives...), c.negatives...)
		for range c.positives {
			samples = append(samples, scene|isPositive)
		}
		for range c.negatives {
			samples = append(samples, scene)
		}
	}
	sortTagged(keys, scratch, samples, make([]uint32, total))
	var next [2]int
	scored := uint32(0)
	for i, k := range keys {
		class := samples[i] & isPositive
		classes[class][next[class]] = k
		next[class]++
		scored |= class * isScored
		if i == total-1 || keys[i+1] != k {
			samples[i] |= isLastOfTies | scored
			scored = 0
		}
	}
	m.Pool.samples = samples
	return m
}

// Of returns the samples of some scenes, given by their ascending indices. It needs
// no sorting.
func (m Merged) Of(scenes []int) Merged {
	var positives, negatives []int64
	total := int64(0)
	place := make([]int32, len(m.Pool.positives)) // among those scenes; -1: left out
	for i := range place {
		place[i] = -1
	}
	for i, scene := range scenes {
		place[scene] = int32(i)
		positives, negatives = append(positives, m.Pool.positives[scene]), append(negatives, m.Pool.negatives[scene])
		total += positives[i] + negatives[i]
	}
	some, classes := newMerged(positives, negatives, make([]key, total))
	samples := some.Pool.samples
	from := [2][]key{m.Curve.negatives, m.Curve.positives}
	var next, nextFrom [2]int
	ties, scored := 0, uint32(0) // where the open ties begin, and whether they have positives
	for _, s := range m.Pool.samples {
		class := s & isPositive
		if i := place[s>>sceneShift]; i >= 0 {
			classes[class][next[class]] = from[class][nextFrom[class]]
			next[class]++
			samples = append(samples, uint32(i)<<sceneShift|class)
			scored |= class * isScored
		}
		nextFrom[class]++
		if s&isLastOfTies != 0 && len(samples) > ties {
			samples[len(samples)-1] |= isLastOfTies | scored
			ties, scored = len(samples), 0
		}
	}
	some.Pool.samples = samples
	return some
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
