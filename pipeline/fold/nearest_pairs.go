package fold

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"

	"descbench/eval"
	"descbench/eval/binary"
	"descbench/eval/scope"
	"descbench/eval/stats"
)

// nearestPairs collects the samples for the binary classification metrics of one
// descriptor with `pairs: nearest`: every query with its nearest neighbour. A
// sample is positive if the neighbour is within the tolerance of the query's
// projection.
type nearestPairs struct {
	tolerancePx float64
	samples     map[string]*binary.Samples // by scene; nil when closed
	metrics     []eval.Metric
	warnings    []eval.Warning
}

func newNearestPairs(tolerancePx float64) *nearestPairs {
	return &nearestPairs{tolerancePx: tolerancePx, samples: make(map[string]*binary.Samples)}
}

// add adds the queries of one scene.
func (n *nearestPairs) add(queries []eval.Query) {
	for i := range queries {
		scene := queries[i].Scene
		if n.samples[scene] == nil {
			n.samples[scene] = &binary.Samples{}
		}
		label(n.samples[scene], &queries[i], n.tolerancePx)
	}
}

// label adds a query with its nearest neighbour to the samples. It returns false
// if the query has no nearest neighbour.
func label(s *binary.Samples, q *eval.Query, tolerancePx float64) bool {
	if q.Nearest < 0 {
		return false
	}
	s.Add(q.NearestError <= tolerancePx, q.NearestDistance)
	return true
}

// close computes the metrics and frees the samples. Further calls do nothing.
func (n *nearestPairs) close(ctx context.Context) error {
	if n.samples == nil {
		return nil
	}
	var scenes []scope.Scene[*binary.Samples]
	for _, name := range slices.Sorted(maps.Keys(n.samples)) {
		scenes = append(scenes, scope.Scene[*binary.Samples]{Name: name, Parts: []scope.Part[*binary.Samples]{{Tally: n.samples[name]}}})
	}
	for _, s := range scope.Of(scenes) {
		if err := n.sumUp(ctx, s.Name, s.Tallies()); err != nil {
			return err
		}
	}
	n.samples = nil
	return nil
}

func (n *nearestPairs) sumUp(ctx context.Context, name string, scenes []*binary.Samples) error {
	var pooled binary.Samples
	for _, scene := range scenes {
		pooled.Merge(scene)
	}
	if positives, negatives := pooled.Len(); positives+negatives == 0 {
		return nil
	}
	curve, err := pooled.Curve()
	if err != nil {
		return fmt.Errorf("nearest neighbours: %w", err)
	}
	summary := curve.Summary()
	metrics := summary.Metrics(name)
	if err := n.bound(ctx, metrics, scenes); err != nil {
		return err
	}
	n.metrics = append(n.metrics, metrics...)
	if name == scope.All {
		for _, w := range summary.Warnings {
			n.warnings = append(n.warnings, eval.Warning{Kind: w.Kind, Text: "nearest neighbours, correct or wrong: " + w.Text})
		}
	}
	return nil
}

// bound adds intervals over the scenes to the areas under curves.
func (n *nearestPairs) bound(ctx context.Context, metrics []eval.Metric, scenes []*binary.Samples) error {
	if len(scenes) < 2 {
		return nil
	}
	curves := make([]*binary.Curve, len(scenes))
	for i, scene := range scenes {
		var samples binary.Samples // a copy, because Curve empties what it sorts
		samples.Merge(scene)
		var err error
		if curves[i], err = samples.Curve(); err != nil {
			return fmt.Errorf("nearest neighbours: %w", err)
		}
	}
	pool := binary.NewPool(curves)
	bootstrap := stats.NewBootstrap(stats.FixedSeed, len(scenes))
	figures := map[string]func(times []uint8) float64{"average_precision": pool.AveragePrecision, "roc_auc": pool.ROCAUC}
	for i := range metrics {
		figure := figures[metrics[i].Name]
		if figure == nil {
			continue
		}
		interval, err := bootstrap.Statistic(ctx, runtime.GOMAXPROCS(0), figure)
		if err != nil {
			return err
		}
		metrics[i].Low, metrics[i].High = interval.Low, interval.High
	}
	return nil
}
