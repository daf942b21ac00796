//go:build !cgo

package binary

// Areas sets auc[i] and ap[i] to ROCAUC(resamples[i]) and
// AveragePrecision(resamples[i]).
func (p *Resampler) Areas(resamples [][]uint8, auc, ap []float64) {
	for i, times := range resamples {
		auc[i], ap[i] = p.ROCAUC(times), p.AveragePrecision(times)
	}
}
