package binary

// A BinResampler recomputes metrics over the bins of several scenes with each scene
// included any number of times, as Resampler does over samples. Samples of one bin count as
// ties. It is safe for concurrent use.
type BinResampler struct {
	scenes []*Bins
}

// NewBinResampler returns the resampler of one Bins per scene, of which there is at least one,
// reduced to at most n edges. It fails if their edges differ.
func NewBinResampler(scenes []*Bins, n int) (*BinResampler, error) {
	p := &BinResampler{}
	edges := scenes[0].edges.Thin(n)
	for _, s := range scenes {
		reduced := NewBins(edges)
		if err := reduced.Merge(s); err != nil {
			return nil, err
		}
		p.scenes = append(p.scenes, reduced)
	}
	return p, nil
}

// areas returns ROCAUC and AveragePrecision with scene i included times[i] times; NaN if a
// class that they need is empty.
func (p *BinResampler) areas(times []uint8) (rocAUC, averagePrecision float64) {
	var steps GroupedPrecision
	above := 0.0 // twice the number of pairs in which the negative is not farther
	for bin := range p.scenes[0].positives {
		var positives, negatives int64
		for i, s := range p.scenes {
			n := int64(times[i])
			positives += n * s.positives[bin]
			negatives += n * s.negatives[bin]
		}
		above += float64(positives) * float64(2*steps.fp+negatives)
		steps.Add(positives, negatives)
	}
	tp, fp := float64(steps.tp), float64(steps.fp)
	return 1 - above/(2*tp*fp), steps.Sum() / tp // 0/0 is NaN
}
