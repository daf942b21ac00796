//go:build !cgo

package binary

// Areas does the same as that of resampled_cgo.go.
func (p *Pool) Areas(resamples [][]uint8, auc, ap []float64) {
	for i, times := range resamples {
		auc[i], ap[i] = p.ROCAUC(times), p.AveragePrecision(times)
	}
}
