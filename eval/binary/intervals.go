package binary

import (
	"context"

	"descbench/eval/stats"
)

// Intervals returns the intervals of ROC AUC and average precision over the scenes,
// computed on up to jobs processor cores.
func (p *Resampler) Intervals(ctx context.Context, jobs int) (auc, ap stats.Interval, err error) {
	return intervals(ctx, jobs, len(p.positives), p.Areas)
}

// Intervals returns the intervals of ROC AUC and average precision over the scenes,
// computed on up to jobs processor cores.
func (p *BinResampler) Intervals(ctx context.Context, jobs int) (auc, ap stats.Interval, err error) {
	return intervals(ctx, jobs, len(p.scenes), func(resamples [][]uint8, auc, ap []float64) {
		for i, times := range resamples {
			if ctx.Err() == nil {
				auc[i], ap[i] = p.areas(times)
			}
		}
	})
}

func intervals(ctx context.Context, jobs, scenes int, areas func(resamples [][]uint8, auc, ap []float64)) (auc, ap stats.Interval, err error) {
	both, err := stats.Resamples(scenes).Statistics(ctx, jobs, 2, func(batch [][]uint8, values [][]float64) {
		areas(batch, values[0], values[1])
	})
	return both[0], both[1], err
}
