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
	b.check(len(values))
	if b.scenes < 2 || slices.ContainsFunc(values, notFinite) {
		return NoInterval()
	}
	out := b.sums(values)
	for r := range out {
		out[r] /= float64(b.scenes)
	}
	return percentiles(out)
}

// Ratio returns the interval of Σ numerators / Σ denominators over scenes, such
// as a mean over all queries, from 10 000 resamples. Resamples with denominator
// 0 are left out. There is no interval if there are fewer than two scenes or a
// value is not finite. Ratio panics if the number of values differs from the
// number of scenes.
func (b *Bootstrap) Ratio(numerators, denominators []float64) Interval {
	b.check(len(numerators))
	b.check(len(denominators))
	if b.scenes < 2 || slices.ContainsFunc(numerators, notFinite) || slices.ContainsFunc(denominators, notFinite) {
		return NoInterval()
	}
	out := b.sums(numerators)
	for r, n := range b.sums(denominators) {
		out[r] /= n
	}
	return percentiles(out)
}

func (b *Bootstrap) check(values int) {
	if values != b.scenes {
		panic(fmt.Sprintf("stats: %d values for %d scenes", values, b.scenes))
	}
}

// sums returns Σ times × values of every resample, added in the order of the
// scenes. It works on four resamples at once, because an addition has to wait for
// the previous one of the same sum. The conversions prevent processors from
// fusing both operations, which would round differently.
func (b *Bootstrap) sums(values []float64) []float64 {
	out := make([]float64, resamples)
	for r := 0; r < resamples; r += 4 { // resamples is a multiple of 4
		t0, t1, t2, t3 := b.resample(r), b.resample(r+1), b.resample(r+2), b.resample(r+3)
		var s0, s1, s2, s3 float64
		for i, v := range values {
			s0 += float64(float64(t0[i]) * v)
			s1 += float64(float64(t1[i]) * v)
			s2 += float64(float64(t2[i]) * v)
			s3 += float64(float64(t3[i]) * v)
		}
		out[r], out[r+1], out[r+2], out[r+3] = s0, s1, s2, s3
	}
	return out
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
