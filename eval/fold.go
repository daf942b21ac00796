package eval

// Result returns every figure of the pairs so far. In the precision of matches a
// query without a nearest neighbour (its row is invalid, or image K has no valid
// one) counts as incorrect.
func (a *Accumulator) Result() Result {
	scenes := a.evaluated()
	r := Result{
		Descriptor:    a.descriptor,
		RankHistogram: rankHistogram(scenes),
		Failed:        a.failures(),
		Warnings:      warnings(scenes, a.failed),
	}
	for _, s := range scopes(scenes) {
		r.Metrics = append(r.Metrics, s.metrics(a.opt.Cutoffs)...)
	}
	for _, s := range scenes {
		r.Scenes = append(r.Scenes, s.result())
	}
	return r
}

// rankHistogram adds up the histograms of all pairs, with a bar for every rank
// up to the largest.
func rankHistogram(scenes []sceneTally) []int64 {
	largest := int32(0)
	for _, s := range scenes {
		for _, p := range s.pairs {
			if n := len(p.ranks); n > 0 {
				largest = max(largest, p.ranks[n-1].rank)
			}
		}
	}
	out := make([]int64, largest)
	for _, s := range scenes {
		for _, p := range s.pairs {
			for _, bar := range p.ranks {
				out[bar.rank-1] += int64(bar.queries)
			}
		}
	}
	return out
}

func (s sceneTally) result() SceneResult {
	t := s.tally()
	r := SceneResult{
		Name:                  s.name,
		Category:              Category(s.name),
		TrueMAP:               t.trueMAP(),
		TrueMAPIncludingZeros: t.trueMAPIncludingZeros(),
		Precision:             t.meanPrecision(),
		Processed:             t.processed,
		Excluded:              t.queries - t.processed,
		Matches:               t.matches,
		Keypoints:             t.keypoints,
		Images:                t.images,
		Invalid:               t.invalid,
	}
	for _, p := range s.pairs {
		r.Pairs = append(r.Pairs, PairResult{
			K:          int(p.pair.K),
			TrueMAP:    p.tally.trueMAP(),
			Precision:  p.tally.meanPrecision(),
			Processed:  p.tally.processed,
			Excluded:   p.tally.queries - p.tally.processed,
			Matches:    p.tally.matches,
			Keypoints1: int(p.pair.Keypoints1),
			KeypointsK: int(p.pair.KeypointsK),
		})
	}
	return r
}
