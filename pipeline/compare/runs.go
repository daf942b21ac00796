package compare

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"descbench/eval/catalogue"
	"descbench/eval/fact"
	"descbench/eval/matching"
	"descbench/eval/scope"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/fold"
	"descbench/pipeline/plan"
)

// A Choice is what is compared of runs.
type Choice struct {
	Baseline *fold.System
	// Once are the systems, each once: not one that an earlier one, the baseline or one that is
	// named as RUN:NAME equals, bit by bit, unless nothing would be left to compare.
	Once    []*fold.System
	Named   []*fold.System // of Once: those that are named, or all
	Chosen  []*fold.System // those with the baseline
	LeftOut int            // the number of the others of Once
	Equal   []fact.Fact    // which systems equal others and are not of Once
}

// Choose chooses the baseline, "" for the first system, and it with the systems that only
// names, or with all, of runs that have been read, and names them for that. equals is Copies, or
// another notion of systems that count once.
func Choose(runs *fold.Runs, baseline string, only []string, equals func(a, b *fold.System) bool) (c Choice, err error) {
	all := runs.Systems
	if c.Baseline = all[0]; baseline != "" {
		if c.Baseline, err = runs.Find("--baseline", baseline); err != nil {
			return c, err
		}
	}
	single, named := []*fold.System{c.Baseline}, all
	if len(only) > 0 {
		named = nil
	}
	for _, name := range only {
		of, err := runs.Named("--only", []string{name})
		if err != nil {
			return c, err
		}
		if named = append(named, of...); len(of) == 1 {
			single = append(single, of[0])
		}
	}
	var equal [][2]*fold.System
	c.Once, equal = once(all, single, equals)
	if !slices.ContainsFunc(c.Once, func(s *fold.System) bool { return s != c.Baseline && slices.Contains(named, s) }) {
		c.Once, equal = once(all, append(single, named...), equals)
	}
	for _, s := range c.Once {
		if slices.Contains(named, s) {
			c.Named = append(c.Named, s)
		}
		if s == c.Baseline || slices.Contains(named, s) {
			c.Chosen = append(c.Chosen, s)
		}
	}
	c.LeftOut = len(c.Once) - len(c.Chosen)
	c.Equal = comparedOnce(slices.DeleteFunc(equal, func(e [2]*fold.System) bool { return !slices.Contains(named, e[0]) }))
	runs.Show(c.Chosen)
	return c, nil
}

// once returns the systems that are named, and of the others each once, as Choice.Once has
// them, and those that it leaves out with those that they equal.
func once(all, named []*fold.System, equals func(a, b *fold.System) bool) (list []*fold.System, equal [][2]*fold.System) {
	firsts := slices.Clone(named)
	for _, s := range all {
		i := slices.IndexFunc(firsts, func(of *fold.System) bool { return equals(s, of) })
		switch {
		case slices.Contains(named, s):
			list = append(list, s)
		case i < 0:
			list, firsts = append(list, s), append(firsts, s)
		default:
			equal = append(equal, [2]*fold.System{s, firsts[i]})
		}
	}
	if len(list) < 2 {
		return all, nil
	}
	return list, equal
}

// comparedOnce tells which systems equal others, if any.
func comparedOnce(equal [][2]*fold.System) []fact.Fact {
	var systems, others []string
	for _, e := range equal {
		in := func(s *fold.System) string {
			if e[0].Run == e[1].Run {
				return s.Own
			}
			return s.Run.Label + ":" + s.Own
		}
		systems, others = append(systems, in(e[0])), append(others, in(e[1]))
	}
	if systems == nil {
		return nil
	}
	return []fact.Fact{fact.New(fact.ComparedOnce).Naming("systems", systems...).Naming("others", others...)}
}

// equalValues returns a function that reports whether a system is that of another run, with
// the same values of the metric, bit by bit, on the same images and keypoints under the same protocol.
func equalValues(all []*Descriptor, metric *catalogue.Metric) func(a, b *fold.System) bool {
	equal := func(a, b SceneValue) bool {
		return a.Digest == b.Digest && a.Set == b.Set && (a.Value == b.Value || math.IsNaN(a.Value) && math.IsNaN(b.Value))
	}
	return func(a, b *fold.System) bool {
		of := among(all, []*fold.System{a, b})
		return a.Run != b.Run && a.Descriptor == b.Descriptor && len(of[0].defined()) > 0 &&
			maps.EqualFunc(of[0].Scenes, of[1].Scenes, equal) && len(protocolDifferences(a.Run.Config, b.Run.Config, metric)) == 0
	}
}

// orIdentical returns a function that reports whether two systems are equal, or identical ones of a run, whose
// comparison with another would be the same one twice.
func orIdentical(equal func(a, b *fold.System) bool, runs *fold.Runs) func(a, b *fold.System) bool {
	group := make(map[*fold.System]*fold.System) // the first one that is identical
	for _, r := range runs.Runs {
		for _, identical := range r.Identical() {
			for _, s := range identical {
				group[s] = identical[0]
			}
		}
	}
	return func(a, b *fold.System) bool {
		return equal(a, b) || a != b && group[a] != nil && group[a] == group[b]
	}
}

// Copies reports whether a system is that of another run, with the same results on the
// same images and keypoints under the same protocol.
func Copies(a, b *fold.System) bool {
	return a.Run != b.Run && a.Descriptor == b.Descriptor && len(a.Summary.Metrics) > 0 && maps.Equal(a.Digests, b.Digests) &&
		slices.Equal(a.Summary.Metrics, b.Summary.Metrics) && slices.Equal(a.Summary.RankHistogram, b.Summary.RankHistogram) &&
		len(protocolDifferences(a.Run.Config, b.Run.Config, catalogue.Of(""))) == 0
}

// setValues sets the figure of each scene and pair in a scope. By an image number, a scene is its pair with that
// image. It reports whether a scene has the figure.
func (d *Descriptor) setValues(in, figure string) (found bool, err error) {
	image := scope.Parse(in).K // 0: of all pairs
	for m := range d.System.Metrics() {
		id := scope.Parse(m.Scope)
		ofScene, ofPair := id.Kind == scope.OneScene, id.Kind == scope.OnePair
		if image > 0 {
			ofPair = ofPair && id.K == image
			ofScene = ofPair
		}
		s, known := d.Scenes[id.Scene]
		switch {
		case m.Name != figure || !ofScene && !ofPair || !dataset.InScope(id.Scene, in):
		case !known:
			return found, fmt.Errorf("%s of %s has a value but no records", id.Scene, d.System.Descriptor)
		default:
			if ofScene {
				s.Value, s.N, found = m.Value, m.N, true
			}
			if ofPair {
				s.Pairs = append(s.Pairs, m.Value)
			}
			d.Scenes[id.Scene] = s
		}
	}
	return found, nil
}

// comparedRuns returns the descriptors of runs that were read, in the order of the runs
// and their configs, with their values in a scope. Errors name the flag that asks for the figure.
func comparedRuns(runs *fold.Runs, in, flag, figure string) ([]*Descriptor, error) {
	var all []*Descriptor
	for _, r := range runs.Runs {
		list, err := comparedRun(r, in, flag, figure)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

// comparedRun returns the descriptors of a run.
func comparedRun(r *fold.Run, in, flag, figure string) ([]*Descriptor, error) {
	var list []*Descriptor
	found := false
	for _, s := range r.Systems {
		d := &Descriptor{
			Name: s.Name, System: s, Keypoints: s.Keypoints, Loose: r.Config.KeypointGroup(s.Descriptor) == "", Facts: s.Facts(), Scenes: make(map[string]SceneValue),
			Coverage: s.Value(in, "coverage"), Gallery: s.Value(in, "mean_gallery_size"), Pooled: s.Value(in, figure), Matches: s.Value(in, "matches_per_pair"), Known: s.Value(in, "known"),
		}
		if r.Config.Dataset.Resize != nil {
			d.Resized = "resized to " + r.Config.Dataset.Resize.String()
		}
		for scene, digests := range s.Digests {
			if dataset.InScope(scene, in) {
				d.Scenes[scene] = SceneValue{Digest: digests.Scene, Set: digests.Set, Value: math.NaN()}
			}
		}
		some, err := d.setValues(in, figure)
		if err != nil {
			return nil, plan.Faultf("%s: %w in %s", r.RunFolder().Metrics(), err, r.RunFolder().Pairs())
		}
		found = found || some
		list = append(list, d)
	}
	if !found {
		return nil, cmp.Or(r.ReadScope(in), r.Lacks(flag, figure, ""))
	}
	return list, nil
}

// unjudged returns the settings of the evaluation section that do not affect a
// metric: those for other metrics, and the preset, which only sets other keys.
func unjudged(m *catalogue.Metric) []string {
	keys := []string{"preset", "cutoffs", "estimators"}
	for _, d := range catalogue.All() {
		if d.Needs != m.Needs {
			keys = append(keys, d.Needs)
		}
	}
	if m.Of == catalogue.Ranks { // of all candidates
		keys = append(keys, "matcher")
	}
	return keys
}

// SameEvaluation reports whether two configs evaluate all metrics in the same way.
func SameEvaluation(a, b *config.Config) bool {
	return len(evaluationChanges(a, b, nil)) == 0 && reflect.DeepEqual(a.Dataset.Resize, b.Dataset.Resize)
}

// protocolDifferences lists how the protocols of two configs differ for a metric.
func protocolDifferences(a, b *config.Config, metric *catalogue.Metric) []config.Change {
	return evaluationChanges(a, b, unjudged(metric))
}

// evaluationChanges lists how two configs evaluate in different ways, but for some keys.
func evaluationChanges(a, b *config.Config, passed []string) []config.Change {
	if reflect.DeepEqual(a.Evaluation, b.Evaluation) { // as of two descriptors of a run
		return nil
	}
	if !a.Evaluation.ExcludeInvalid && !b.Evaluation.ExcludeInvalid {
		passed = append(passed, "exclude_invalid_truths") // has no effect
	}
	was, is := *a, *a
	is.Evaluation = b.Evaluation
	for _, c := range []*config.Config{&was, &is} {
		if c.Evaluation.Matcher == nil {
			c.Evaluation.Matcher = new(matching.Mutual)
		}
	}
	return slices.DeleteFunc(config.Changes(&was, &is), func(c config.Change) bool {
		return slices.ContainsFunc(passed, func(key string) bool { return within(c.Key, "evaluation."+key) })
	})
}

// within reports whether a key of the config is another one or in its section.
func within(key, other string) bool { return key == other || strings.HasPrefix(key, other+".") }
