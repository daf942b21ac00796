package binary

import (
	"slices"
	"sort"

	"descbench/eval/internal/radix"
)

// A Resampler is the AreaResampler of the samples of several scenes, which it holds in one
// sorted order. It takes 4 bytes per sample. It is safe for concurrent use.
type Resampler struct {
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

// A Merged is the curve and the resampler of the samples of several scenes. The curve takes
// the distances from the curves of the scenes.
type Merged struct {
	Curve     *Curve
	Resampler *Resampler
	scenes    []*Curve
}

// newMerged returns a Merged with room for the samples of the scenes.
func newMerged(scenes []*Curve) Merged {
	m := Merged{&Curve{}, &Resampler{}, scenes}
	for _, c := range scenes {
		if c.source != nil {
			panic("binary: a curve of several scenes or of bins has no samples to merge")
		}
		m.Resampler.positives, m.Resampler.negatives = append(m.Resampler.positives, int64(len(c.positives))), append(m.Resampler.negatives, int64(len(c.negatives)))
		m.Curve.positiveCount += len(c.positives)
		m.Curve.negativeCount += len(c.negatives)
	}
	m.Resampler.samples = make([]uint32, 0, m.Curve.positiveCount+m.Curve.negativeCount)
	m.Curve.source = m.groups
	return m
}

// Samples are merged in parts of about partSize, which stay in the cache. The limits of
// the parts are found among every limitEvery-th sample of a class of a scene.
const (
	partSize   = 1 << 16
	limitEvery = 64
)

// Merge returns the samples of all scenes, given one curve per scene.
func Merge(scenes []*Curve) Merged {
	m := newMerged(scenes)
	var rest [][2][]radix.Key // samples not yet merged, by scene and isPositive
	var limits []radix.Key
	for _, c := range scenes {
		classes := [2][]radix.Key{c.negatives, c.positives}
		rest = append(rest, classes)
		for _, keys := range classes {
			for i := limitEvery / 2; i < len(keys); i += limitEvery {
				limits = append(limits, keys[i])
			}
		}
	}
	slices.Sort(limits)
	var keys, scratch []radix.Key
	var samples, scratchSamples []uint32
	for at := partSize / limitEvery; len(m.Resampler.samples) < cap(m.Resampler.samples); at += partSize / limitEvery {
		keys, samples = keys[:0], samples[:0]
		for scene := range rest {
			for class, of := range rest[scene] {
				n := len(of)
				if at < len(limits) {
					n = sort.Search(n, func(i int) bool { return of[i] >= limits[at] })
				}
				keys = append(keys, of[:n]...)
				for range n {
					samples = append(samples, uint32(scene)<<sceneShift|uint32(class))
				}
				rest[scene][class] = of[n:]
			}
		}
		scratch, scratchSamples = slices.Grow(scratch[:0], len(keys)), slices.Grow(scratchSamples[:0], len(keys))
		radix.SortTagged(keys, scratch[:len(keys)], samples, scratchSamples[:len(keys)])
		scored := uint32(0)
		for i, k := range keys {
			scored |= samples[i] & isPositive * isScored
			if i == len(keys)-1 || keys[i+1] != k {
				samples[i] |= isLastOfTies | scored
				scored = 0
			}
		}
		m.Resampler.samples = append(m.Resampler.samples, samples...)
	}
	return m
}

// Of returns the samples of some scenes, given by their ascending indices. It needs
// no sorting.
func (m Merged) Of(scenes []int) Merged {
	place := make([]int32, len(m.scenes)) // among those scenes; -1: left out
	for i := range place {
		place[i] = -1
	}
	var curves []*Curve
	for i, scene := range scenes {
		place[scene] = int32(i)
		curves = append(curves, m.scenes[scene])
	}
	some := newMerged(curves)
	samples := some.Resampler.samples
	ties, scored := 0, uint32(0) // where the open ties begin, and whether they have positives
	for _, s := range m.Resampler.samples {
		if i := place[s>>sceneShift]; i >= 0 {
			class := s & isPositive
			samples = append(samples, uint32(i)<<sceneShift|class)
			scored |= class * isScored
		}
		if s&isLastOfTies != 0 && len(samples) > ties {
			samples[len(samples)-1] |= isLastOfTies | scored
			ties, scored = len(samples), 0
		}
	}
	some.Resampler.samples = samples
	return some
}

// groups yields the samples of each distinct distance.
func (m Merged) groups(yield func(group) bool) {
	next := make([][2]int32, len(m.scenes)) // by isPositive: the next sample of a scene
	var n [2]int                            // samples of the open ties
	for _, s := range m.Resampler.samples {
		scene, class := s>>sceneShift, s&isPositive
		at := next[scene][class]
		next[scene][class]++
		n[class]++
		if s&isLastOfTies == 0 {
			continue
		}
		of := m.scenes[scene].negatives
		if class == isPositive {
			of = m.scenes[scene].positives
		}
		if !yield(group{of[at].Value(), n[1], n[0]}) {
			return
		}
		n = [2]int{}
	}
}

// lanes is the number of resamples that Areas processes in one pass over the samples.
const lanes = 32

// Areas is that of AreaResampler.
func (p *Resampler) Areas(resamples [][]uint8, auc, ap []float64) {
	table := make([][lanes]float64, len(p.positives))
	for len(resamples) > 0 {
		n := min(len(resamples), lanes)
		var positives, negatives [lanes]float64
		for l, times := range resamples[:n] {
			for scene, t := range times {
				table[scene][l] = float64(t)
				positives[l] += float64(t) * float64(p.positives[scene])
				negatives[l] += float64(t) * float64(p.negatives[scene])
			}
		}
		precision, twice := p.sums(table, &negatives)
		for l := range n {
			auc[l] = twice[l] / (2 * positives[l] * negatives[l]) // NaN if a class is empty
			ap[l] = precision[l] / positives[l]
		}
		resamples, auc, ap = resamples[n:], auc[n:], ap[n:]
	}
}

// sums returns, for each resample, the sum of precision × positives, and twice the number
// of pairs in which the positive is nearer. times holds how often it includes each scene.
func (p *Resampler) sums(times [][lanes]float64, negatives *[lanes]float64) (precision, twice [lanes]float64) {
	var tp, fp, tpBefore, fpBefore [lanes]float64 // integers, exact in float64
	for _, s := range p.samples {
		class := &fp
		if s&isPositive != 0 {
			class = &tp
		}
		for l, n := range &times[s>>sceneShift] {
			class[l] += n
		}
		if s&isLastOfTies == 0 {
			continue
		}
		if s&isScored != 0 {
			for l := range tp {
				rise, yes := tp[l]-tpBefore[l], tp[l]+fp[l]
				if yes == 0 { // without any, 0 of 1
					yes = 1
				}
				precision[l] += float64(rise * tp[l] / yes)
				twice[l] += rise * (2*negatives[l] - fp[l] - fpBefore[l])
			}
			tpBefore = tp
		}
		fpBefore = fp
	}
	return precision, twice
}
