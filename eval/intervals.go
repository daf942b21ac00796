package eval

import "descbench/eval/stats"

// intervalSeed is the seed of the resamples behind every interval of a Result.
// It is fixed, so that a figure has the same interval whenever it is computed.
const intervalSeed = 1

// A resampler bounds figures by the cluster bootstrap over scenes. A nil one
// gives no intervals.
type resampler struct {
	bootstraps map[int]*stats.Bootstrap // by number of scenes
}

func newResampler() *resampler {
	return &resampler{make(map[int]*stats.Bootstrap)}
}

// ratio returns the interval of Σ sums / Σ numbers over the scenes in which the
// figure is defined.
func (r *resampler) ratio(figures []fraction) stats.Interval {
	var sums, numbers []float64
	for _, f := range figures {
		if f.n > 0 {
			sums = append(sums, f.sum)
			numbers = append(numbers, float64(f.n))
		}
	}
	return r.of(len(sums)).Ratio(sums, numbers)
}

// mean returns the interval of the mean of the figure over the scenes in which
// it is defined.
func (r *resampler) mean(figures []fraction) stats.Interval {
	var values []float64
	for _, f := range figures {
		if f.n > 0 {
			values = append(values, f.value())
		}
	}
	return r.of(len(values)).Mean(values)
}

// of returns the bootstrap of so many scenes. Figures of equally many scenes
// share their resamples.
func (r *resampler) of(scenes int) *stats.Bootstrap {
	if r.bootstraps[scenes] == nil {
		r.bootstraps[scenes] = stats.NewBootstrap(intervalSeed, scenes)
	}
	return r.bootstraps[scenes]
}
