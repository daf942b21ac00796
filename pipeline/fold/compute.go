package fold

import (
	"fmt"
	"slices"

	"descbench/eval/catalogue"
	"descbench/eval/matching"
	"descbench/eval/record"
	"descbench/eval/scope"
)

// Compute computes the metrics that words stand for at other thresholds than those of the run, from
// its records: corners and poses from those of pairs, matches from those of queries in its units. The
// run then has them in all scopes, as if they had been stored. Other words it ignores, and all if the
// run is Unstored, whose records are those of other settings.
func (r *Run) Compute(words ...string) error {
	var limits matching.Limits
	for _, word := range words {
		m := catalogue.Of(r.Config.Preset().MetricOf(word))
		if _, lacks := catalogue.Find(m.Name, r.MetricNames()); lacks == nil || !m.Computable() {
			continue
		}
		to := map[string]*[]float64{
			catalogue.MMA:                &limits.Matches,
			catalogue.HomographyAccuracy: &limits.Corners, catalogue.HomographyAUC: &limits.Corners,
			catalogue.PoseAccuracy: &limits.Poses, catalogue.PoseAUC: &limits.Poses,
		}[m.Family]
		if !slices.Contains(*to, m.K) {
			*to = append(*to, m.K)
		}
	}
	if r.Unstored || len(limits.Matches)+len(limits.Corners)+len(limits.Poses) == 0 {
		return nil
	}
	systems, accumulators := r.byName(), make(map[string]*matching.Accumulator)
	for _, s := range r.Systems {
		a := matching.NewAccumulator(s.Descriptor, r.Config.MatcherOf(*r.Config.Named(s.Descriptor)), r.Config.Evaluation.TolerancePx)
		a.At(limits)
		accumulators[s.Descriptor] = a
	}
	pairs, err := r.PairRecords()
	if err != nil {
		return err
	}
	var subsets subsets
	var scene []record.Records
	for i, p := range pairs {
		subsets.add(p)
		a, all := accumulators[p.Descriptor], record.Records{Pair: p}
		if a == nil {
			continue
		}
		if len(limits.Matches) > 0 {
			if i == 0 || pairs[i-1].Scene != p.Scene || pairs[i-1].Descriptor != p.Descriptor {
				if scene, err = systems[p.Descriptor].Records(p.Scene); err != nil {
					return err
				}
			}
			at := slices.IndexFunc(scene, func(s record.Records) bool { return s.Pair.K == p.K })
			if at < 0 {
				return unfit(r.RunFolder().Pairs(), fmt.Errorf("the unit of %s in %s has no pair 1_%d", p.Descriptor, p.Scene, p.K))
			}
			all.Queries = scene[at].Queries
		}
		if err := a.Add(all); err != nil {
			return unfit(r.RunFolder().Pairs(), err)
		}
	}
	r.computed = make(map[string][]scope.Metric)
	for descriptor, a := range accumulators {
		r.computed[descriptor] = a.Result(subsets.list()...).Metrics
	}
	return nil
}
