package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"descbench/eval/catalogue"
	"descbench/eval/fact"
	"descbench/eval/matching"
	"descbench/eval/spelling"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/fold"
	"descbench/pipeline/notes"
	"descbench/pipeline/report"
	"descbench/pipeline/store"
)

// A Legend says what stands behind the names of descriptors.
type Legend []described

// A described is a descriptor under the name that is shown of it.
type described struct {
	config.Descriptor
	matcher          string
	recipe, settings []string // of its keypoints, and its own, in words
}

// NewLegend returns the legend of some systems under the names that they have now. Those with the
// same keypoints have the recipe of the first.
func NewLegend(systems []*fold.System) (l Legend) {
	sets, n := fold.KeypointSets(systems)
	recipes := make([][]string, n)
	for _, s := range systems {
		c := s.Run.Config
		d := *c.Named(s.Descriptor)
		recipe := recipes[sets[s]]
		if recipe == nil || c.KeypointGroup(s.Descriptor) == "" {
			recipe = c.RecipeOf(s.Descriptor)
			recipes[sets[s]] = recipe
		}
		matcher := c.MatcherOf(d)
		text := matcher.String()
		switch {
		case d.Matches != nil && d.Command != nil:
			text = matcher.Of("from its program")
		case d.Matches != nil:
			text = matcher.Of("from its files")
		}
		if f := d.Fusion; f != nil {
			d.Fusion = &config.Fusion{Aggregate: f.Aggregate}
			for _, part := range f.Of {
				d.Fusion.Of = append(d.Fusion.Of, c.Shown(*c.Named(part)))
			}
		}
		d.Name = s.Own
		settings := d.Settings()
		d.Name = s.Name
		l = append(l, described{d, text, recipe, settings})
	}
	return l
}

// OnSets returns the legend with recipes of keypoints that begin with the names of their sets, if
// these have names.
func (l Legend) OnSets(names []string) Legend {
	for i, name := range names {
		if name != "" {
			l[i].recipe = append([]string{name}, l[i].recipe...)
		}
	}
	return l
}

// Matches says what the matches behind some metrics are, and which threshold those estimators
// have whose names have none, in sentences: "Matches: mutual nearest neighbours, ratio 0.8",
// "Homographies with an inlier threshold of 3 px". There are none for metrics of other things.
func (l Legend) Matches(metrics ...*catalogue.Metric) []string {
	if !slices.ContainsFunc(metrics, (*catalogue.Metric).OfMatches) {
		return nil
	}
	return slices.Concat(l.whose("Matches", func(d described) string { return d.matcher }),
		thresholds("Homographies", metrics, catalogue.Homographies), thresholds("Poses", metrics, catalogue.Poses))
}

// thresholds says which threshold the estimators behind metrics have whose names have none.
func thresholds(what string, metrics []*catalogue.Metric, of catalogue.Subject) []string {
	other, px := false, 0.0
	var standard []string // estimators
	for _, m := range metrics {
		e, err := matching.ParseEstimator(m.Estimator)
		switch {
		case m.Of != of || err != nil || !e.Robust():
		case e.ScaledThreshold || e.ThresholdPx != matching.NewEstimator(e.Type).ThresholdPx:
			other = true
		case !slices.Contains(standard, m.Estimator):
			standard, px = append(standard, m.Estimator), e.ThresholdPx
		}
	}
	if standard == nil {
		return nil
	}
	by := ""
	if other {
		by = " by " + strings.Join(standard, ", ")
	}
	return []string{fmt.Sprintf("%s%s with an inlier threshold of %g px", what, by, px)}
}

// MatchesDiffer reports whether the matches behind some metrics differ.
func (l Legend) MatchesDiffer(metrics ...*catalogue.Metric) bool {
	return l.Matches(metrics...) != nil && l.differ(func(d described) string { return d.matcher })
}

func (l Legend) differ(text func(described) string) bool {
	return slices.ContainsFunc(l, func(d described) bool { return text(d) != text(l[0]) })
}

// whose returns a sentence about what descriptors have: "Keypoints: SIFT detector". If it differs, it
// says whose is which.
func (l Legend) whose(what string, text func(described) string) []string {
	const most = 8 // of different texts
	var groups spelling.Groups
	n := 0 // of descriptors without
	for _, d := range l {
		if of := text(d); of != "" {
			groups.Add(of, d.Name)
		} else {
			n++
		}
	}
	parts := slices.Clone(groups.Texts)
	for i, of := range groups.Texts {
		if len(parts) > 1 || n > 0 {
			parts[i] = fmt.Sprintf("%s (%s)", spelling.Few(groups.Of[of], most), of)
		}
	}
	switch {
	case parts == nil:
		return nil
	case len(parts) > most:
		parts = []string{"see config.yaml of the run"}
	}
	return []string{what + ": " + strings.Join(parts, ", ")}
}

func (d described) keypoints() string { return strings.Join(d.recipe, ", ") }

// Setup says in sentences which keypoints and settings descriptors have.
func (l Legend) Setup() []string { return append(l.Keypoints(), l.Settings()...) }

// Keypoints says by which steps keypoints are made.
func (l Legend) Keypoints() []string { return l.whose("Keypoints", described.keypoints) }

// Settings says which descriptors have settings that neither their types nor their names tell.
func (l Legend) Settings() []string {
	return l.whose("Settings", func(d described) string { return strings.Join(d.settings, ", ") })
}

// Facts returns what a reader of values next to each other must know of the descriptors: that their
// keypoints, windows, or the matches behind some metrics differ.
func (l Legend) Facts(metrics ...*catalogue.Metric) (facts []fact.Fact) {
	naming := func(f fact.Fact, what string, text func(described) string) fact.Fact {
		var groups spelling.Groups
		for _, d := range l {
			groups.Add(text(d), d.Name)
		}
		for _, of := range groups.Texts {
			f = f.Naming(of, groups.Of[of]...)
		}
		return f.Naming(what, groups.Texts...)
	}
	if l.differ(described.keypoints) {
		facts = append(facts, naming(fact.New(fact.OtherSets), "sets", func(d described) string {
			return cmp.Or(strings.Join(d.recipe[:len(d.recipe)-l.shared()], ", "), "matches only")
		}))
	}
	var affected []string
	for _, m := range metrics {
		if l.MatchesDiffer(m) {
			affected = append(affected, m.Short)
		}
	}
	if affected != nil {
		differ := fact.New(fact.OtherMatches)
		if len(affected) < len(metrics) {
			differ = differ.Naming("metric", affected...)
		}
		facts = append(facts, naming(differ, "matchers", func(d described) string { return d.matcher }))
	}
	var all []config.Descriptor
	for _, d := range l {
		all = append(all, d.Descriptor)
	}
	return append(facts, config.Windows(all)...)
}

// shared returns the number of last steps that all recipes have in common.
func (l Legend) shared() (n int) {
	for {
		for _, d := range l {
			if first := l[0].recipe; len(first) <= n || len(d.recipe) <= n || d.recipe[len(d.recipe)-1-n] != first[len(first)-1-n] {
				return n
			}
		}
		n++
	}
}

// scenes returns the scenes, sorted, in which a descriptor is compared; for the baseline, those
// of all comparisons.
func (c *Comparing) scenes(descriptor string) (scenes []string) {
	for _, r := range c.out.Rows {
		for _, s := range r.Differences {
			if descriptor == r.Descriptor || descriptor == c.out.Baseline {
				scenes = append(scenes, s.Scene)
			}
		}
	}
	slices.Sort(scenes)
	return slices.Compact(scenes)
}

// systems returns the systems behind the baseline and the others that have rows.
func (c *Comparing) systems(others []*Descriptor) (systems []*fold.System) {
	for i, d := range append([]*Descriptor{c.base}, others...) {
		for _, m := range d.members() {
			if i == 0 || d != c.base && c.has(d.Name) {
				systems = append(systems, m.System)
			}
		}
	}
	return systems
}

// about sets what captions say about the scenes, the protocol or preset, and the descriptors.
func (c *Comparing) about(others []*Descriptor, preset bool) {
	legend := NewLegend(c.systems(others))
	c.tell(fact.Without(legend.Facts(c.out.Metric), fact.OtherSets)...) // each descriptor has a fact of its own
	c.tell(singleDraw(c.base.config(), c.out.Metric)...)
	cfg := *c.base.config()
	if !preset {
		cfg.Evaluation.Preset = ""
	}
	c.out.Scenes.Selected, c.out.Scenes.HPatches = len(cfg.Dataset.Scenes) > 0, ofHPatches(c.out.Scenes.Names)
	c.out.Protocol = fold.Protocol(&cfg)
	c.out.Setup = slices.Concat(fold.Setup(&cfg, c.out.Metric), legend.Matches(c.out.Metric), legend.Setup())
}

// tellMatches tells how many matches per pair are behind shares of correct ones of descriptors, if
// they differ: fewer are easily better.
func (c *Comparing) tellMatches(all []*Descriptor) {
	if c.out.Metric.Family != catalogue.MMA {
		return
	}
	var facts []fact.Fact
	differ := false
	for i, d := range append([]*Descriptor{c.base}, all...) {
		if (i == 0 || d != c.base && c.has(d.Name)) && !math.IsNaN(d.Matches) {
			differ = differ || d.Matches != c.base.Matches
			facts = append(facts, fact.New(fact.MatchesPerPair).With("matches", d.Matches).On(d.Name))
		}
	}
	if differ {
		c.tell(facts...)
	}
}

// Setup says in sentences how runs evaluate metrics, what is the same once.
func Setup(runs *fold.Runs, metrics ...*catalogue.Metric) (sentences []string) {
	for _, r := range runs.Runs {
		for _, sentence := range fold.Setup(r.Config, metrics...) {
			if !slices.Contains(sentences, sentence) {
				sentences = append(sentences, sentence)
			}
		}
	}
	return sentences
}

// Facts returns what a reader of some metrics of runs in a scope must know, under the names that are
// shown: what failed, is known of the runs and their systems, or deviates from their presets.
func Facts(runs *fold.Runs, in string, metrics ...*catalogue.Metric) (facts []fact.Fact) {
	for _, r := range runs.Runs {
		shown := r.Config.Only(func(name string) bool {
			return slices.ContainsFunc(r.Systems, func(s *fold.System) bool { return s.Descriptor == name })
		})
		own := slices.Concat(report.Failures(r.Summary), Concerned(r.Summary, metrics...), report.LackingScenes(r.Summary), fold.PresetDeviations(shown, r.Summary.Evaluated(), in))
		facts = append(facts, runs.About(r, append(own, singleDraw(r.Config, metrics...)...)...)...)
	}
	if slices.ContainsFunc(runs.Runs, func(r *fold.Run) bool { return !slices.Equal(r.Summary.Evaluated(), runs.Runs[0].Summary.Evaluated()) }) {
		facts = append(facts, fact.New(fact.OtherScenes))
	}
	return facts
}

// singleDraw tells that metrics depend on one draw of an estimator's samples.
func singleDraw(c *config.Config, metrics ...*catalogue.Metric) []fact.Fact {
	draws := map[string]int{"estimator_draws": c.Evaluation.Draws.Homographies, "pose_draws": c.Evaluation.Draws.Poses}
	i := slices.IndexFunc(metrics, func(m *catalogue.Metric) bool { return draws[m.Needs] == 1 && m.Tolerant() })
	if i < 0 {
		return nil
	}
	f := fact.New(fact.SingleDraw).Naming("key", metrics[i].Needs)
	if c.Evaluation.OwnEstimators != nil {
		f = f.Naming("own", "yes")
	}
	return []fact.Fact{f}
}

// Concerned returns the facts of a summary about the run as a whole, or about some metrics, but for
// those about its set-up and windows, which depend on what is shown of it.
func Concerned(s *store.Summary, metrics ...*catalogue.Metric) []fact.Fact {
	return slices.DeleteFunc(notes.About(s.Warnings, metrics...), func(f fact.Fact) bool { return f.Kind == fact.OtherWindows || notes.Deviates(f.Kind) })
}

// ScenesBehind returns the scenes on which some descriptor of a run has results.
func ScenesBehind(r *fold.Run) report.Scenes {
	names := r.Summary.Evaluated()
	fewest := len(names)
	for _, d := range r.Summary.Descriptors {
		fewest = min(fewest, cmp.Or(len(d.Scenes), fewest))
	}
	return report.Scenes{Names: names, Fewest: fewest, Requested: r.Summary.ScenesRequested, HPatches: ofHPatches(names), Selected: len(r.Config.Dataset.Scenes) > 0}
}

// SameScenes reports whether two runs have results on the same scenes, out of as many.
func SameScenes(a, b *fold.Run) bool {
	return a.Summary.ScenesRequested == b.Summary.ScenesRequested && slices.Equal(a.Summary.Evaluated(), b.Summary.Evaluated()) &&
		slices.Equal(report.SharedScenes(a.Summary), report.SharedScenes(b.Summary))
}

// ofHPatches returns how many scenes are from HPatches.
func ofHPatches(scenes []string) (n int) {
	for _, s := range scenes {
		if dataset.IsHPatches(s) {
			n++
		}
	}
	return n
}
