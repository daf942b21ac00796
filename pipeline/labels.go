package pipeline

import (
	"fmt"
	"slices"

	"descbench/eval"
	"descbench/eval/binary"
)

// nearestPairs gathers what the figures of binary classification of one
// descriptor are made of, the population `pairs: nearest`: every query with its
// nearest neighbour, a positive if that lies within the tolerance of the
// query's projection.
type nearestPairs struct {
	tolerancePx float64
	samples     map[string]*binary.Samples // by category
	metrics     []eval.Metric
	warnings    []eval.Warning
}

func newNearestPairs(tolerancePx float64) *nearestPairs {
	return &nearestPairs{tolerancePx: tolerancePx, samples: make(map[string]*binary.Samples)}
}

// add adds the queries of one scene.
func (n *nearestPairs) add(queries []eval.Query) {
	for i := range queries {
		category := eval.Category(queries[i].Scene)
		if n.samples[category] == nil {
			n.samples[category] = &binary.Samples{}
		}
		label(n.samples[category], &queries[i], n.tolerancePx)
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
func (n *nearestPairs) close() error {
	all := &binary.Samples{}
	for _, category := range []string{eval.Viewpoint, eval.Illumination, eval.Other} {
		if samples := n.samples[category]; samples != nil {
			all.Merge(samples)
			if err := n.sumUp(category, samples); err != nil {
				return err
			}
		}
	}
	n.samples = nil
	return n.sumUp("all", all)
}

func (n *nearestPairs) sumUp(scope string, samples *binary.Samples) error {
	if positives, negatives := samples.Len(); positives+negatives == 0 {
		return nil
	}
	curve, err := samples.Curve()
	if err != nil {
		return fmt.Errorf("nearest neighbours: %w", err)
	}
	summary := curve.Summary()
	n.metrics = append(n.metrics, summary.Metrics(scope)...)
	if scope == "all" {
		for _, w := range summary.Warnings {
			n.warnings = append(n.warnings, eval.Warning{Kind: w.Kind, Text: "nearest neighbours, right or wrong: " + w.Text})
		}
	}
	return nil
}

// into closes n and adds its figures to the result, each behind those of its
// scope.
func (n *nearestPairs) into(r *eval.Result) error {
	if err := n.close(); err != nil {
		return fmt.Errorf("%s: %w", r.Descriptor, err)
	}
	for _, m := range n.metrics {
		last := 0
		for i := range r.Metrics {
			if r.Metrics[i].Scope == m.Scope {
				last = i + 1
			}
		}
		r.Metrics = slices.Insert(r.Metrics, last, m)
	}
	r.Warnings = append(r.Warnings, n.warnings...)
	return nil
}
