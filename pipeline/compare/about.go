package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"descbench/eval/catalogue"
	"descbench/eval/fact"
	"descbench/eval/matching"
	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/fold"
	"descbench/pipeline/report"
	"descbench/pipeline/report/table"
)

// A Legend says what stands behind the names of descriptors.
type Legend struct {
	names, matchers   []string
	recipes, settings [][]config.Step     // of keypoints and descriptors
	described         []config.Descriptor // under these names
}

// NewLegend returns the legend of those descriptors of a run that are shown.
func NewLegend(o *fold.Outcome, shown func(descriptor string) bool) (l Legend) {
	group, recipes := o.KeypointGroup(), make(map[string][]config.Step)
	for _, d := range o.Summary.Descriptors {
		if shown(d.Name) {
			l.add(d.Name, o.Config, d.Name, group(d.Name), recipes)
		}
	}
	return l
}

// Named returns the legend with the names that a function gives for its own.
func (l Legend) Named(name func(string) string) Legend {
	for i, of := range l.names {
		l.names[i] = name(of)
		l.described[i].Name = l.names[i]
	}
	return l
}

// add adds a descriptor. Of a group with the same keypoints, all have the recipe of the first.
func (l *Legend) add(name string, cfg *config.Config, descriptor, group string, recipes map[string][]config.Step) {
	recipe, known := recipes[group]
	if !known || group == "" {
		recipe = cfg.RecipeOf(descriptor)
		recipes[group] = recipe
	}
	d := *cfg.Named(descriptor)
	matcher := cfg.MatcherOf(d).String()
	switch {
	case d.Matches != nil && d.Command != nil:
		matcher = cfg.MatcherOf(d).Of("from its program")
	case d.Matches != nil:
		matcher = cfg.MatcherOf(d).Of("from its files")
	}
	d.Name = cfg.Shown(d) // which tells some settings
	settings := d.Settings()
	d.Name = name
	l.Join(Legend{[]string{name}, []string{matcher}, [][]config.Step{recipe}, [][]config.Step{settings}, []config.Descriptor{d}})
}

// Join adds the descriptors of another legend.
func (l *Legend) Join(of Legend) {
	l.names, l.matchers = append(l.names, of.names...), append(l.matchers, of.matchers...)
	l.recipes, l.settings = append(l.recipes, of.recipes...), append(l.settings, of.settings...)
	l.described = append(l.described, of.described...)
}

// Windows is config.Windows of the descriptors.
func (l Legend) Windows() []fact.Fact { return config.Windows(l.described) }

// Add adds a descriptor of a config under a name of its own. Its keypoints have a recipe.
func (l *Legend) Add(name string, cfg *config.Config, descriptor string, recipe []config.Step) {
	l.add(name, cfg, descriptor, name, map[string][]config.Step{name: recipe})
}

// Matches says what the matches behind some metrics are, and which threshold those estimators
// have whose names have none: "Matches: mutual nearest neighbours, ratio 0.8; homographies with an
// inlier threshold of 3 px". It returns "" for metrics of other things.
func (l Legend) Matches(metrics ...*catalogue.Metric) string {
	if !slices.ContainsFunc(metrics, (*catalogue.Metric).OfMatches) {
		return ""
	}
	text := report.Whose("Matches", "matchers", l.names, l.matchers)
	return text + thresholds("homographies", metrics, catalogue.Homographies) + thresholds("poses", metrics, catalogue.Poses)
}

// thresholds says which threshold the estimators behind metrics have whose names have none.
func thresholds(what string, metrics []*catalogue.Metric, of catalogue.Subject) string {
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
		return ""
	}
	by := ""
	if other {
		by = " by " + strings.Join(standard, ", ")
	}
	return fmt.Sprintf("; %s%s with an inlier threshold of %g px", what, by, px)
}

// MatchesDiffer reports whether the matches behind some metrics differ, as Matches says.
func (l Legend) MatchesDiffer(metrics ...*catalogue.Metric) bool {
	return l.Matches(metrics...) != "" && differ(l.matchers)
}

func differ(texts []string) bool {
	return slices.ContainsFunc(texts, func(text string) bool { return text != texts[0] })
}

// Notes says which descriptors have which settings and keypoints, those if they differ.
func (l Legend) Notes() (notes []string) {
	if text := l.Settings(); text != "" {
		notes = append(notes, "settings: "+text)
	}
	if keypoints := joined(l.recipes, config.Shorts); differ(keypoints) {
		notes = append(notes, report.Whose("keypoints", "sets", l.names, keypoints))
	}
	return notes
}

// Settings says which descriptors have which settings that their names do not tell, "" for none.
func (l Legend) Settings() string {
	return report.SettingsOf(l.names, joined(l.settings, config.Shorts))
}

// String returns the clauses of a caption about keypoints and settings, each after "; ", in words.
func (l Legend) String() (text string) {
	if of := report.Whose("Keypoints", "sets", l.names, joined(l.recipes, config.Papers)); of != "" {
		text = "; " + of
	}
	if of := report.SettingsOf(l.names, joined(l.settings, config.Papers)); of != "" {
		text += "; Settings: " + of
	}
	return text
}

// joined returns the words of the steps of each descriptor.
func joined(steps [][]config.Step, words func([]config.Step) []string) []string {
	out := make([]string, len(steps))
	for i, of := range steps {
		out[i] = strings.Join(words(of), ", ")
	}
	return out
}

// Brief returns the clause of a short caption about keypoints, and the clauses for the text of a paper.
func (l Legend) Brief() (caption, text string) {
	if differ(joined(l.recipes, config.Shorts)) {
		return "; Keypoints differ between descriptors", l.String()
	}
	return Legend{names: l.names, recipes: l.recipes}.String(), Legend{names: l.names, settings: l.settings}.String()
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

// about sets what captions say about the scenes, the protocol or preset, and the descriptors.
func (c *Comparing) about(base *runDescriptor, others []*runDescriptor, preset bool) {
	scenes := c.scenes(base.Name)
	c.out.Selected = len(base.cfg.Dataset.Scenes) > 0
	var legend Legend
	recipes := make(map[string][]config.Step)
	legend.add(base.Name, base.cfg, base.system.Descriptor, c.out.KeypointGroups[base.Name], recipes)
	for _, d := range others {
		if d != base && c.has(d.Name) {
			legend.add(d.Name, d.cfg, d.system.Descriptor, c.out.KeypointGroups[d.Name], recipes)
		}
	}
	c.tell(legend.Windows()...)
	c.out.Settings = legend.Settings()
	if text := legend.Matches(c.out.Metric); legend.MatchesDiffer(c.out.Metric) {
		var by spelling.Groups // descriptors by matcher
		for i, matcher := range legend.matchers {
			by.Add(matcher, legend.names[i])
		}
		f := fact.New(fact.OtherMatches).Naming("metric", c.out.Metric.Short).Naming("matchers", by.Texts...)
		for _, matcher := range by.Texts {
			f = f.Naming(matcher, by.Of[matcher]...)
		}
		c.tell(f)
	} else if text != "" {
		c.out.Notes = append(c.out.Notes, strings.Replace(text, "M", "m", 1))
	}
	cfg := *base.cfg
	if !preset {
		cfg.Evaluation.Preset = ""
	}
	c.out.Scenes = ofHPatches(c.out.ScenesBehind(), scenes, scenes)
	if scope.Parse(c.out.Within).Kind == scope.OneImage {
		c.out.Scenes = report.ScopeWords(c.out.Within) + " of " + c.out.Scenes
	}
	c.out.About = fold.Setup(&cfg, c.out.Metric) + legend.String()
}

// noteMatches says how many matches per pair are behind shares of correct ones of descriptors, if
// they differ: fewer are easily better.
func (c *Comparing) noteMatches(all []*runDescriptor) {
	if c.out.Metric.Family != catalogue.MMA {
		return
	}
	var parts, numbers []string
	for _, d := range all {
		if (d.Name == c.out.Baseline || c.has(d.Name)) && !math.IsNaN(d.matches) {
			numbers = append(numbers, table.Measure.Format(d.matches))
			parts = append(parts, d.Name+" "+numbers[len(numbers)-1])
		}
	}
	if differ(numbers) {
		c.out.Notes = append(c.out.Notes, "matches per pair: "+strings.Join(parts, ", ")+"; match_recall@3: the share of possible correct matches that were found")
	}
}

// ScenesBehind says on which scenes a run has results.
func ScenesBehind(o *fold.Outcome) string {
	return ofHPatches(report.ScenesBehind(o.Summary, o.Config.Dataset.Scenes), report.SharedScenes(o.Summary), o.Summary.SceneNames())
}

// SameScenes reports whether two runs have results on the same scenes, out of as many.
func SameScenes(a, b *fold.Outcome) bool {
	return ScenesBehind(a) == ScenesBehind(b) && slices.Equal(a.Summary.Evaluated(), b.Summary.Evaluated())
}

// ofHPatches adds to a text about scenes that all requested ones are from HPatches, or how
// many of those behind it.
func ofHPatches(text string, behind, requested []string) string {
	other := func(s string) bool { return !dataset.IsHPatches(s) }
	switch n := len(slices.DeleteFunc(slices.Clone(behind), other)); {
	case n == 0:
		return text
	case !slices.ContainsFunc(requested, other):
		return strings.Replace(text, " scenes", " HPatches scenes", 1)
	default:
		of := fmt.Sprintf(", %d of them from HPatches", n)
		if before, after, kinds := strings.Cut(text, ")"); kinds {
			return before + ")" + of + after
		}
		return strings.Replace(text, " scenes", " scenes"+of, 1)
	}
}
