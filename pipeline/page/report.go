package page

import (
	"context"
	"slices"

	"descbench/eval"
	"descbench/pipeline/compare"
	"descbench/pipeline/fold"
	"descbench/pipeline/plan"
	"descbench/pipeline/report"
	"descbench/pipeline/store"
)

// headline is the metric that descriptors are ranked and compared by.
const headline = "true_map_macro_by_scene"

// A results holds the results of all runs.
type results struct {
	Runs    []*run
	Systems []*system // in the order of the runs; the index of a system selects its look
	// Comparisons holds the comparison of all systems with each baseline, by the index
	// of the baseline. It is nil with a single system.
	Comparisons []*report.Comparison
}

// A run is one folded run.
type run struct {
	*fold.Outcome
	Label       string
	Digest      string // of the results
	Environment plan.Environment
}

// A system is a descriptor of a run with its metrics.
type system struct {
	fold.System
	run       *run
	Keypoints string                   // the keypoint set
	Digests   map[string]store.Digests // by scene
	Summary   store.SummaryDescriptor
	// Metrics holds the metrics by scope and name.
	Metrics map[string]map[string]eval.Metric
}

// read reads folded runs.
func read(ctx context.Context, paths []string) (*results, error) {
	labels, err := fold.Labels(paths)
	if err != nil {
		return nil, err
	}
	if err := compare.Together(paths, headline, "write one report per run"); err != nil {
		return nil, err
	}
	r := &results{}
	descriptors := make([][]string, len(paths))
	for i, path := range paths {
		one, err := readRun(path, labels[i])
		if err != nil {
			return nil, err
		}
		r.Runs = append(r.Runs, one)
		for _, d := range one.Summary.Descriptors {
			descriptors[i] = append(descriptors[i], d.Name)
		}
	}
	names := fold.Systems(labels, descriptors)
	for _, one := range r.Runs {
		list, err := one.systems(names[len(r.Systems):])
		if err != nil {
			return nil, err
		}
		r.Systems = append(r.Systems, list...)
	}
	return r, r.compare(ctx, paths)
}

func readRun(path, label string) (*run, error) {
	outcome, err := fold.Read(path)
	if err != nil {
		return nil, err
	}
	one := &run{Outcome: outcome, Label: label}
	if one.Digest, err = digest(path); err != nil {
		return nil, err
	}
	if err := plan.ReadJSON(plan.Folder(path).Environment(), &one.Environment); err != nil {
		return nil, plan.Recreate(err)
	}
	return one, nil
}

// systems returns the systems of a run, given their names.
func (one *run) systems(names []fold.System) ([]*system, error) {
	var list []*system
	byName := make(map[string]*system)
	sets := make(map[string]string)
	for _, d := range one.Config.Descriptors {
		sets[d.Name] = one.Config.SetOf(d)
	}
	digests, err := compare.Digests(plan.Folder(one.Folder))
	if err != nil {
		return nil, err
	}
	for i, d := range one.Summary.Descriptors {
		s := &system{System: names[i], run: one, Keypoints: sets[d.Name], Digests: digests[d.Name], Summary: d, Metrics: make(map[string]map[string]eval.Metric)}
		list = append(list, s)
		byName[d.Name] = s
	}
	shown := make(map[string]bool)
	for _, s := range scopes {
		shown[s.name] = true
	}
	f := plan.Folder(one.Folder)
	err = store.ReadMetricsCSV(f.Metrics(), func(descriptor string, m eval.Metric) {
		s := byName[descriptor]
		if s == nil || !shown[m.Scope] {
			return
		}
		if s.Metrics[m.Scope] == nil {
			s.Metrics[m.Scope] = make(map[string]eval.Metric)
		}
		s.Metrics[m.Scope][m.Name] = m
	})
	if err != nil {
		return nil, fold.NotFolded(f, err)
	}
	return list, nil
}

// compare compares the systems with each other, if every run has the metric.
func (r *results) compare(ctx context.Context, paths []string) error {
	for _, one := range r.Runs {
		if !slices.ContainsFunc(one.Summary.Descriptors, func(d store.SummaryDescriptor) bool {
			_, defined := d.Metrics.Get(headline)
			return defined
		}) {
			return nil
		}
	}
	if len(r.Systems) < 2 {
		return nil
	}
	var err error
	r.Comparisons, err = compare.WithEach(ctx, paths, compare.Options{Metric: headline})
	return err
}
