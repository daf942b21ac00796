package compare

import (
	"context"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"

	"descbench/eval"
	"descbench/eval/scope"
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

func newRunDescriptor(name string, cfg *config.Config, warnings []eval.Warning) *runDescriptor {
	return &runDescriptor{
		Descriptor: Descriptor{Warnings: warnings, Scenes: make(map[string]Scene), Coverage: math.NaN(), Gallery: math.NaN()},
		descriptor: name, cfg: cfg,
	}
}

// setScene adds a scene that the descriptor was evaluated on.
func (d *runDescriptor) setScene(name, sceneDigest, setDigest string) {
	d.Scenes[name] = Scene{sceneDigest, setDigest, math.NaN()}
}

// setValues sets what is compared from metrics: the figure of each scene, coverage
// and gallery. It reports whether a scene has the figure.
func (d *runDescriptor) setValues(metrics []eval.Metric, figure string) (found bool, err error) {
	for _, m := range metrics {
		scene, ofScene := strings.CutPrefix(m.Scope, "scene:")
		switch {
		case ofScene && m.Name == figure:
			found = true
			s, ok := d.Scenes[scene]
			if !ok {
				return found, fmt.Errorf("%s of %s has a value but no records", scene, d.descriptor)
			}
			s.Value = m.Value
			d.Scenes[scene] = s
		case m.Scope == "all" && m.Name == "coverage":
			d.Coverage = m.Value
		case m.Scope == "all" && m.Name == "mean_gallery_size":
			d.Gallery = m.Value
		}
	}
	return found, nil
}

// comparedDescriptors reads the descriptors of all runs, which are folders or in
// SQLite files. Those of each run are in the order of its config.
func comparedDescriptors(ctx context.Context, runs []string, opt Options, figure string) ([]*runDescriptor, error) {
	folders, err := fold.Labels(runs)
	if err != nil {
		return nil, err
	}
	var labels []string
	var lists [][]*runDescriptor
	var software otherSoftware
	databases := 0
	for i, run := range runs {
		if info, err := os.Stat(run); err != nil || info.IsDir() {
			list, err := comparedRun(ctx, plan.Folder(run), opt.Set, figure)
			if err == nil {
				err = software.warn(run, list)
			}
			if err != nil {
				return nil, err
			}
			labels, lists = append(labels, folders[i]), append(lists, list)
			continue
		}
		databases++
		if len(opt.Set) > 0 {
			return nil, &config.Error{File: "--set", Msg: run + " is a database, which has no records to recompute metrics from; want run folders"}
		}
		of, list, err := comparedDatabase(ctx, run, opt.Chosen, figure)
		if err != nil {
			return nil, err
		}
		labels, lists = append(labels, of...), append(lists, list...)
	}
	if len(opt.Chosen) > 0 && databases != 1 {
		return nil, &config.Error{File: "--runs", Msg: fmt.Sprintf("chooses runs of one SQLite file, found %d", databases)}
	}
	var all []*runDescriptor
	descriptors := make([][]string, len(lists))
	for i, list := range lists {
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
	} else if results, err = readResults(f, p, figure); err != nil {
		return nil, err
	}
	var list []*runDescriptor
	byName := make(map[string]*runDescriptor)
	for _, r := range results {
		d := newRunDescriptor(r.Descriptor, p.Config, r.Warnings)
		list = append(list, d)
		byName[r.Descriptor] = d
	}
	err = store.ReadPairs(f.Pairs(), func(batch []eval.Pair) error {
		for _, p := range batch {
			if d := byName[p.Descriptor]; d != nil {
				d.setScene(strings.Clone(p.Scene), strings.Clone(p.SceneDigest), strings.Clone(p.SetDigest))
			}
		}
		return nil
	})
	if err != nil {
		return nil, fold.NotFolded(f, err)
	}
	found := false
	for _, r := range results {
		some, err := byName[r.Descriptor].setValues(r.Metrics, figure)
		if err != nil {
			return nil, plan.Faultf("%s: %w in %s", f.Metrics(), err, f.Pairs())
		}
		found = found || some
	}
	if !found {
		return nil, plan.Faultf("%s: no scene has %s; either its config does not request it or it is not defined per scene", string(f), figure)
	}
	return list, nil
}

// readResults reads what fold wrote: the metrics of scope "all", the given figures of
// scenes, and the warnings.
func readResults(f plan.Folder, p *plan.Plan, figures ...string) ([]eval.Result, error) {
	metrics := make(map[string][]eval.Metric)
	err := store.ReadMetricsCSV(f.Metrics(), func(descriptor string, m eval.Metric) {
		if m.Scope == scope.All || slices.Contains(figures, m.Name) && strings.HasPrefix(m.Scope, "scene:") {
			metrics[descriptor] = append(metrics[descriptor], m)
		}
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
	if strings.HasPrefix(metric, "true_map") { // ranks every candidate
		keys = append(keys, "evaluation.matcher")
	}
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

// ProtocolDifferences lists how the protocols of two configs differ for a metric.
func ProtocolDifferences(a, b *config.Config, metric string) []string {
	passed := unjudged(metric)
	if !a.Evaluation.ExcludeInvalid && !b.Evaluation.ExcludeInvalid {
		passed = append(passed, "evaluation.exclude_invalid_truths") // has no effect
	}
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
