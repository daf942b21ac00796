package fold

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"

	"descbench/eval"
	"descbench/eval/binary"
	"descbench/eval/stats"
)

// nearestPairs gathers what the figures of binary classification of one
// descriptor are made of, the population `pairs: nearest`: every query with its
// nearest neighbour, a positive if that lies within the tolerance of the
// query's projection.
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

// label adds a query with its nearest neighbour to the samples, or reports that
// it has none.
func label(s *binary.Samples, q *eval.Query, tolerancePx float64) bool {
	if q.Nearest < 0 {
		return false
	}
	s.Add(q.NearestError <= tolerancePx, q.NearestDistance)
	return true
}

// close works out the figures and lets go of the samples. Further calls do
// nothing.
func (n *nearestPairs) close(ctx context.Context) error {
	if n.samples == nil {
		return nil
	}
	scenes := slices.Sorted(maps.Keys(n.samples))
	if err := n.sumUp(ctx, "all", scenes); err != nil {
		return err
	}
	for _, category := range []string{eval.Viewpoint, eval.Illumination, eval.Other} {
		in := slices.DeleteFunc(slices.Clone(scenes), func(scene string) bool { return eval.Category(scene) != category })
		if err := n.sumUp(ctx, category, in); err != nil {
			return err
		}
	}
	for _, scene := range scenes {
		if err := n.sumUp(ctx, "scene:"+scene, []string{scene}); err != nil {
			return err
		}
	}
	n.samples = nil
	return nil
}

func (n *nearestPairs) sumUp(ctx context.Context, scope string, scenes []string) error {
	var pooled binary.Samples
	for _, scene := range scenes {
		pooled.Merge(n.samples[scene])
	}
	if positives, negatives := pooled.Len(); positives+negatives == 0 {
		return nil
	}
	curve, err := pooled.Curve()
	if err != nil {
		return fmt.Errorf("nearest neighbours: %w", err)
	}
	summary := curve.Summary()
	metrics := summary.Metrics(scope)
	if err := n.bound(ctx, metrics, scenes); err != nil {
		return err
	}
	n.metrics = append(n.metrics, metrics...)
	if scope == "all" {
		for _, w := range summary.Warnings {
			n.warnings = append(n.warnings, eval.Warning{Kind: w.Kind, Text: "nearest neighbours, correct or wrong: " + w.Text})
		}
	}
	return nil
}

// bound gives the areas under curves their intervals over the scenes.
func (n *nearestPairs) bound(ctx context.Context, metrics []eval.Metric, scenes []string) error {
	if len(scenes) < 2 {
		return nil
	}
	curves := make([]*binary.Curve, len(scenes))
	for i, scene := range scenes {
		var samples binary.Samples // Curve empties what it sorts
		samples.Merge(n.samples[scene])
		var err error
		if curves[i], err = samples.Curve(); err != nil {
			return fmt.Errorf("nearest neighbours: %w", err)
		}
	}
	pool := binary.NewPool(curves)
	bootstrap := stats.NewBootstrap(stats.FixedSeed, len(scenes))
	figures := map[string]func(times []int32) float64{"average_precision": pool.AveragePrecision, "roc_auc": pool.ROCAUC}
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
