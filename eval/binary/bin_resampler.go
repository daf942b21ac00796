package binary

import "math"

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

// AveragePrecision returns the average precision with scene i included times[i]
// times, or NaN if there are no positives.
func (p *BinResampler) AveragePrecision(times []uint8) float64 {
	var steps GroupedPrecision
	p.each(times, steps.Add)
	if steps.tp == 0 {
		return math.NaN()
	}
	return steps.Sum() / float64(steps.tp)
}

// ROCAUC returns the area under the ROC curve with scene i included times[i] times, or
// NaN if there are no positives or no negatives.
func (p *BinResampler) ROCAUC(times []uint8) float64 {
	var tp, fp int64
	above := 0.0 // twice the number of pairs in which the negative is not farther
	p.each(times, func(positives, negatives int64) {
		above += float64(positives) * float64(2*fp+negatives)
		tp += positives
		fp += negatives
	})
	return 1 - above/(2*float64(tp)*float64(fp)) // 0/0 is NaN
}

func (p *BinResampler) each(times []uint8, use func(positives, negatives int64)) {
	for bin := range p.scenes[0].positives {
		var positives, negatives int64
		for i, s := range p.scenes {
			n := int64(times[i])
			positives += n * s.positives[bin]
			negatives += n * s.negatives[bin]
		}
		if positives != 0 || negatives != 0 {
			use(positives, negatives)
		}
	}
}
