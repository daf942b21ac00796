package charts

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"descbench/eval"
	"descbench/eval/scope"
	"descbench/pipeline/compare"
	"descbench/pipeline/config"
	"descbench/pipeline/fold"
	"descbench/pipeline/plan"
	"descbench/pipeline/report"
	"descbench/pipeline/report/figure"
	"descbench/pipeline/store"
)

// mAP is the metric that charts show as mAP: the mean over scenes of the mean
// average precision of each. sceneMAP is its value in one scene.
const (
	mAP      = "true_map_macro_by_scene"
	sceneMAP = "true_map_micro"
)

// data holds what charts read from runs.
type data struct {
	Options
	paths    []string
	runs     []*run
	systems  []*system // to show
	hidden   []*system // not to show
	baseline *system

	// classifiers returns those of the systems to show. It reads the records when
	// first called.
	classifiers func() ([]report.System, error)
}

// A run is one run folder.
type run struct {
	*fold.Outcome
	label string
}

// A system is a descriptor of a run with its metrics.
type system struct {
	System
	descriptor string
	run        *run
	digests    map[string]store.Digests // by scene
	summary    store.SummaryDescriptor
	metrics    map[metricKey]eval.Metric // none of pairs, and of single scenes: mAP only
}

type metricKey struct{ scope, name string }

// read reads the runs and chooses what to show.
func read(ctx context.Context, paths []string, opt Options) (*data, error) {
	labels, err := fold.Labels(paths)
	if err != nil {
		return nil, err
	}
	if err := compare.Together(paths, mAP, "draw the figures of each run on their own"); err != nil {
		return nil, err
	}
	d := &data{Options: opt, paths: paths}
	d.classifiers = sync.OnceValues(func() ([]report.System, error) { return d.classify(ctx) })
	descriptors := make([][]string, len(paths))
	var all []*system
	for i, path := range paths {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r := &run{label: labels[i]}
		if r.Outcome, err = fold.Read(path); err != nil {
			return nil, err
		}
		d.runs = append(d.runs, r)
		list, err := r.systems(path)
		if err != nil {
			return nil, err
		}
		for _, s := range list {
			descriptors[i] = append(descriptors[i], s.descriptor)
		}
		all = append(all, list...)
	}
	for i, named := range fold.Systems(labels, descriptors) {
		all[i].Index, all[i].Name = i, named.Name
	}
	return d, d.choose(all)
}

// systems reads the systems of a run, in the order of its config.
func (r *run) systems(path string) ([]*system, error) {
	f := plan.Folder(path)
	var list []*system
	byName := make(map[string]*system)
	digests, err := compare.Digests(f)
	if err != nil {
		return nil, err
	}
	for _, s := range r.Summary.Descriptors {
		one := &system{descriptor: s.Name, run: r, digests: digests[s.Name], summary: s, metrics: make(map[metricKey]eval.Metric)}
		list, byName[s.Name] = append(list, one), one
	}
	err = store.ReadMetricsCSV(f.Metrics(), func(descriptor string, m eval.Metric) {
		ofPair, ofScene := strings.HasPrefix(m.Scope, "pair:"), strings.HasPrefix(m.Scope, "scene:")
		if s := byName[descriptor]; s != nil && !ofPair && (!ofScene || m.Name == sceneMAP) {
			s.metrics[metricKey{m.Scope, m.Name}] = m
		}
	})
	if err != nil {
		return nil, fold.NotFolded(f, err)
	}
	return list, nil
}

// choose sorts the systems into those to show and the others, and finds the
// baseline.
func (d *data) choose(all []*system) error {
	var names []string
	for _, s := range all {
		names = append(names, s.Name)
	}
	find := func(flag, name string) (*system, error) {
		for _, s := range all {
			if s.Name == name || s.run.label+":"+s.descriptor == name {
				return s, nil
			}
		}
		return nil, &config.Error{File: flag + " " + name, Msg: "want one of " + strings.Join(names, ", ")}
	}
	shown := all
	if len(d.Only) > 0 {
		shown = nil
		for _, name := range d.Only {
			s, err := find("--only", name)
			if err != nil {
				return err
			}
			shown = append(shown, s)
		}
	} else if d.Most > 0 && d.Most < len(all) {
		shown = slices.SortedStableFunc(slices.Values(all), func(a, b *system) int {
			return cmp.Or(-cmp.Compare(a.value("all", mAP), b.value("all", mAP)), cmp.Compare(a.Index, b.Index))
		})[:d.Most]
	}
	for _, s := range all {
		if slices.Contains(shown, s) {
			d.systems = append(d.systems, s)
		} else {
			d.hidden = append(d.hidden, s)
		}
	}
	if d.baseline = d.systems[0]; d.Baseline == "" {
		return nil
	}
	var err error
	d.baseline, err = find("--baseline", d.Baseline)
	return err
}

// value returns a metric, or NaN if it is undefined.
func (s *system) value(scope, name string) float64 {
	if m, ok := s.metrics[metricKey{scope, name}]; ok {
		return m.Value
	}
	return math.NaN()
}

// interval returns the interval of a metric, or nil without one.
func (s *system) interval(scope, name string) *figure.Interval {
	m, ok := s.metrics[metricKey{scope, name}]
	if !ok || math.IsNaN(m.Low) || math.IsNaN(m.High) {
		return nil
	}
	return &figure.Interval{Low: m.Low, High: m.High}
}

// intervals says what the intervals of metrics are.
const intervals = "Intervals: 95 %, cluster bootstrap over scenes."

// bands says what the bands of curves are.
const bands = "Bands: 95 % at each point, cluster bootstrap over scenes."

// caption returns the sentences, followed by those about scenes, protocol, keypoints
// and what is not shown.
func (d *data) caption(in string, sentences ...string) string {
	parts := slices.DeleteFunc(slices.Clone(sentences), func(s string) bool { return s == "" })
	for _, r := range d.runs {
		scenes := report.ScenesBehind(r.Summary)
		if in != scope.All {
			scenes = fmt.Sprintf("%d %s scenes", r.scenesOf(in), in)
		}
		name := "Experiment " + r.Summary.Experiment
		if len(d.runs) > 1 {
			name = "Run " + r.label
		}
		parts = append(parts, fmt.Sprintf("%s: %s; %s.", name, scenes, fold.Protocol(r.Config)))
	}
	if text := d.keypoints(); text != "" {
		parts = append(parts, text)
	}
	if n := len(d.hidden); n > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d descriptors are shown.", len(d.systems), len(d.systems)+n))
	}
	return strings.Join(parts, " ")
}

// keypoints says which systems were evaluated on which keypoints, or returns "" if
// all were on the same.
func (d *data) keypoints() string {
	var groups [][]*system
next:
	for _, s := range d.systems {
		for i, group := range groups {
			if !slices.ContainsFunc(group, func(o *system) bool { return !compare.SameKeypoints(o.digests, s.digests) }) {
				groups[i] = append(group, s)
				continue next
			}
		}
		groups = append(groups, []*system{s})
	}
	if len(groups) < 2 {
		return ""
	}
	const most = 4
	var parts []string
	for _, group := range groups {
		var names []string
		for _, s := range group {
			names = append(names, s.Name)
		}
		if n := len(names); n > most {
			names = []string{fmt.Sprintf("%d descriptors", n)}
		}
		parts = append(parts, fmt.Sprintf("%s (%s)", d.setOf(group[0]), strings.Join(names, ", ")))
	}
	return "Keypoints differ: " + strings.Join(parts, "; ") + "."
}

// setOf returns the name of a system's keypoint set, with the label of the run if
// there are several.
func (d *data) setOf(s *system) string {
	for _, configured := range s.run.Config.Descriptors {
		if configured.Name == s.descriptor {
			set := s.run.Config.SetOf(configured)
			if len(d.runs) > 1 {
				set = s.run.label + ":" + set
			}
			return set
		}
	}
	return ""
}

// scenesOf returns the number of evaluated scenes of a category.
func (r *run) scenesOf(category string) int {
	scenes := make(map[string]bool)
	for _, d := range r.Summary.Descriptors {
		for name := range d.Scenes {
			if scope.Category(name) == category {
				scenes[name] = true
			}
		}
	}
	return len(scenes)
}
