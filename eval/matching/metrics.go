package matching

import (
	"context"
	"fmt"
	"math"

	"descbench/eval"
	"descbench/eval/stats"
)

// homographyLimitsPx are those of the accuracy of homographies and of its area.
var homographyLimitsPx = [...]float64{1, 3, 5}

// A metricList collects the metrics of one scope.
type metricList struct {
	scope      scope
	bootstraps *stats.Bootstraps
	list       []eval.Metric
}

func (l *metricList) add(name string, value float64, n int, interval stats.Interval) {
	if n == 0 || math.IsNaN(value) {
		return
	}
	l.list = append(l.list, eval.Metric{Scope: l.scope.name, Name: name, Value: value, Low: interval.Low, High: interval.High, N: n})
}

// noInterval is that of figures without one.
var noInterval = stats.Interval{Low: math.NaN(), High: math.NaN()}

// bySceneSums adds Σ sums / Σ numbers over the scenes, each of which gives one
// of either, with its interval over the scenes that have a number.
func (l *metricList) bySceneSums(name string, of func(sceneTally) (sum float64, n int)) {
	var sums, numbers []float64
	sum, n := 0.0, 0
	for _, s := range l.scope.scenes {
		x, m := of(s)
		sum += x
		n += m
		if m > 0 {
			sums = append(sums, x)
			numbers = append(numbers, float64(m))
		}
	}
	l.add(name, mean(sum, n), n, l.bootstraps.Of(len(sums)).Ratio(sums, numbers))
}

// ratio adds a mean of which every pair has a part: a sum over n things.
func (l *metricList) ratio(name string, of func(*pairTally) (sum float64, n int)) {
	l.bySceneSums(name, func(s sceneTally) (sum float64, n int) {
		for _, p := range s.pairs {
			x, m := of(p)
			sum += x
			n += m
		}
		return sum, n
	})
}

// overPairs adds the mean of a figure over the pairs that have it.
func (l *metricList) overPairs(name string, figure func(*pairTally) float64) {
	l.ratio(name, func(p *pairTally) (sum float64, n int) {
		if v := figure(p); !math.IsNaN(v) {
			return v, 1
		}
		return 0, 0
	})
}

// images adds the mean of a figure over the images that have it, image 1 of a
// scene once.
func (l *metricList) images(name string, figure func(keypoints int32, spread float64) float64) {
	l.bySceneSums(name, func(s sceneTally) (sum float64, n int) {
		add := func(keypoints int32, spread float64) {
			if v := figure(keypoints, spread); !math.IsNaN(v) {
				sum += v
				n++
			}
		}
		first := s.pairs[0]
		add(first.pair.Keypoints1, first.facts.Spread1)
		for _, p := range s.pairs {
			add(p.pair.KeypointsK, p.facts.SpreadK)
		}
		return sum, n
	})
}

// total adds a count out of n. It has no interval: it counts, it does not
// estimate.
func (l *metricList) total(name string, of func(*pairTally) (count float64, n int)) {
	count, n := 0.0, 0
	for _, p := range l.scope.pairs() {
		x, m := of(p)
		count += x
		n += m
	}
	l.add(name, count, n, noInterval)
}

// ratioTest adds precision and recall of the ratio test at one step of the
// sweep.
func (l *metricList) ratioTest(step int, sweep Sweep) {
	at := func(p *pairTally) (accepted, correct int) {
		for _, bar := range p.ratios.bars[:step+1] {
			accepted += int(bar.accepted)
			correct += int(bar.correct)
		}
		return accepted, correct
	}
	ratio := sweep.Points[step].Ratio
	l.ratio(fmt.Sprintf("ratio_precision@%.2f", ratio), func(p *pairTally) (float64, int) {
		accepted, correct := at(p)
		return float64(correct), accepted
	})
	l.ratio(fmt.Sprintf("ratio_recall@%.2f", ratio), func(p *pairTally) (float64, int) {
		_, correct := at(p)
		return float64(correct), int(p.ratios.correspondences)
	})
}

// homographies adds the figures of every estimator that was asked.
func (l *metricList) homographies() {
	pairs := l.scope.pairs()
	if len(pairs) == 0 {
		return
	}
	for i, estimator := range pairs[0].estimators() {
		cornerError := func(p *pairTally) float64 { return p.facts.Corners[i].Px }
		for _, limit := range homographyLimitsPx {
			l.overPairs(fmt.Sprintf("%s_homography_accuracy@%g", estimator, limit), func(p *pairTally) float64 {
				return HomographyAccuracy([]float64{cornerError(p)}, limit)
			})
		}
		errors := l.scope.cornerErrors(cornerError)
		for _, limit := range homographyLimitsPx {
			l.add(fmt.Sprintf("%s_homography_auc@%g", estimator, limit), errors.auc(nil, limit), len(pairs), l.ofErrors(errors, limit))
		}
	}
}

// ofErrors returns the interval of the area under the curve of corner errors.
func (l *metricList) ofErrors(errors sceneErrors, limitPx float64) stats.Interval {
	interval, err := l.bootstraps.Of(len(l.scope.scenes)).Statistic(context.Background(), 1, func(times []int32) float64 {
		return errors.auc(times, limitPx)
	})
	if err != nil {
		return noInterval // of a context that is never done
	}
	return interval
}
