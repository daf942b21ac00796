package patchbench

import (
	"cmp"
	"context"
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
	Baseline string   // name of a descriptor; "" for the first
	Only     []string // names of the descriptors to compare; empty: all
	Metric   string   // patch_...; "" for the main metric of the first task that has results
}

// Compare compares the descriptors in databases with the baseline, sequence by
// sequence, as package compare does for the scenes of runs.
func Compare(ctx context.Context, databases []string, opt CompareOptions) (*report.Comparison, error) {
	results, err := storedResults(ctx, databases)
	if err != nil {
		return nil, err
	}
	if opt.Metric == "" {
		opt.Metric = append(mainMetrics(results), catalogue.TaskMetrics["matching"])[0]
	}
	metric, err := catalogue.Resolve(cmp.Or(catalogue.TaskMetrics[opt.Metric], opt.Metric))
	const want = "want one metric of the patch benchmark for which higher or lower is better: " +
		"matching, verification, retrieval, patch_matching_map_h, patch_verification_h_intra_imbalanced_ap, ...; see descbench metrics"
	if err != nil {
		return nil, &config.Error{File: "--metric", Msg: err.Error() + "; " + want}
	}
	if metric.Group != "patches" || metric.Better == "" || metric.Open {
		return nil, &config.Error{File: "--metric " + metric.Name, Msg: want}
	}
	opt.Metric = metric.Name
	all := candidates(results, opt.Metric)
	if len(all) == 0 {
		want := "evaluate descriptors: results from files without sequence names have metrics over all sequences only"
		if has := mainMetrics(results); len(has) > 0 {
			want = "want a --metric that they have, such as " + strings.Join(has, ", ")
		}
		return nil, plan.Faultf("%s: no sequence has %s; %s", strings.Join(databases, ", "), opt.Metric, want)
	}
	if opt.Baseline == "" {
		opt.Baseline = all[0].Name
	}
	base, err := find(all, "--baseline", opt.Baseline)
	if err != nil {
		return nil, err
	}
	var only []*candidate
	for _, word := range opt.Only {
		names := spelling.Matching(word, spelling.Words(all, func(d *candidate) string { return d.Name }))
		if names == nil {
			names = []string{word}
		}
		for _, name := range names {
			d, err := find(all, "--only", name)
			if err != nil {
				return nil, err
			}
			only = append(only, d)
		}
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
		found.Of, found.Scenes.Noun, found.Facts = label, "sequence", append(found.Facts, facts...)
	}
	return found, err
}

// mainMetrics returns the main metric of each task that has results by sequence.
func mainMetrics(results []storedResult) []string {
	metrics := []string{
		catalogue.TaskMetrics["matching"], catalogue.TaskMetrics["verification"], catalogue.TaskMetrics["retrieval"],
		"patch_retrieval_map_20000_mean", "patch_match_map_over_correct", "patch_retrieve_patch_map", "patch_classify_imbalanced_average_precision",
	}
	return slices.DeleteFunc(metrics, func(metric string) bool { return len(candidates(results, metric)) == 0 })
}

// DistanceText describes how the descriptors of a result were compared.
func (p Protocol) DistanceText() string { return patches.Distance(p.Distance).Text(p.PCAPowerLaw) }

// differences returns the reasons why two results cannot be compared, none if they can.
func (p Protocol) differences(other Protocol, metric string) (d []string) {
	compare := func(name, was, is string) {
		if was != is {
			d = append(d, fmt.Sprintf("%s is not %s", name, was)) // what it is, is in its name
		}
	}
	compare("task", p.Task, other.Task)
	compare("benchmark", p.Benchmark, other.Benchmark)
	compare("protocol", p.Protocol, other.Protocol)
	otherStrips := p.Strips != "" && other.Strips != "" && p.Strips != other.Strips
	if d == nil && (p.Definition(metric) != other.Definition(metric) || otherStrips) {
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

// A storedResult is a result of the patch benchmark in a database.
type storedResult struct {
	store.ResultRow
	protocol Protocol
	database string
}

// storedResults returns the results in databases.
func storedResults(ctx context.Context, databases []string) (results []storedResult, err error) {
	for _, path := range databases {
		rows, err := store.ReadResults(ctx, path, store.OfPatches)
		if err != nil {
			return nil, plan.Fault(patches.Missing(err, path, "a SQLite file of results, as --database writes it"))
		}
		for _, row := range rows {
			if row.Kind != store.Patches {
				continue
			}
			p, err := ReadProtocol(row.Config)
			if err != nil {
				return nil, plan.Faultf("%s: experiment %s: %w", path, row.Experiment, err)
			}
			results = append(results, storedResult{row, p, path})
		}
	}
	return results, nil
}

// candidates returns the results that have the metric for sequences, and makes their names
// unique. Of results in a database that differ only in the descriptor files, it returns
// the newest.
func candidates(results []storedResult, metric string) (all []*candidate) {
	type fields Protocol // without its method String
	seen, newest := make(map[string]bool), make(map[string]int)
	for _, r := range results {
		p := r.protocol
		// Tasks evaluated in the same call do not make it a different result.
		p.Definitions = map[string]string{"": p.Definition(metric)}
		kept := p
		kept.Data, kept.Strips = "", ""
		same := fmt.Sprintf("%s %+v", r.Descriptor, fields(kept))
		d := &candidate{descriptor: r.Descriptor, protocol: p}
		d.Facts, d.Scenes, d.Pooled = r.Facts, make(map[string]compare.SceneValue), math.NaN()
		for _, m := range r.Metrics {
			if scene := m.OfScene(); m.Name == metric && scene != "" {
				d.Scenes[scene] = compare.SceneValue{Digest: strconv.Itoa(m.N), Value: m.Value, N: m.N}
			} else if m.Name == metric && m.Scope == scope.All {
				d.Pooled = m.Value
			}
		}
		if len(d.Scenes) == 0 || seen[same+p.Data] {
			continue
		}
		seen[same+p.Data] = true
		if i, again := newest[r.database+same]; again { // of other descriptor files
			d.older = all[i].older + 1
			all[i] = d
			continue
		}
		newest[r.database+same] = len(all)
		all = append(all, d)
	}
	tellApart(all)
	return all
}

// tellApart sets the names of candidates. If distances differ, all names have theirs; what else
// differs between candidates of the same name is appended.
func tellApart(all []*candidate) {
	for _, d := range all {
		d.Name = d.descriptor
	}
	for i, of := range []func(d *candidate) string{
		func(d *candidate) string { return d.protocol.DistanceText() },
		func(d *candidate) string { return d.protocol.Benchmark },
		func(d *candidate) string { return d.protocol.Protocol },
		func(d *candidate) string { return "data " + d.protocol.Data[:min(8, len(d.protocol.Data))] },
	} {
		var names []string
		for _, d := range all {
			name := d.Name
			if slices.ContainsFunc(all, func(other *candidate) bool { return (i == 0 || other.Name == name) && of(other) != of(d) }) {
				name += " (" + of(d) + ")"
			}
			names = append(names, name)
		}
		for k, d := range all {
			d.Name = names[k]
		}
	}
}

// find returns the candidate that the value of a flag names: the one with the given full name, or the only
// candidate whose descriptor has this name.
func find(all []*candidate, flag, name string) (*candidate, error) {
	var like []*candidate
	for _, d := range all {
		if d.Name == name {
			return d, nil
		}
		if d.descriptor == name || fmt.Sprintf("%s (%s)", d.descriptor, d.protocol.DistanceText()) == name {
			like = append(like, d)
		}
	}
	if len(like) == 1 {
		return like[0], nil
	}
	if like == nil {
		like = all
	}
	names := spelling.Words(like, func(d *candidate) string { return strconv.Quote(d.Name) })
	return nil, &config.Error{File: flag + " " + name, Msg: "want one of " + strings.Join(names, ", ")}
}
