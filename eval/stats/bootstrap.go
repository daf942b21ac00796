package stats

import (
	"context"
	"fmt"
	"math"
	"slices"

	"golang.org/x/sync/errgroup"

	"descbench/eval/random"
)

const (
	resamples       = 10_000 // for means and ratios
	costlyResamples = 1000   // for other statistics
	tail            = 0.025  // probability outside the interval on each side
)

// An Interval is the 95 % confidence interval of a metric. Low and High are NaN
// if there is no interval.
type Interval struct {
	Low, High float64
}

// A Bootstrap resamples the scenes of a metric with replacement. The interval
// is the range between the 2.5th and 97.5th percentile of the resampled metric.
// It is the cluster bootstrap: a scene is drawn with all its queries. For a
// category, use a Bootstrap of the category's scenes only.
//
// Source: Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter
// 13; percentiles are interpolated linearly between neighbours (Hyndman and
// Fan's definition 7).
//
// It is safe for concurrent use.
type Bootstrap struct {
	scenes int
	times  []uint8 // resample × scene: how often the scene was drawn
}

// NewBootstrap draws the resamples for the given number of scenes. Resample r
// depends on the seed, the number of scenes and r. A Bootstrap takes 10 kB per
// scene.
func NewBootstrap(seed uint64, scenes int) *Bootstrap {
	b := &Bootstrap{scenes: scenes}
	if scenes < 2 {
		return b
	}
	b.times = make([]uint8, resamples*scenes)
	for r := range resamples {
		times := b.resample(r)
		stream := random.New(seed, "bootstrap", scenes, r)
		for range scenes {
			i := stream.IntN(scenes)
			if times[i]++; times[i] == 0 {
				panic("stats: a scene drawn 256 times") // its probability is below 1e-500
			}
		}
	}
	return b
}

func (b *Bootstrap) resample(r int) []uint8 {
	return b.times[r*b.scenes : (r+1)*b.scenes]
}

// Mean returns the interval of the mean of one value per scene from 10 000
// resamples. There is no interval if there are fewer than two scenes or a value
// is not finite. Mean panics if the number of values differs from the number of
// scenes.
func (b *Bootstrap) Mean(values []float64) Interval {
	return b.Ratio(values, slices.Repeat([]float64{1}, b.scenes))
}

// Ratio returns the interval of Σ numerators / Σ denominators over scenes, such
// as a mean over all queries, from 10 000 resamples. Resamples with denominator
// 0 are left out. There is no interval if there are fewer than two scenes or a
// value is not finite. Ratio panics if the number of values differs from the
// number of scenes.
func (b *Bootstrap) Ratio(numerators, denominators []float64) Interval {
	if len(numerators) != b.scenes || len(denominators) != b.scenes {
		panic(fmt.Sprintf("stats: %d and %d values for %d scenes", len(numerators), len(denominators), b.scenes))
	}
	if b.scenes < 2 || slices.ContainsFunc(numerators, notFinite) || slices.ContainsFunc(denominators, notFinite) {
		return NoInterval()
	}
	out := make([]float64, resamples)
	for r := 0; r < resamples; r += 2 {
		out[r], out[r+1] = ratios(b.resample(r), b.resample(r+1), numerators, denominators)
	}
	return percentiles(out)
}

// ratios returns Σ times × numerators / Σ times × denominators of two resamples.
// Each sum is added in the order of the scenes. Four sums at once keep the
// processor busy, because an addition waits for the previous one of its sum. The
// conversions of the products prevent processors from fusing them with the
// additions, which would round differently.
func ratios(first, second []uint8, numerators, denominators []float64) (of1, of2 float64) {
	second, numerators, denominators = second[:len(first)], numerators[:len(first)], denominators[:len(first)]
	var n1, n2, d1, d2 float64
	for i, t := range first {
		times1, times2 := float64(t), float64(second[i])
		n, d := numerators[i], denominators[i]
		n1 += float64(times1 * n)
		n2 += float64(times2 * n)
		d1 += float64(times1 * d)
		d2 += float64(times2 * d)
	}
	return n1 / d1, n2 / d2
}

// Statistic returns the interval of any function of the scenes from the first
// 1000 resamples. Up to jobs goroutines call figure concurrently; it gets the
// number of times each scene was drawn and must not modify it. Resamples for
// which it returns NaN are left out. There is no interval if there are fewer
// than two scenes. The only error is that of the context.
func (b *Bootstrap) Statistic(ctx context.Context, jobs int, figure func(times []uint8) float64) (Interval, error) {
	if b.scenes < 2 {
		return NoInterval(), ctx.Err()
	}
	out := make([]float64, costlyResamples)
	workers, ctx := errgroup.WithContext(ctx)
	workers.SetLimit(max(jobs, 1))
	for r := range out {
		workers.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			out[r] = figure(b.resample(r))
			return nil
		})
	}
	if err := workers.Wait(); err != nil {
		return NoInterval(), err
	}
	return percentiles(out), nil
}

// NoInterval is the interval of a metric that has no interval.
func NoInterval() Interval { return Interval{math.NaN(), math.NaN()} }

func notFinite(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }

// percentiles returns the interval between the tails of values without NaN. It
// reorders values.
func percentiles(values []float64) Interval {
	values = slices.DeleteFunc(values, math.IsNaN)
	if len(values) == 0 {
		return NoInterval()
	}
	slices.Sort(values)
	return Interval{quantile(values, tail), quantile(values, 1-tail)}
}

// quantile returns a quantile of sorted values.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	i := min(int(at), len(sorted)-1)
	if i == len(sorted)-1 {
		return sorted[i]
	}
	return sorted[i] + float64((at-float64(i))*(sorted[i+1]-sorted[i]))
}
