package compare

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"descbench/eval"
	"descbench/eval/spelling"
	"descbench/pipeline/config"
	"descbench/pipeline/fold"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// A runDescriptor is a descriptor of a run.
type runDescriptor struct {
	Descriptor
	run        string // label of the run
	descriptor string // name in the run's config
	cfg        *config.Config
}

// comparedDescriptors reads the descriptors of all runs. Those of each run are in
// the order of its config.
func comparedDescriptors(ctx context.Context, runs, set []string, figure string) ([]*runDescriptor, error) {
	labels, err := fold.Labels(runs)
	if err != nil {
		return nil, err
	}
	var all []*runDescriptor
	descriptors := make([][]string, len(runs))
	for i, run := range runs {
		list, err := comparedRun(ctx, plan.Folder(run), set, figure)
		if err != nil {
			return nil, err
		}
		for _, d := range list {
			descriptors[i] = append(descriptors[i], d.descriptor)
		}
		all = append(all, list...)
	}
	for i, s := range fold.Systems(labels, descriptors) {
		all[i].Name, all[i].run = s.Name, s.Run
	}
	return all, nil
}

// comparedRun reads the results of one run. If set changes the evaluation
// section, it recomputes them from the records.
func comparedRun(ctx context.Context, f plan.Folder, set []string, figure string) ([]*runDescriptor, error) {
	p, err := f.Plan()
	if err != nil {
		return nil, err
	}
	var results []eval.Result
	if len(set) > 0 {
		var records *fold.Folded
		if p, records, err = fold.Reevaluated(ctx, f, set); err != nil {
			return nil, err
		}
		results = records.Results
	} else if results, err = readResults(f, p); err != nil {
		return nil, err
	}
	var list []*runDescriptor
	byName := make(map[string]*runDescriptor)
	for _, r := range results {
		d := &runDescriptor{
			Descriptor: Descriptor{Warnings: r.Warnings, Scenes: make(map[string]Scene), Coverage: math.NaN(), Gallery: math.NaN()},
			descriptor: r.Descriptor, cfg: p.Config,
		}
		list = append(list, d)
		byName[r.Descriptor] = d
	}
	err = store.ReadPairs(f.Pairs(), func(batch []eval.Pair) error {
		for _, p := range batch {
			if d := byName[p.Descriptor]; d != nil {
				d.Scenes[strings.Clone(p.Scene)] = Scene{strings.Clone(p.SceneDigest), strings.Clone(p.SetDigest), math.NaN()}
			}
		}
		return nil
	})
	if err != nil {
		return nil, fold.NotFolded(f, err)
	}
	found := false
	for _, r := range results {
		d := byName[r.Descriptor]
		for _, m := range r.Metrics {
			scene, ofScene := strings.CutPrefix(m.Scope, "scene:")
			switch {
			case ofScene && m.Name == figure:
				found = true
				s, ok := d.Scenes[scene]
				if !ok {
					return nil, plan.Faultf("%s: %s of %s has no records in %s", f.Metrics(), scene, r.Descriptor, f.Pairs())
				}
				s.Value = m.Value
				d.Scenes[scene] = s
			case m.Scope == "all" && m.Name == "coverage":
				d.Coverage = m.Value
			case m.Scope == "all" && m.Name == "mean_gallery_size":
				d.Gallery = m.Value
			}
		}
	}
	if !found {
		return nil, plan.Faultf("%s: no scene has %s; either its config does not request it or it is not defined per scene", string(f), figure)
	}
	return list, nil
}

// readResults reads the metrics and warnings that fold wrote.
func readResults(f plan.Folder, p *plan.Plan) ([]eval.Result, error) {
	metrics := make(map[string][]eval.Metric)
	err := store.ReadMetricsCSV(f.Metrics(), func(descriptor string, m eval.Metric) {
		metrics[descriptor] = append(metrics[descriptor], m)
	})
	if err != nil {
		return nil, fold.NotFolded(f, err)
	}
	summary, err := store.ReadSummary(f.Summary())
	if err != nil {
		return nil, fold.NotFolded(f, err)
	}
	var results []eval.Result
	for _, d := range p.Config.Descriptors {
		r := eval.Result{Descriptor: d.Name, Metrics: metrics[d.Name]}
		for _, w := range summary.Warnings {
			if w.Descriptor == d.Name {
				r.Warnings = append(r.Warnings, eval.Warning{Kind: w.Kind, Text: w.Text})
			}
		}
		results = append(results, r)
	}
	return results, nil
}

// findBaseline returns the descriptor with the given name, which may have the
// form RUN:descriptor, or the first one for "".
func findBaseline(all []*runDescriptor, name string) (*runDescriptor, error) {
	if name == "" {
		return all[0], nil
	}
	return find(all, "--baseline", name)
}

// findOnly returns the descriptors with the given names.
func findOnly(all []*runDescriptor, names []string) ([]*runDescriptor, error) {
	var chosen []*runDescriptor
	for _, name := range names {
		d, err := find(all, "--only", name)
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, d)
	}
	return chosen, nil
}

// find returns the descriptor that the value of a flag names.
func find(all []*runDescriptor, flag, name string) (*runDescriptor, error) {
	var exact, plain []*runDescriptor
	var names []string
	for _, d := range all {
		names = append(names, d.Name)
		switch name {
		case d.Name, d.run + ":" + d.descriptor:
			exact = append(exact, d)
		case d.descriptor:
			plain = append(plain, d)
		}
	}
	if len(exact) == 1 {
		return exact[0], nil
	}
	refuse := func(format string, args ...any) error {
		return &config.Error{File: flag + " " + name, Msg: fmt.Sprintf(format, args...)}
	}
	if len(plain) > 0 {
		return nil, refuse("several runs have a descriptor of that name, want one of %s", strings.Join(names, ", "))
	}
	hint := ""
	if near := spelling.Nearest(name, names); near != "" {
		hint = fmt.Sprintf(" (did you mean %s?)", near)
	}
	return nil, refuse("want one of %s%s", strings.Join(names, ", "), hint)
}

// unjudged returns the settings of the evaluation section that do not affect a
// metric: those for other metrics, and the preset, which only sets other keys.
func unjudged(metric string) []string {
	keys := []string{"evaluation.preset", "evaluation.cutoffs", "evaluation.estimators"}
	if !strings.HasPrefix(metric, "fixed_gallery") {
		keys = append(keys, "evaluation.fixed_gallery")
	}
	if !strings.HasPrefix(metric, "bojanic") {
		keys = append(keys, "evaluation.bojanic_2019")
	}
	if metric != "keypoint_verification_ap" && metric != "keypoint_retrieval_ap" {
		keys = append(keys, "evaluation.workbench_tasks")
	}
	return keys
}

// protocolDifferences lists how the protocols of two configs differ for a metric.
func protocolDifferences(a, b *config.Config, metric string) []string {
	passed := unjudged(metric)
	changed := *a
	changed.Evaluation = b.Evaluation
	return slices.DeleteFunc(config.Diff(a, &changed), func(line string) bool {
		return slices.ContainsFunc(passed, func(key string) bool {
			rest, ok := strings.CutPrefix(line, key)
			return ok && (rest[0] == ':' || rest[0] == '.' || rest[0] == '[')
		})
	})
}

// sortedKeys returns the keys of both maps.
func sortedKeys(a, b map[string]Scene) []string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return slices.Sorted(maps.Keys(all))
}
