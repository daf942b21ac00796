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
}

// Intervals returns the intervals of ROC AUC and average precision over the scenes, of which those
// of a cluster are drawn together, computed on up to jobs processor cores.
func Intervals(ctx context.Context, jobs int, of AreaResampler, scenes stats.Clustering) (auc, ap stats.Interval, err error) {
	both, err := stats.Resamples(scenes.Len()).Statistics(ctx, jobs, 2, func(batch [][]uint8, values [][]float64) {
		times := make([][]uint8, len(batch))
		for i, clusters := range batch {
			times[i] = scenes.Times(clusters)
		}
		of.Areas(times, values[0], values[1])
	})
	return both[0], both[1], err
}
