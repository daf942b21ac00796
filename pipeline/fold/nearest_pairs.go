package fold

import (
	"context"
	"maps"
	"math"
	"runtime"
	"slices"

	"descbench/eval/binary"
	"descbench/eval/fact"
	"descbench/eval/record"
	"descbench/eval/scope"
	"descbench/eval/stats"
)

// nearestPairs collects the samples for the binary classification metrics of one
// descriptor with `pairs: nearest`: every query with its nearest neighbour.
type nearestPairs struct {
	tolerancePx float64
	curves      map[string]*binary.Curve // by scene; nil when closed
	metrics     []scope.Metric
	facts       []fact.Fact
}

func newNearestPairs(tolerancePx float64) *nearestPairs {
	return &nearestPairs{tolerancePx: tolerancePx, curves: make(map[string]*binary.Curve)}
}

// add adds the queries of one scene.
func (n *nearestPairs) add(queries []record.Query) {
	if len(queries) == 0 {
		return
	}
	samples, _, _ := NearestSamples(queries, n.tolerancePx)
	n.curves[queries[0].Scene] = samples.Curve()
}

// NearestSamples returns the distances of queries to their nearest neighbours. A sample is
// positive if the neighbour is within tolerancePx of the query's projection. Queries of which
// that is unknown are left out, and so are those without a neighbour and matches without a
// distance, which are counted.
func NearestSamples(queries []record.Query, tolerancePx float64) (samples binary.Samples, withoutNearest, unscored int) {
	var right, wrong []float64
	for i := range queries {
		switch q := &queries[i]; {
		case q.Unknown():
		case q.Nearest < 0:
			withoutNearest++
		case math.IsNaN(q.NearestDistance):
			unscored++
		case q.NearestError <= tolerancePx:
			right = append(right, q.NearestDistance)
		default:
			wrong = append(wrong, q.NearestDistance)
		}
	}
	samples.Add(true, right...) // at once, so that they take no more memory than they need
	samples.Add(false, wrong...)
	return samples, withoutNearest, unscored
}

// close computes the metrics and frees the samples.
func (n *nearestPairs) close(ctx context.Context) error {
	var scenes []scope.Scene[*binary.Curve]
	for _, name := range slices.Sorted(maps.Keys(n.curves)) {
		scenes = append(scenes, scope.Scene[*binary.Curve]{Name: name, Parts: []scope.Part[*binary.Curve]{{Tally: n.curves[name]}}})
	}
	n.curves = nil
	for _, s := range scope.Of(scenes) {
		var err error
		if of := s.Tallies(); s.Kind == scope.OneScene {
			err = n.sumUp(ctx, s, of[0], nil)
		} else {
			curve, resampler := binary.Merge(of)
			err = n.sumUp(ctx, s, curve, resampler)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// sumUp adds the metrics of one scope, with intervals for the areas under curves if it
// has a resampler.
func (n *nearestPairs) sumUp(ctx context.Context, of scope.Scope[*binary.Curve], curve *binary.Curve, resampler *binary.Resampler) error {
	if positives, negatives := curve.Len(); positives+negatives == 0 {
		return nil
	}
	auc, ap := stats.NoInterval(), stats.NoInterval()
	if resampler != nil {
		var err error
		if auc, ap, err = binary.Intervals(ctx, runtime.GOMAXPROCS(0), resampler, scope.Clusters(of.Scenes)); err != nil {
			return err
		}
	}
	summary := curve.Summary()
	n.metrics = append(n.metrics, summary.Metrics(of.Name, auc, ap)...)
	if of.Kind == scope.Everything {
		for _, f := range summary.Facts {
			n.facts = append(n.facts, f.Of("nearest neighbours, correct or wrong"))
		}
	}
	return nil
}
