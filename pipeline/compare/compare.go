package compare

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"descbench/eval/catalogue"
	"descbench/eval/fact"
	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/pipeline/config"
	"descbench/pipeline/fold"
	"descbench/pipeline/notes"
	"descbench/pipeline/plan"
	"descbench/pipeline/report"
)

// metricFlag is the usual flag that names the compared metric.
const metricFlag = "--metric"

// Options select what is compared.
type Options struct {
	Baseline string   // a descriptor, or RUN:descriptor; "": the first of the first run; with Factor, a value of it
	Factor   string   // a dimension of variants whose values are compared, averaged over the others; "": descriptors are
	Only     []string // the descriptors to compare, named as Baseline; empty: all
	Metric   string   // a metric defined per scene; "": see MetricOf
	Flag     string   // that names Metric in errors; "": --metric
	Scope    string   // "" for all scenes, a category, or an image number such as k:2, of which each scene has one pair
	Set      []string // changes to labels, and to the evaluation section, for which metrics are recomputed from the records
}

// Runs compares every descriptor of folded runs with the baseline on their shared scenes:
// those with the same name and digest, evaluated under the same protocol. It leaves out
// everything else and reports it; a run that shares no scene is an error. The scene is the
// unit of all statistics.
func Runs(ctx context.Context, paths []string, opt Options) (*report.Comparison, error) {
	labels, changes := config.Labels(opt.Set)
	flag := cmp.Or(opt.Flag, metricFlag)
	runs, err := fold.Open(paths, labels)
	if err != nil {
		return nil, err
	}
	if first := runs.Runs[0]; len(first.Summary.FailedScenes) > 0 && !first.Summary.HasResults() {
		return nil, plan.Faultf("%[1]s: no results: every scene failed; descbench results %[1]s prints the reasons", first.Folder)
	}
	if !slices.ContainsFunc(runs.Runs, func(r *fold.Run) bool { return r.Summary.WithoutQueries() == 0 }) {
		first := runs.Runs[0]
		return nil, fmt.Errorf("%s: %w", first.Folder, fold.WithoutKeypoints(first.Config, first.Summary))
	}
	if len(changes) > 0 {
		if runs, err = runs.Reevaluate(ctx, [][]string{changes}, nil); runs == nil {
			return nil, err
		}
	}
	for _, r := range runs.Runs {
		if err := r.Compute(opt.Metric); err != nil {
			return nil, err
		}
	}
	metric, err := MetricOf(flag, opt.Metric, runs)
	if err != nil {
		return nil, err
	}
	in := runs.ScopeNamed(cmp.Or(opt.Scope, scope.All))
	if kind := scope.Parse(in).Kind; kind != scope.Everything && kind != scope.OneCategory && kind != scope.OneImage {
		return nil, &config.Error{File: "--scope " + in, Msg: "want all, viewpoint, illumination or an image number such as k:2: a test needs many scenes; descbench results --scope prints the values of one"}
	}
	for _, r := range runs.Runs {
		*r = *r.Within(in)
	}
	if err := runs.Read(sceneMetric(metric)); err != nil {
		return nil, err
	}
	all, err := comparedRuns(runs, in, flag, sceneMetric(metric))
	if err != nil {
		return nil, err
	}
	first, equals := opt.Baseline, equalValues(all, metric)
	if opt.Factor != "" { // of which it is a value, averaged over all
		first = ""
	} else {
		equals = orIdentical(equals, runs)
	}
	choice, err := Choose(runs, first, opt.Only, equals)
	if err != nil {
		return nil, err
	}
	for _, d := range all {
		d.Name = d.System.Name
	}
	others := among(all, choice.Chosen)
	base, run := others[slices.Index(choice.Chosen, choice.Baseline)], choice.Baseline.Run
	var factor ablation
	if opt.Factor != "" {
		if factor, err = ablate(among(all, choice.Named), opt.Factor, metric); err != nil {
			return nil, err
		}
		names := spelling.Words(factor.values, func(d *Descriptor) string { return d.Name })
		i := slices.IndexFunc(names, func(name string) bool { return name == opt.Baseline || name == opt.Factor+"="+opt.Baseline })
		if i < 0 && opt.Baseline != "" {
			return nil, &config.Error{File: "--baseline " + opt.Baseline, Msg: "no such value, want one of " + strings.Join(names, ", ")}
		}
		others, choice.LeftOut = factor.values, 0
		base, run = others[max(0, i)], others[0].System.Run
	}
	if ofRankings(metric) && base.onlyMatches() {
		return nil, onlyMatches(flag, base.Name)
	}
	c, err := against(ctx, base, others, metric, len(opt.Only) > 0 || opt.Factor != "")
	if err != nil {
		return nil, err
	}
	c.tell(factor.left...)
	c.out.Averaged = factor.over
	if in != scope.All {
		c.out.Within = in
	}
	for _, r := range runs.Runs {
		var shown, scenes, apart []string
		for _, d := range others {
			for _, m := range d.members() {
				if in := c.scenes(d.Name); m.System.Run == r && len(in) > 0 {
					shown, scenes = append(shown, m.System.Descriptor), append(scenes, in...)
				} else if m.System.Run == r {
					apart = append(apart, d.Name)
				}
			}
		}
		if len(shown) == 0 {
			if i := slices.IndexFunc(c.out.Facts, func(f fact.Fact) bool { return f.Kind == fact.Unshared && slices.Contains(apart, f.Descriptor) }); i >= 0 && r != run {
				return nil, plan.Faultf("%s: nothing to compare with %s: %s", r.Folder, base.Name, notes.Strings(notes.Lines(c.out.Facts[i : i+1]))[0])
			}
			continue
		}
		slices.Sort(scenes)
		cfg := r.Config.Only(func(name string) bool { return slices.Contains(shown, name) })
		var ofRun []fact.Fact
		for _, f := range r.Summary.Warnings {
			if f.Kind == fact.TrustedScene || (f.Kind == fact.Unpinned || f.Kind == fact.NotReproducible) && len(cfg.Commands()) > 0 {
				ofRun = append(ofRun, f)
			}
		}
		for _, f := range runs.About(r, report.Failures(r.Summary)...) {
			if f.Descriptor == "" || slices.ContainsFunc(c.systems(others), func(s *fold.System) bool { return s.Name == f.Descriptor }) {
				c.tell(f)
			}
		}
		if len(changes) == 0 { // which may change what deviates
			ofRun = append(ofRun, fold.PresetDeviations(cfg, slices.Compact(scenes), in)...)
		}
		c.tell(runs.About(r, ofRun...)...)
	}
	if found, err := catalogue.Find(opt.Metric, run.ShortNames()); err == nil && len(found) > 1 {
		c.tell(fact.New(fact.AmbiguousMetric).Naming("word", opt.Metric).Naming("metrics", found...).Naming("metric", metric.Short))
	}
	c.tell(choice.Equal...)
	c.out.LeftOut = choice.LeftOut
	for _, r := range runs.Runs {
		c.out.Runs = append(c.out.Runs, r.Label)
	}
	c.tellMatches(others)
	c.about(others, len(changes) == 0)
	none := "the runs have no descriptor other than the baseline"
	if len(opt.Only) > 0 {
		none = "--only lists no descriptor other than the baseline"
	}
	return c.Result(fold.Protocol(run.Config), none)
}

// apart returns the descriptors on other keypoints than a baseline's of runs that have some on its keypoints.
func apart(base *Descriptor, all []*Descriptor) (list []*Descriptor) {
	beside := make(map[*fold.Run]bool)
	for _, d := range all {
		switch {
		case d == base || d.Loose || len(d.defined()) == 0:
		case sameKeypoints(base, d) || seemSame(base, d):
			beside[d.System.Run] = true
		case shareScenes(d.System, base.System):
			list = append(list, d)
		}
	}
	return slices.DeleteFunc(list, func(d *Descriptor) bool { return !beside[d.System.Run] })
}

// With returns a function that compares the systems of runs that Open has opened by a metric with one of
// them, as Runs does. A comparison in which nothing can be compared has no rows.
func With(ctx context.Context, runs *fold.Runs, metric *catalogue.Metric) (func(baseline *fold.System) (*report.Comparison, error), error) {
	figure := sceneMetric(metric)
	if figure != catalogue.MicroMAP { // which Open has read
		if err := runs.Read(figure); err != nil {
			return nil, err
		}
	}
	all, err := comparedRuns(runs, scope.All, metricFlag, figure)
	if err != nil {
		return nil, err
	}
	equals := orIdentical(equalValues(all, metric), runs)
	return func(baseline *fold.System) (*report.Comparison, error) {
		list, equal := once(runs.Systems, []*fold.System{baseline}, equals)
		c, err := against(ctx, among(all, []*fold.System{baseline})[0], among(all, list), metric, false)
		if err != nil {
			return nil, err
		}
		c.tell(comparedOnce(equal)...)
		c.correct()
		return c.out, nil
	}, nil
}

// shareScenes reports whether two systems have results on a common scene.
func shareScenes(a, b *fold.System) bool {
	for scene := range a.Digests {
		if _, both := b.Digests[scene]; both {
			return true
		}
	}
	return false
}

// among returns those of some systems.
func among(all []*Descriptor, systems []*fold.System) []*Descriptor {
	return slices.DeleteFunc(slices.Clone(all), func(d *Descriptor) bool { return !slices.Contains(systems, d.System) })
}

// against compares the other descriptors with a baseline. By a metric of rankings, those that are
// apart, which answer other queries, are left out unless they are asked for.
func against(ctx context.Context, base *Descriptor, all []*Descriptor, metric *catalogue.Metric, asked bool) (*Comparing, error) {
	c := Against(base, metric)
	comparable := !ofRankings(metric) || metric.Needs == "fixed_gallery" // which takes sets of different sizes
	var elsewhere []*Descriptor
	if !asked {
		elsewhere = apart(base, all)
	}
	for _, d := range all {
		if d == base || !comparable && slices.Contains(elsewhere, d) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if differs := protocolDifferences(base.config(), d.config(), metric); len(differs) > 0 {
			c.LeaveOut(d, otherProtocol(base.config(), d.config(), differs))
			continue
		}
		if len(d.defined()) == 0 && len(base.defined()) > 0 {
			why := fact.New(fact.NoValues)
			if len(d.Scenes) > 0 {
				if why = why.Naming("metric", metric.Short); d.onlyMatches() && ofRankings(metric) {
					why = why.Naming("matches", "yes")
				}
			}
			c.LeaveOut(d, why)
			continue
		}
		if err := c.Add(d); err != nil {
			return nil, err
		}
	}
	for _, d := range all { // in the order of the runs
		if d == base || c.has(d.Name) {
			for _, m := range d.members() {
				c.tell(fact.About(m.Name, notes.About(fact.Without(m.Facts, fact.FewScenes), metric))...) // the table says which scenes are too few
			}
			c.group(d)
		}
	}
	switch names := spelling.Words(elsewhere, func(d *Descriptor) string { return d.Name }); {
	case names == nil:
	case !comparable:
		c.tell(fact.New(fact.Apart).Naming("descriptors", names...))
	case base.Keypoints != "":
		c.tell(fact.New(fact.CountedApart).With("n", float64(len(names))).Naming("only", spelling.Shell(base.Keypoints)))
	}
	return c, nil
}

// otherProtocol tells that a descriptor is not compared, since settings differ that affect a metric, and
// which changes give its run those of the baseline's.
func otherProtocol(base, other *config.Config, differs []config.Change) fact.Fact {
	f := fact.New(fact.OtherProtocol).Naming("differs", spelling.Words(differs, config.Change.String)...)
	if slices.ContainsFunc(differs, func(c config.Change) bool { return c.Key == "evaluation.relevance" }) {
		return f // records have the ranks of one rule
	}
	if other.Evaluation.Preset == config.Workbench && base.Evaluation.Preset != config.Workbench {
		f = f.Naming("sets", "evaluation.preset=null") // which refuses other values
	}
	for _, c := range differs {
		if c.Was != config.Absent { // has no effect there
			f = f.Naming("sets", append(f.Names["sets"], spelling.Shell(c.Key+"="+c.Was))...)
		}
	}
	return f
}
