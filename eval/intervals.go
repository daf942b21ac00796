package eval

import "descbench/eval/stats"

// A resampler bounds figures by the cluster bootstrap over scenes. A nil one
// gives no intervals.
type resampler struct{ bootstraps *stats.Bootstraps }

func newResampler() *resampler { return &resampler{stats.NewBootstraps()} }

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
	return r.bootstraps.Of(len(sums)).Ratio(sums, numbers)
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
	return r.bootstraps.Of(len(values)).Mean(values)
}
