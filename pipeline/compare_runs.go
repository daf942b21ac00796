package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"descbench/eval"
	"descbench/pipeline/config"
	"descbench/pipeline/fold"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// A comparedDescriptor is what a comparison needs of one descriptor of one run.
type comparedDescriptor struct {
	name       string // as printed: RUN:descriptor if several runs have one of that name
	run        string // label of the run
	descriptor string // in the run's config
	cfg        *config.Config
	scenes     map[string]comparedScene // those that were evaluated
	coverage   float64                  // over all scenes of the run; NaN if undefined
	gallery    float64
	warnings   []eval.Warning
}

// A comparedScene is one scene of a descriptor.
type comparedScene struct {
	digest string  // of images and homographies
	set    string  // digest of the keypoints
	value  float64 // NaN if undefined
}

// comparedDescriptors reads the descriptors of all runs, each run's in the order
// of its config.
func comparedDescriptors(ctx context.Context, runs, set []string, figure string) ([]*comparedDescriptor, error) {
	labels, err := labelRuns(runs)
	if err != nil {
		return nil, err
	}
	var all []*comparedDescriptor
	for i, run := range runs {
		list, err := comparedRun(ctx, plan.Folder(run), set, figure)
		if err != nil {
			return nil, err
		}
		for _, d := range list {
			d.run = labels[i]
		}
		all = append(all, list...)
	}
	count := make(map[string]int)
	for _, d := range all {
		count[d.descriptor]++
	}
	for _, d := range all {
		if d.name = d.descriptor; count[d.descriptor] > 1 {
			d.name = d.run + ":" + d.descriptor
		}
	}
	return all, nil
}

// labelRuns names runs by their folders, by the whole path where two have the
// same name.
func labelRuns(runs []string) ([]string, error) {
	labels := make([]string, len(runs))
	for i, run := range runs {
		path, err := filepath.Abs(run)
		if err != nil {
			return nil, plan.Fault(err)
		}
		labels[i] = filepath.Base(path)
		for _, other := range runs[:i] {
			if fold.SameFolder(run, other) {
				return nil, &config.Error{File: "compare", Msg: fmt.Sprintf("%s and %s are one run folder", other, run)}
			}
		}
	}
	out := slices.Clone(labels)
	for i := range labels {
		for j := range labels {
			if i != j && labels[i] == labels[j] {
				out[i] = filepath.Clean(runs[i])
			}
		}
	}
	return out, nil
}

// comparedRun reads one run: its results as they are, or with changes to the
// evaluation section computed again from its records.
func comparedRun(ctx context.Context, f plan.Folder, set []string, figure string) ([]*comparedDescriptor, error) {
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
	var list []*comparedDescriptor
	byName := make(map[string]*comparedDescriptor)
	for _, r := range results {
		d := &comparedDescriptor{
			descriptor: r.Descriptor, cfg: p.Config, warnings: r.Warnings,
			scenes: make(map[string]comparedScene), coverage: math.NaN(), gallery: math.NaN(),
		}
		list = append(list, d)
		byName[r.Descriptor] = d
	}
	err = store.ReadPairs(f.Pairs(), func(batch []eval.Pair) error {
		for _, p := range batch {
			if d := byName[p.Descriptor]; d != nil {
				d.scenes[strings.Clone(p.Scene)] = comparedScene{strings.Clone(p.SceneDigest), strings.Clone(p.SetDigest), math.NaN()}
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
				s, ok := d.scenes[scene]
				if !ok {
					return nil, plan.Faultf("%s: %s of %s has no records in %s", f.Metrics(), scene, r.Descriptor, f.Pairs())
				}
				s.value = m.Value
				d.scenes[scene] = s
			case m.Scope == "all" && m.Name == "coverage":
				d.coverage = m.Value
			case m.Scope == "all" && m.Name == "mean_gallery_size":
				d.gallery = m.Value
			}
		}
	}
	if !found {
		return nil, plan.Faultf("%s: no scene has %s; its config does not ask for it, or it has no value for single scenes", string(f), figure)
	}
	return list, nil
}

// readResults reads metrics and warnings as fold wrote them.
func readResults(f plan.Folder, p *plan.Plan) ([]eval.Result, error) {
	metrics := make(map[string][]eval.Metric)
	err := store.ReadMetricsCSV(f.Metrics(), func(descriptor string, m eval.Metric) {
		metrics[descriptor] = append(metrics[descriptor], m)
	})
	if err != nil {
		return nil, fold.NotFolded(f, err)
	}
	summary, err := store.ReadSummary(f.Summary())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fold.NotFolded(f, err)
	} else if err != nil {
		return nil, plan.Fault(err)
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

// findBaseline returns the descriptor of that name, or of that run and name.
func findBaseline(all []*comparedDescriptor, name string) (*comparedDescriptor, error) {
	var exact, plain []*comparedDescriptor
	var names []string
	for _, d := range all {
		names = append(names, d.name)
		switch name {
		case d.name, d.run + ":" + d.descriptor:
			exact = append(exact, d)
		case d.descriptor:
			plain = append(plain, d)
		}
	}
	if len(exact) == 1 {
		return exact[0], nil
	}
	refuse := func(format string, args ...any) error {
		return &config.Error{File: "--baseline " + name, Msg: fmt.Sprintf(format, args...)}
	}
	if len(plain) > 0 {
		return nil, refuse("several runs have a descriptor of that name; want one of %s", strings.Join(names, ", "))
	}
	return nil, refuse("want one of %s", strings.Join(names, ", "))
}

// unjudged are the settings of the evaluation section that do not change a
// metric, or that show in others: what else a run computes, and the preset,
// which stands for others.
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

// protocolDifferences lists how the second protocol of a metric differs from
// the first.
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
func sortedKeys(a, b map[string]comparedScene) []string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return slices.Sorted(maps.Keys(all))
}
