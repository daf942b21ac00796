package stats

import (
	"context"
	"fmt"
	"math"
	"slices"

	"golang.org/x/sync/errgroup"

	"descbench/eval/random"
)

// The numbers of resamples behind an interval.
const (
	Draws       = 10_000 // for means and ratios
	CostlyDraws = 1000   // for other statistics
)

const tail = 0.025 // probability outside the interval on each side

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
	// Few scenes have few different resamples (126 for five scenes), and a metric is
	// computed once for each.
	patterns [][]uint8 // how often each scene was drawn
	of       []uint16  // pattern by resample; a new pattern is the next number
}

// NewBootstrap draws the resamples for the given number of scenes. Resample r
// depends on the seed, the number of scenes and r. A Bootstrap takes up to 10 kB
// per scene.
func NewBootstrap(seed uint64, scenes int) *Bootstrap {
	b := &Bootstrap{scenes: scenes}
	if scenes < 2 {
		return b
	}
	b.of = make([]uint16, Draws)
	known := make(map[string]uint16)
	times := make([]uint8, scenes)
	for r := range b.of {
		clear(times)
		stream := random.New(seed, "bootstrap", scenes, r)
		for range scenes {
			times[stream.IntN(scenes)]++ // at most 255: the probability of more is below 1e-500
		}
		pattern, ok := known[string(times)]
		if !ok {
			pattern = uint16(len(known))
			known[string(times)] = pattern
			b.patterns = append(b.patterns, slices.Clone(times))
		}
		b.of[r] = pattern
	}
	return b
}

// patternsOf returns the number of different patterns of the first n resamples,
// which are the first patterns.
func (b *Bootstrap) patternsOf(n int) int { return int(slices.Max(b.of[:n])) + 1 }

// Ratio returns the interval of Σ numerators / Σ denominators over scenes, such
// as a mean over all queries, or over scenes (denominators of 1), from 10 000 resamples. Resamples with denominator
// 0 are left out. There is no interval if there are fewer than two scenes or a
// value is not finite. Ratio panics if the number of values differs from the
// number of scenes.
func (b *Bootstrap) Ratio(numerators, denominators []float64) Interval {
	if len(numerators) != b.scenes || len(denominators) != b.scenes {
		panic(fmt.Sprintf("stats: %d and %d values for %d scenes", len(numerators), len(denominators), b.scenes))
	}
	if b.of == nil || slices.ContainsFunc(numerators, notFinite) || slices.ContainsFunc(denominators, notFinite) {
		return NoInterval()
	}
	ratios := b.sums(numerators)
	for p, d := range b.sums(denominators) {
		ratios[p] /= d
	}
	return b.interval(ratios, Draws)
}

// sums returns Σ times × values for every pattern. Each sum is added in the order of
// the scenes.
func (b *Bootstrap) sums(values []float64) []float64 {
	out := make([]float64, len(b.patterns))
	for p, times := range b.patterns {
		sum := 0.0
		for i, n := range times {
			sum += float64(float64(n) * values[i])
		}
		out[p] = sum
	}
	return out
}

// Statistic returns the interval of any function of the scenes from the first
// 1000 resamples. Up to jobs goroutines call figure concurrently; it gets the
// number of times each scene was drawn and must not modify it. Resamples for
// which it returns NaN are left out. There is no interval if there are fewer
// than two scenes. The only error is that of the context.
func (b *Bootstrap) Statistic(ctx context.Context, jobs int, figure func(times []uint8) float64) (Interval, error) {
	intervals, err := b.Statistics(ctx, jobs, 1, func(batch [][]uint8, values [][]float64) {
		for i, times := range batch {
			if ctx.Err() != nil {
				return
			}
			values[0][i] = figure(times)
		}
	})
	return intervals[0], err
}

// batchSize is the number of resamples that figures of Statistics compute at once.
const batchSize = 32

// Statistics is Statistic for n functions of the scenes that are computed together,
// for several resamples at once: figures sets values[f][i] to function f of batch[i],
// the number of times each scene was drawn.
func (b *Bootstrap) Statistics(ctx context.Context, jobs, n int, figures func(batch [][]uint8, values [][]float64)) ([]Interval, error) {
	intervals := slices.Repeat([]Interval{NoInterval()}, n)
	if b.of == nil {
		return intervals, ctx.Err()
	}
	patterns := b.patterns[:b.patternsOf(CostlyDraws)]
	out := make([][]float64, n)
	for f := range out {
		out[f] = make([]float64, len(patterns))
	}
	workers, ctx := errgroup.WithContext(ctx)
	workers.SetLimit(max(jobs, 1))
	for first := 0; first < len(patterns); first += batchSize {
		end := min(first+batchSize, len(patterns))
		workers.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			values := make([][]float64, n)
			for f := range values {
				values[f] = out[f][first:end]
			}
			figures(patterns[first:end], values)
			return ctx.Err()
		})
	}
	if err := workers.Wait(); err != nil {
		return intervals, err
	}
	for f, values := range out {
		intervals[f] = b.interval(values, CostlyDraws)
	}
	return intervals, nil
}

// interval returns the interval of the first n resamples, given the values of their
// patterns.
func (b *Bootstrap) interval(values []float64, n int) Interval {
	times := make([]uint16, len(values))
	for _, p := range b.of[:n] {
		times[p]++
	}
	return percentiles(values, times)
}

// NoInterval is the interval of a metric that has no interval.
func NoInterval() Interval { return Interval{math.NaN(), math.NaN()} }

func notFinite(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }
