package binary

import "descbench/eval/internal/radix"

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

// Merge returns the curve and the resampler of the samples of several scenes, given one curve of
// samples per scene.
func Merge(scenes []*Curve) (*Curve, *Resampler) {
	all, m := &Curve{}, &Resampler{}
	for _, c := range scenes {
		if c.source != nil {
			panic("binary: a curve of bins has no samples to merge")
		}
		m.positives, m.negatives = append(m.positives, int64(len(c.positives))), append(m.negatives, int64(len(c.negatives)))
		all.positiveCount += len(c.positives)
		all.negativeCount += len(c.negatives)
	}
	n := all.positiveCount + all.negativeCount
	keys := make([]radix.Key, 0, n)
	m.samples = make([]uint32, 0, n)
	for scene, c := range scenes {
		for class, samples := range [...][]radix.Key{c.negatives, isPositive: c.positives} {
			keys = append(keys, samples...)
			for range samples {
				m.samples = append(m.samples, uint32(scene)<<sceneShift|uint32(class))
			}
		}
	}
	radix.SortTagged(keys, make([]radix.Key, n), m.samples, make([]uint32, n))
	all.positives, all.negatives = make([]radix.Key, 0, all.positiveCount), make([]radix.Key, 0, all.negativeCount)
	scored := uint32(0)
	for i, k := range keys {
		if m.samples[i]&isPositive != 0 {
			all.positives, scored = append(all.positives, k), isScored
		} else {
			all.negatives = append(all.negatives, k)
		}
		if i == n-1 || keys[i+1] != k {
			m.samples[i] |= isLastOfTies | scored
			scored = 0
		}
	}
	return all, m
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
