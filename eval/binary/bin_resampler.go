package binary

// A BinResampler is an AreaResampler of bins, one per scene. Samples of one bin count as
// ties. It is safe for concurrent use.
type BinResampler []*Bins

// NewBinResampler returns the resampler of one Bins per scene, of which there is at least one,
// with the same edges, reduced to at most n.
func NewBinResampler(scenes []*Bins, n int) (p BinResampler) {
	edges := scenes[0].edges.Thin(n)
	for _, s := range scenes {
		reduced := NewBins(edges)
		reduced.Merge(s)
		p = append(p, reduced)
	}
	return p
}

// Areas is that of AreaResampler.
func (p BinResampler) Areas(resamples [][]uint8, auc, ap []float64) {
	for i, times := range resamples {
		var steps GroupedPrecision
		above := 0.0 // twice the number of pairs in which the negative is not farther
		for bin := range p[0].positives {
			var positives, negatives int64
			for scene, s := range p {
				n := int64(times[scene])
				positives += n * s.positives[bin]
				negatives += n * s.negatives[bin]
			}
			above += float64(positives) * float64(2*steps.fp+negatives)
			steps.Add(positives, negatives)
		}
		tp, fp := float64(steps.tp), float64(steps.fp)
		auc[i], ap[i] = 1-above/(2*tp*fp), steps.Sum()/tp // 0/0 is NaN
	}
}
