package matching

import (
	"maps"
	"math"
	"slices"

	"descbench/eval/fact"
	"descbench/eval/record"
	"descbench/eval/scope"
	"descbench/eval/stats"
)

// A Result holds all matching metrics of one descriptor.
type Result struct {
	Descriptor string
	Metrics    []scope.Metric // in a fixed order of scopes and names
	Sweeps     []scope.Metric // ratio tests of all scenes and of the categories at every threshold, without intervals
	Facts      []fact.Fact
}

// Result returns all metrics of the pairs added so far. The given subsets have the
// scopes subset:<name> and subset:<name>/<category>.
//
// Intervals are those of scope.List. Areas under curves use fewer resamples.
func (a *Accumulator) Result(subsets ...scope.Subset) Result {
	scenes := a.ledger.Scenes()
	r := Result{Descriptor: a.ledger.Descriptor}
	list, depth := &scope.List{}, slices.ContainsFunc(scenes, func(s sceneTally) bool {
		return slices.ContainsFunc(s.Parts, func(p scope.Part[*pairTally]) bool { return p.Tally.pair.HasDepth() })
	})
	for _, s := range scope.Of(scenes, subsets...) {
		if a.limits != nil {
			figures{s, list, a.matcher, depth}.at(*a.limits)
			continue
		}
		if s.Kind <= scope.OneCategory { // of thousands of scopes, they would fill the memory
			var pooled ratioTally
			for _, p := range s.Tallies() {
				pooled.add(&p.ratios)
			}
			r.Sweeps = append(r.Sweeps, pooled.metrics(s.Name)...)
		}
		figures{s, list, a.matcher, depth}.add()
		if s.Kind == scope.Everything {
			r.Facts = facts(s.Tallies())
			if n := scope.Groups(s.Scenes); n < len(s.Scenes) && n < stats.FewestGroups {
				r.Facts = append(r.Facts, fact.New(fact.FewGroups).With("n", float64(n)))
			}
		}
	}
	r.Metrics = list.Metrics
	return r
}

// leastExchanged is the number of matches that must agree with the inverse homography; of
// those that are all wrong, hardly any does.
const leastExchanged = 10

// Of at least so many matches of a scene or pair, fewer than one in so many is correct by chance,
// and more than one in so many is with one keypoint if 0 is written for no match.
const leastMatches, chance, withOne = 100, 50, 4

// warnings returns what a reader of the metrics must know about the records.
func facts(pairs []*pairTally) (out []fact.Fact) {
	add := func(f fact.Fact) { out = append(out, f) }
	without, ofRows, withFew := 0, 0, 0
	var exchanged, in, random, randomIn []string // pairs or scenes, and their scenes
	failed, estimates := make(map[string]int), make(map[string]int)
	matches, correct := make(map[string]int), make(map[string]int) // by scene and pair, of imported matches
	for _, p := range pairs {
		if p.pair.Imported != "" && !p.placeless {
			for _, place := range p.places() {
				matches[place] += p.judged
				correct[place] += max(p.correct, p.exchanged) // exchanged points have a warning of their own
			}
		}
		if p.matches >= leastMatches && p.pair.Imported == record.ImportedRows {
			ofRows++
			if withOne*p.ofOne > p.matches {
				withFew++
			}
		}
		if p.matches == 0 {
			without++
		}
		if p.pair.Imported == record.ImportedPoints && p.exchanged >= leastExchanged && p.exchanged > 2*p.correct {
			exchanged, in = append(exchanged, scope.PairLabel(p.pair.Scene, int(p.pair.K))), append(in, p.pair.Scene)
		}
		for _, e := range p.estimates {
			estimates[e.Estimator]++
			if math.IsInf(max(e.Px, e.Rotation), 1) {
				failed[e.Estimator]++
			}
		}
	}
	if without > 0 {
		add(fact.New(fact.NoMatches).Counting(without, len(pairs)))
	}
	if exchanged != nil {
		add(fact.New(fact.ExchangedPoints, slices.Compact(in)...).Naming("pairs", exchanged...))
	}
	for _, p := range pairs {
		places := p.places()
		if i := slices.IndexFunc(places, func(place string) bool {
			return matches[place] >= leastMatches && chance*correct[place] < matches[place]
		}); i >= 0 {
			random, randomIn = append(random, places[i]), append(randomIn, p.pair.Scene)
		}
	}
	if random = slices.Compact(random); random != nil {
		add(fact.New(fact.RandomMatches, slices.Compact(randomIn)...).With("px", TolerancePx).With("n", float64(len(random))).Naming("places", random...))
	}
	if 2*withFew > ofRows {
		add(fact.New(fact.OneKeypoint).Counting(withFew, ofRows))
	}
	for _, estimator := range slices.Sorted(maps.Keys(failed)) {
		kind := fact.FailedEstimates
		if e, _ := ParseEstimator(estimator); e.Pose() {
			kind = fact.FailedPoses
		}
		add(fact.New(kind).Naming("estimator", estimator).Counting(failed[estimator], estimates[estimator]))
	}
	return out
}
