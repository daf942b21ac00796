package patchbench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"descbench/eval/catalogue"
	"descbench/eval/fact"
	"descbench/eval/patches"
	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/pipeline/compare"
	"descbench/pipeline/config"
	"descbench/pipeline/notes"
	"descbench/pipeline/plan"
	"descbench/pipeline/report"
	"descbench/pipeline/store"
)

// CompareOptions select the results of the patch benchmark to compare, and the
// tests.
type CompareOptions struct {
	Baseline  string   // name of a descriptor; "" for the first
	Only      []string // names of the descriptors to compare; empty: all
	Metric    string   // patch_...; "" for the main metric of the first task that has results
	Benchmark string   // split or benchmark; "" for all
	Protocol  string   // "" for all
	Distance  string   // "" for all
}

// Compare compares the descriptors in databases with the baseline, sequence by
// sequence, as package compare does for the scenes of runs.
func Compare(ctx context.Context, databases []string, opt CompareOptions) (*report.Comparison, error) {
	if full := catalogue.TaskMetrics[opt.Metric]; full != "" {
		opt.Metric = full
	}
	if opt.Metric == "" {
		var err error
		if opt.Metric, err = mainMetric(ctx, databases, opt); err != nil {
			return nil, err
		}
	}
	metric, err := catalogue.Resolve(opt.Metric)
	const want = "want a metric of the patch benchmark for which higher or lower is better: " +
		"matching, verification, retrieval, patch_matching_map_h, patch_verification_h_intra_imbalanced_ap, ...; see descbench metrics"
	if err != nil {
		return nil, &config.Error{File: "--metric", Msg: err.Error() + "; " + want}
	}
	if metric.Group != "patches" || metric.Better == "" {
		return nil, &config.Error{File: "--metric " + metric.Name, Msg: want}
	}
	if metric.Open {
		one := strings.NewReplacer("NOISE", "h", "KIND", "intra", "SIZE", "500", "PROTOCOL", "balanced").Replace(metric.Name)
		return nil, &config.Error{File: "--metric " + metric.Name, Msg: "stands for several metrics, want one such as " + one + " (NOISE: e, h, t or mean)"}
	}
	if metric.Family == "patch_matching_map_balanced_NOISE" {
		return nil, &config.Error{File: "--metric " + metric.Name, Msg: "balances the kinds of all sequences, so that no sequence has a value; want patch_matching_map_" + metric.Noise}
	}
	opt.Metric = metric.Name
	all, err := candidates(ctx, databases, opt)
	if err != nil {
		return nil, err
	}
	if opt.Baseline == "" {
		opt.Baseline = all[0].Name
	}
	base, err := find(all, "--baseline", opt.Baseline)
	if err != nil {
		return nil, err
	}
	var only []*candidate
	for _, name := range opt.Only {
		d, err := find(all, "--only", name)
		if err != nil {
			return nil, err
		}
		only = append(only, d)
	}
	var others []string // distances
	facts := fact.About(base.Name, notes.OfPatches(base.Facts, metric))
	c := compare.Against(&base.Descriptor, metric)
	for _, d := range all {
		if d.older > 0 {
			c.LeaveOut(&d.Descriptor, fact.New(fact.OlderResults).With("n", float64(d.older)))
		}
		if d == base || len(only) > 0 && !slices.Contains(only, d) {
			continue
		}
		if differs := base.protocol.differences(d.protocol, opt.Metric); differs != nil {
			c.LeaveOut(&d.Descriptor, fact.New(fact.OtherEvaluation).Naming("differs", differs...))
			continue
		}
		if err := c.Add(&d.Descriptor); err != nil {
			return nil, err
		}
		if distance := d.protocol.DistanceText(); distance != base.protocol.DistanceText() {
			others = append(others, distance)
		}
		facts = append(facts, fact.About(d.Name, notes.OfPatches(d.Facts, metric))...)
	}
	label := append([]string{base.protocol.Benchmark, base.protocol.Protocol, base.protocol.DistanceText()}, opt.Only...)
	slices.Sort(others)
	label = append(label, slices.Compact(others)...)
	protocol := base.protocol.String() + ", distance " + base.protocol.DistanceText()
	if others != nil {
		protocol = base.protocol.String() + ", distances by name"
	}
	found, err := c.Result(spelling.Capital(protocol), "only the baseline has "+opt.Metric)
	if err == nil {
		found.Runs, found.Scenes.Noun, found.Facts = label, "sequence", append(found.Facts, facts...)
	}
	return found, err
}

// mainMetric returns the main metric of the first task that has results.
func mainMetric(ctx context.Context, databases []string, opt CompareOptions) (string, error) {
	metrics := []string{
		catalogue.TaskMetrics["matching"], catalogue.TaskMetrics["verification"], catalogue.TaskMetrics["retrieval"],
		"patch_retrieval_map_20000_mean", "patch_match_map_over_correct", "patch_retrieve_patch_map", "patch_classify_imbalanced_average_precision",
	}
	for _, opt.Metric = range metrics {
		if _, err := candidates(ctx, databases, opt); !errors.Is(err, errNoFigures) {
			return opt.Metric, err
		}
	}
	return "", plan.Faultf("%s: no sequence has any of %s; %s", strings.Join(databases, ", "), strings.Join(metrics, ", "), unnamed)
}

// errNoFigures reports that no sequence has a value of the metric.
var errNoFigures = errors.New("no sequence has")

const unnamed = "results from files without sequence names only have metrics over all sequences"

// DistanceText describes how the descriptors of a result were compared. --normalise is part
// of their names.
func (p Protocol) DistanceText() string { return patches.Distance(p.Distance).Text(p.PCAPowerLaw) }

// WithDistance is the name of a descriptor among results by several distances.
func (p Protocol) WithDistance(descriptor string) string {
	return descriptor + " (" + p.DistanceText() + ")"
}

// A choice is a flag that chooses among results, with its value, "" for any, and that of a
// result.
type choice struct{ flag, want, found string }

func (opt CompareOptions) choices(p Protocol) []choice {
	return []choice{{"--benchmark", opt.Benchmark, p.Benchmark}, {"--protocol", opt.Protocol, p.Protocol}, {"--distance", opt.Distance, p.DistanceText()}}
}

// differences returns the reasons why two results cannot be compared, none if they can.
func (p Protocol) differences(other Protocol, metric string) (d []string) {
	compare := func(name, was, is string) {
		if was != is {
			d = append(d, fmt.Sprintf("%s: %s -> %s", name, was, is))
		}
	}
	compare("task", p.Task, other.Task)
	compare("benchmark", p.Benchmark, other.Benchmark)
	compare("protocol", p.Protocol, other.Protocol)
	if d == nil && (p.Definition(metric) != other.Definition(metric) || !p.MayShareStrips(other)) {
		d = append(d, "different patches, pairs or queries under the same name")
	}
	return d
}

// A candidate is one descriptor of one experiment.
type candidate struct {
	compare.Descriptor
	descriptor string
	protocol   Protocol
	older      int // results of earlier descriptor files in the same database
}

// candidates reads all selected results that have the metric, and makes their names
// unique. Of results in a database that differ only in the descriptor files, it returns
// the newest.
func candidates(ctx context.Context, databases []string, opt CompareOptions) ([]*candidate, error) {
	var all []*candidate
	var others []string     // results with values of other metrics for sequences
	var refused [3][]string // values of the results that a choice left out, by choice
	chosen := 0
	seen, newest := make(map[string]bool), make(map[string]int)
	for _, path := range databases {
		list, err := store.ReadResults(ctx, path, store.OfPatches)
		if err != nil {
			return nil, plan.Fault(patches.Missing(err, path, "a SQLite file of results, as --database writes it"))
		}
		for _, e := range list {
			if e.Kind != store.Patches {
				continue
			}
			p, err := ReadProtocol(e.Config)
			if err != nil {
				return nil, plan.Faultf("%s: experiment %s: %w", path, e.Experiment, err)
			}
			choices := opt.choices(p)
			if i := slices.IndexFunc(choices, func(c choice) bool { return c.want != "" && c.want != c.found }); i >= 0 {
				refused[i] = append(refused[i], choices[i].found)
				continue
			}
			chosen++
			// Tasks evaluated in the same call do not make it a different result.
			p.Definitions = map[string]string{"": p.Definition(opt.Metric)}
			kept := p
			kept.Data, kept.Strips = "", ""
			result, err := json.Marshal(kept)
			if err != nil {
				return nil, err
			}
			same := e.Descriptor + "\n" + string(result)
			key := same + p.Data
			d := newCandidate(e, p, opt.Metric)
			ofScene := func(m scope.Metric) bool { return m.OfScene() != "" }
			if len(d.Scenes) == 0 && slices.ContainsFunc(e.Metrics, ofScene) && !slices.Contains(others, p.String()) {
				others = append(others, p.String())
			}
			if len(d.Scenes) == 0 || seen[key] {
				continue
			}
			seen[key] = true
			if i, again := newest[path+same]; again { // of other descriptor files
				d.older = all[i].older + 1
				all[i] = d
				continue
			}
			newest[path+same] = len(all)
			all = append(all, d)
		}
	}
	for i, c := range slices.Backward(opt.choices(Protocol{})) {
		if chosen == 0 && refused[i] != nil { // those that got furthest
			return nil, &config.Error{File: c.flag + " " + c.want, Msg: "no such results, want one of " + strings.Join(slices.Compact(slices.Sorted(slices.Values(refused[i]))), ", ")}
		}
	}
	if len(all) == 0 {
		why := unnamed
		if len(others) > 0 {
			why = "without --metric, --benchmark selects one of the results there: " + strings.Join(others, "; ")
		}
		return nil, plan.Faultf("%s: %w %s; %s", strings.Join(databases, ", "), errNoFigures, opt.Metric, why)
	}
	tellApart(all)
	return all, nil
}

func newCandidate(e store.ResultRow, p Protocol, metric string) *candidate {
	d := &candidate{descriptor: e.Descriptor, protocol: p}
	d.Facts, d.Scenes, d.Pooled = e.Facts, make(map[string]compare.SceneValue), math.NaN()
	for _, m := range e.Metrics {
		if m.Name != metric {
			continue
		}
		if scene := m.OfScene(); scene != "" {
			d.Scenes[scene] = compare.SceneValue{Digest: strconv.Itoa(m.N), Value: m.Value, N: m.N}
		} else if m.Scope == scope.All {
			d.Pooled = m.Value
		}
	}
	return d
}

// tellApart sets the names of candidates. If several have the same name, the
// differences of their protocols are appended. If distances differ, all names have theirs.
func tellApart(all []*candidate) {
	distances := slices.ContainsFunc(all, func(d *candidate) bool { return d.protocol.DistanceText() != all[0].protocol.DistanceText() })
	for _, d := range all {
		d.Name = d.descriptor
		if distances {
			d.Name = d.protocol.WithDistance(d.descriptor)
		}
	}
	for _, of := range []func(d *candidate) string{
		func(d *candidate) string { return d.protocol.Benchmark },
		func(d *candidate) string { return d.protocol.Protocol },
		func(d *candidate) string { return "data " + d.protocol.Data[:min(8, len(d.protocol.Data))] },
	} {
		byName := make(map[string][]*candidate)
		for _, d := range all {
			byName[d.Name] = append(byName[d.Name], d)
		}
		for _, same := range byName {
			if !slices.ContainsFunc(same, func(d *candidate) bool { return of(d) != of(same[0]) }) {
				continue
			}
			for _, d := range same {
				d.Name += " (" + of(d) + ")"
			}
		}
	}
}

// find returns the candidate that the value of a flag names: the one with the given full name, or the only
// candidate whose descriptor has this name.
func find(all []*candidate, flag, name string) (*candidate, error) {
	var plain []*candidate
	var names, full []string
	for _, d := range all {
		if d.Name == name {
			return d, nil
		}
		if d.descriptor == name || d.protocol.WithDistance(d.descriptor) == name {
			plain, full = append(plain, d), append(full, strconv.Quote(d.Name))
		}
		names = append(names, strconv.Quote(d.Name))
	}
	if len(plain) == 1 {
		return plain[0], nil
	}
	for i, by := range (CompareOptions{}).choices(Protocol{}) {
		var values []string
		for _, d := range plain {
			if v := (CompareOptions{}).choices(d.protocol)[i].found; !slices.Contains(values, v) {
				values = append(values, v)
			}
		}
		if len(values) > 1 {
			return nil, &config.Error{File: flag + " " + name, Msg: fmt.Sprintf("has results of %s: want one of %s, or add %s %s", strings.Join(values, ", "), strings.Join(full, ", "), by.flag, spelling.Shell(values[0]))}
		}
	}
	return nil, &config.Error{File: flag + " " + name, Msg: "want one of " + strings.Join(names, ", ")}
}
