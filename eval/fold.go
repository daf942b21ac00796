package eval

import (
	"maps"
	"slices"
)

// Result returns every figure of the pairs so far. In the precision of matches a
// query without a nearest neighbour (its row is invalid, or image K has no valid
// one) counts as incorrect.
//
// Means over at least two scenes have an interval of 95 % by the cluster
// bootstrap over scenes (stats.Bootstrap, seed 1): of the scenes' means for
// macro figures, of the ratio of the scenes' sums for the others. A category
// resamples its own scenes.
func (a *Accumulator) Result() Result { return a.result(newResampler()) }

func (a *Accumulator) result(intervals *resampler) Result {
	scenes := a.evaluated()
	r := Result{
		Descriptor: a.descriptor,
		Failed:     a.failures(),
		Warnings:   warnings(scenes, a.failed, a.opt),
	}
	for _, s := range scopes(scenes) {
		r.Metrics = append(r.Metrics, s.metrics(a.opt, intervals)...)
		if !s.pair {
			r.Histograms = append(r.Histograms, Histogram{Scope: s.name, Bars: s.histogram()})
		}
	}
	r.RankHistogram = dense(r.Histograms[0].Bars) // of the scope "all"
	for _, s := range scenes {
		r.Scenes = append(r.Scenes, s.result())
	}
	return r
}

// histogram adds up the histograms of the scope's pairs.
func (s scope) histogram() []Bar {
	queries := make(map[int32]int)
	for _, scene := range s.scenes {
		for _, p := range scene.pairs {
			for _, bar := range p.ranks {
				queries[bar.rank] += int(bar.queries)
			}
		}
	}
	bars := make([]Bar, 0, len(queries))
	for _, rank := range slices.Sorted(maps.Keys(queries)) {
		bars = append(bars, Bar{Rank: int(rank), Queries: queries[rank]})
	}
	return bars
}

// dense lays out bars with a place for every rank up to the largest.
func dense(bars []Bar) []int64 {
	out := []int64{}
	for _, bar := range bars {
		for len(out) < bar.Rank {
			out = append(out, 0)
		}
		out[bar.Rank-1] = int64(bar.Queries)
	}
	return out
}

func (s sceneTally) result() SceneResult {
	t := s.tally()
	r := SceneResult{
		Name:                  s.name,
		Category:              Category(s.name),
		TrueMAP:               t.trueMAP().value(),
		TrueMAPIncludingZeros: t.trueMAPIncludingZeros().value(),
		Precision:             t.meanPrecision().value(),
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
			TrueMAP:    p.tally.trueMAP().value(),
			Precision:  p.tally.meanPrecision().value(),
			Processed:  p.tally.processed,
			Excluded:   p.tally.queries - p.tally.processed,
			Matches:    p.tally.matches,
			Keypoints1: int(p.pair.Keypoints1),
			KeypointsK: int(p.pair.KeypointsK),
		})
	}
	return r
}
