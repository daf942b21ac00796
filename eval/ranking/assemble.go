package ranking

import (
	"maps"
	"slices"

	"descbench/eval/scope"
)

// Result returns all metrics of the pairs added so far, with the intervals of
// scope.List. For mean_precision, a query without a nearest neighbour (its row is
// invalid, or image K has no valid row) counts as incorrect.
func (a *Accumulator) Result() Result {
	list := &scope.List{}
	scenes := withMissing(a.ledger.Scenes())
	r := Result{Descriptor: a.ledger.Descriptor, Failed: a.failed}
	r.Facts = facts(scenes, r.Failed, a.opt)
	invalid := manyConcerned(total(scenes))
	for _, s := range scope.Of(scenes) {
		scopeMetrics{s, list, invalid}.add(a.opt)
		if s.Kind != scope.OnePair {
			r.Histograms = append(r.Histograms, Histogram{Scope: s.Name, Bars: bars(s.Tallies())})
		}
	}
	r.Metrics = list.Metrics
	r.RankHistogram = dense(r.Histograms[0].Bars) // of the scope "all"
	for _, s := range scenes {
		r.Scenes = append(r.Scenes, newSceneResult(s))
	}
	return r
}

// bars returns the sum of the pairs' histograms.
func bars(pairs []*pairTally) []Bar {
	queries := make(map[int]int)
	for _, p := range pairs {
		for _, bar := range p.ranks {
			queries[bar.Rank] += bar.Queries
		}
	}
	out := make([]Bar, 0, len(queries))
	for _, rank := range slices.Sorted(maps.Keys(queries)) {
		out = append(out, Bar{Rank: rank, Queries: queries[rank]})
	}
	return out
}

// dense returns the number of queries for every rank up to the largest.
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

func newSceneResult(s sceneTally) SceneResult {
	t := sum(s)
	r := SceneResult{
		Name:                  s.Name,
		TrueMAP:               t.trueMAP().Value(),
		TrueMAPIncludingZeros: t.trueMAPIncludingZeros().Value(),
		Precision:             t.meanPrecision().Value(),
		Processed:             t.processed,
		Excluded:              t.queries - t.processed,
		Matches:               t.matches,
		Keypoints:             t.keypoints,
		Images:                t.images,
		Invalid:               t.invalid,
	}
	for _, part := range s.Parts {
		p := part.Tally
		r.Pairs = append(r.Pairs, PairResult{
			K:            part.K,
			TrueMAP:      p.tally.trueMAP().Value(),
			Precision:    p.tally.meanPrecision().Value(),
			Processed:    p.tally.processed,
			Excluded:     p.tally.queries - p.tally.processed,
			Matches:      p.tally.matches,
			Keypoints1:   int(p.pair.Keypoints1),
			KeypointsK:   int(p.pair.KeypointsK),
			CornerErrors: p.pair.CornerErrors,
			PoseErrors:   p.pair.PoseErrors,
		})
	}
	return r
}
