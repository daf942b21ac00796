package binary

import (
	"context"

	"descbench/eval/stats"
)

// An AreaResampler recomputes areas under curves over several scenes with each scene
// included any number of times, as a bootstrap over scenes needs.
type AreaResampler interface {
	// Areas sets auc[i] and ap[i] to ROCAUC and AveragePrecision of the samples with scene
	// s included resamples[i][s] times; NaN if a class that they need is empty.
	Areas(resamples [][]uint8, auc, ap []float64)
	scenes() int
}

// Intervals returns the intervals of ROC AUC and average precision over the scenes,
// computed on up to jobs processor cores.
func Intervals(ctx context.Context, jobs int, of AreaResampler) (auc, ap stats.Interval, err error) {
	both, err := stats.Resamples(of.scenes()).Statistics(ctx, jobs, 2, func(batch [][]uint8, values [][]float64) {
		of.Areas(batch, values[0], values[1])
	})
	return both[0], both[1], err
}
