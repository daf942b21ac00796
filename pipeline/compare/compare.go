package compare

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"descbench/eval/catalogue"
	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/pipeline/config"
	"descbench/pipeline/fold"
	"descbench/pipeline/plan"
	"descbench/pipeline/report"
)

// Options select what is compared.
type Options struct {
	Baseline string      // a descriptor, or RUN:descriptor; "": the first of the first run
	Only     []string    // the descriptors to compare, named as Baseline; empty: all
	Names    *fold.Names // to show instead of the names of descriptors
	Metric   string      // a metric defined per scene; "" is catalogue.MAP
	Scope    string      // "" for all scenes, a category, or an image number such as k:2, of which each scene has one pair
	Set      []string    // changes to the evaluation section; metrics are recomputed from the records
	Wilcoxon bool        // also run the Wilcoxon signed-rank test
}

// Runs compares every descriptor of folded runs with the baseline on their shared scenes:
// those with the same name and digest, evaluated under the same protocol. It leaves out
// everything else and reports it; a run that shares no scene is an error. The scene is the
// unit of all statistics.
func Runs(ctx context.Context, paths []string, opt Options) (*report.Comparison, error) {
	runs, err := fold.Open(paths, opt.Names)
	if err != nil {
		return nil, err
	}
	if first := runs.Runs[0].Outcome; len(first.Summary.FailedScenes) > 0 && !first.Summary.HasResults() {
		return nil, plan.Faultf("%[1]s: no results: every scene failed; descbench results %[1]s prints the reasons", first.Folder)
	}
	metric, figure, err := sceneFigure(cmp.Or(opt.Metric, catalogue.MAP), runs.Runs[0].Outcome)
	if err != nil {
		return nil, err
	}
	in := scope.Canonical(cmp.Or(opt.Scope, scope.All))
	if !slices.Contains([]string{scope.All, scope.Viewpoint, scope.Illumination, scope.Other}, in) && !strings.HasPrefix(in, "k:") {
		return nil, &config.Error{File: "--scope " + in, Msg: "want all, viewpoint, illumination or an image number such as k:2: a test needs many scenes; descbench results --scope prints the values of one"}
	}
	for _, r := range runs.Runs {
		r.Outcome = r.Outcome.Within(in)
	}
	if err := runs.Read(figure); err != nil {
		return nil, err
	}
	all, err := comparedRuns(ctx, runs, opt.Set, in, figure)
	if err != nil {
		return nil, err
	}
	choice, err := Choose(runs, opt.Baseline, opt.Only, equalValues(all, metric))
	if err != nil {
		return nil, err
	}
	for _, d := range all {
		d.Name = d.system.Name
	}
	others := among(all, choice.Chosen)
	base, run := others[slices.Index(choice.Chosen, choice.Baseline)], choice.Baseline.Run
	if ofRankings(metric) && base.cfg.Named(base.descriptor).Matches != nil {
		return nil, onlyMatches(base.Name)
	}
	c, err := against(ctx, base, others, metric, opt.Wilcoxon)
	if err != nil {
		return nil, err
	}
	c.out.Within = strings.TrimPrefix(in, scope.All)
	var presets []string // how runs deviate from theirs in what is compared of them
	for _, r := range runs.Runs {
		var shown, scenes []string
		why := ""
		for _, d := range others {
			if in := c.scenes(d.Name); d.system.Run == r && len(in) > 0 {
				shown, scenes = append(shown, d.descriptor), append(scenes, in...)
			} else if d.system.Run == r {
				why = cmp.Or(why, c.apart[d.Name])
			}
		}
		if len(shown) == 0 {
			if why != "" && r != run {
				return nil, plan.Faultf("%s: nothing to compare with %s: %s", r.Folder, base.Name, why)
			}
			continue
		}
		slices.Sort(scenes)
		cfg := r.Config.Only(func(name string) bool { return slices.Contains(shown, name) })
		for _, w := range r.Summary.Warnings {
			if more, of := ofPrograms[w.Kind]; of && len(cfg.Commands()) > 0 {
				c.warn(w.Kind, w.Text+more, "")
			}
		}
		if note := fold.PresetNote(cfg, slices.Compact(scenes), in); note != "" && len(runs.Runs) > 1 {
			presets = append(presets, r.Label+": "+note)
		} else if note != "" {
			presets = append(presets, note)
		}
	}
	if found, err := catalogue.Find(opt.Metric, run.ShortNames()); err == nil && len(found) > 1 {
		c.warn("left-out", fmt.Sprintf("--metric %s stands for %s: this compares %s", opt.Metric, strings.Join(found, ", "), catalogue.Short(metric)), "")
	}
	for _, text := range []string{otherThanPreset(base.cfg.Preset(), metric), choice.Note} {
		if text != "" {
			c.warn("left-out", text, "")
		}
	}
	if c.out.LeftOut = choice.LeftOut; len(opt.Only) == 0 {
		c.warnOfKeypointSets()
	}
	var doubts spelling.Groups // runs by what is doubtful in them
	for _, r := range runs.Runs {
		c.out.Runs = append(c.out.Runs, r.Label)
		if text := report.Doubtful(r.Summary); text != "" {
			doubts.Add(text, r.Label)
		}
	}
	for _, text := range doubts.Texts {
		if in := doubts.Of[text]; len(in) < len(runs.Runs) {
			c.out.Doubtful += ", in " + report.Named(in, 0) + ":" + strings.TrimPrefix(text, ",")
		} else {
			c.out.Doubtful = text
		}
	}
	c.noteMatches(slices.Concat([]*runDescriptor{base}, slices.DeleteFunc(slices.Clone(others), func(d *runDescriptor) bool { return d == base })))
	c.about(base, others, len(opt.Set) == 0)
	if len(opt.Set) == 0 { // which may change what deviates
		c.out.Preset = strings.Join(presets, "\n")
	}
	none := "the runs have no descriptor other than the baseline"
	if len(opt.Only) > 0 {
		none = "--only lists no descriptor other than the baseline"
	}
	return c.Result(fold.Protocol(base.cfg), none)
}

// ofPrograms are kinds of warnings about the programs of a run, and what follows for a comparison.
var ofPrograms = map[string]string{
	"unpinned":         "",
	"not-reproducible": "; small differences may be noise: run it again under another name with another --cache folder to see how large it is",
}

// warnOfKeypointSets says how to compare the descriptors of each of several keypoint sets by
// themselves.
func (c *Comparing) warnOfKeypointSets() {
	var groups, sets spelling.Groups
	for _, d := range c.grouped {
		groups.Add(c.out.KeypointGroups[d.Name], d.Name)
		sets.Add(d.Keypoints, d.Name)
	}
	var flags []string
	for _, d := range c.grouped {
		names := groups.Of[c.out.KeypointGroups[d.Name]]
		if base := names[max(0, slices.Index(names, c.base.Name))]; base != d.Name || len(names) < 2 || len(groups.Texts) < 2 {
			continue
		}
		only := d.Keypoints
		if !slices.Equal(sets.Of[only], names) {
			only = strings.Join(slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == d.Name }), ",")
		}
		flags = append(flags, "--baseline "+spelling.Shell(d.Name)+" --only "+spelling.Shell(only))
	}
	if flags != nil {
		c.warn("keypoint-sets", "p_holm counts descriptors on all keypoints; to count only those on the same keypoints, as the report does, add "+strings.Join(flags, ", or ")+
			"; choose one set before you see results, or multiply p_holm by the number of sets that you test", "")
	}
}

// WithEach compares the systems of runs that Open has opened by a metric with each of
// them in turn; by a metric of rankings, those on the same keypoints only. A comparison in
// which nothing can be compared has no rows.
func WithEach(ctx context.Context, runs *fold.Runs, metric string) ([]*report.Comparison, error) {
	figure := cmp.Or(fold.OfScene[metric], metric)
	if figure != catalogue.MicroMAP { // which Open has read
		if err := runs.Read(figure); err != nil {
			return nil, err
		}
	}
	all, err := comparedRuns(ctx, runs, nil, scope.All, figure)
	if err != nil {
		return nil, err
	}
	all = among(all, runs.Systems)
	equals, out := equalValues(all, metric), make([]*report.Comparison, len(all))
	sets, _ := fold.KeypointSets(runs.Systems)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, base := range all {
		g.Go(func() error {
			list, equal := once(runs.Systems, []*fold.System{base.system}, equals)
			list = slices.DeleteFunc(slices.Clone(list), func(s *fold.System) bool {
				return ofRankings(metric) && sets[s] != sets[base.system] && shareScenes(s, base.system)
			})
			c, err := against(ctx, base, among(all, list), metric, false)
			if err == nil {
				if note := comparedOnce(equal); note != "" {
					c.LeaveOut(note)
				}
				c.correct()
				out[i] = c.out
			}
			return err
		})
	}
	return out, g.Wait()
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
func among(all []*runDescriptor, systems []*fold.System) []*runDescriptor {
	return slices.DeleteFunc(slices.Clone(all), func(d *runDescriptor) bool { return !slices.Contains(systems, d.system) })
}

// against compares the other descriptors with a baseline.
func against(ctx context.Context, base *runDescriptor, all []*runDescriptor, metric string, wilcoxon bool) (*Comparing, error) {
	c := Against(&base.Descriptor, metric, wilcoxon)
	for _, d := range all {
		if d == base {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if differs := protocolDifferences(base.cfg, d.cfg, metric); len(differs) > 0 {
			advice := "re-evaluate all runs under one protocol:"
			for _, c := range differs {
				if c.Was != config.Absent { // has no effect there
					advice += " --set " + spelling.Shell(strings.TrimPrefix(c.Key, "evaluation.")+"="+c.Was)
				}
			}
			for _, e := range fold.Unanswered(d.cfg.Evaluation, base.cfg.Evaluation) {
				if slices.ContainsFunc(differs, func(c config.Change) bool { return strings.HasPrefix(c.Key, e.Key) }) {
					cure := "ask for a run of " + base.descriptor + " with " + e.Key + " as in " + d.system.Run.Folder
					if slices.ContainsFunc(d.system.Run.Systems, func(s *fold.System) bool { return s.Descriptor == base.descriptor }) {
						cure = "compare each run by itself: descbench compare " + spelling.Shell(d.system.Run.Folder) + " --baseline " + base.descriptor
					}
					advice = "--set cannot change " + e.Key + " of a finished run; " + cure
				}
			}
			c.LeaveOut(fmt.Sprintf("%s skipped: different protocol (%s); %s; descbench results %s %s --columns %s shows the values of both", d.Name, listed(differs), advice,
				spelling.Shell(base.system.Run.Folder), spelling.Shell(d.system.Run.Folder), catalogue.Short(metric)))
			continue
		}
		if len(d.defined()) == 0 && len(base.defined()) > 0 {
			why := fmt.Sprintf("%s skipped: no scene has %s", d.Name, catalogue.Short(metric))
			_, definition, _ := catalogue.Lookup(metric)
			switch {
			case len(d.Scenes) == 0:
				why = d.Name + " skipped: failed in all scenes"
			case d.cfg.Named(d.descriptor).Matches != nil && definition.Group == "ranking":
				why += ": matches have no ranks (mma@3 needs none)"
			}
			c.LeaveOut(why)
			continue
		}
		if err := c.Add(&d.Descriptor); err != nil {
			return nil, err
		}
	}
	for _, d := range all { // in the order of the runs
		if d == base || c.has(d.Name) {
			for _, w := range d.Warnings {
				if w.Kind != "few-scenes" && Concerns(w.Kind, metric) { // correct raises that one
					c.warn(w.Kind, w.Text, d.Name)
				}
			}
			c.group(&d.Descriptor)
		}
	}
	return c, nil
}
