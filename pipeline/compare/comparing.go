package compare

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"descbench/eval/catalogue"
	"descbench/eval/fact"
	"descbench/eval/scope"
	"descbench/eval/stats"
	"descbench/pipeline/config"
	"descbench/pipeline/fold"
	"descbench/pipeline/notes"
	"descbench/pipeline/plan"
	"descbench/pipeline/report"
)

// significant is the largest corrected p at which a difference is significant.
const significant = 0.05

// A Descriptor holds what a comparison needs about one descriptor: the value of
// the compared metric in each of its scenes.
type Descriptor struct {
	Name      string                // as printed
	System    *fold.System          // nil for results on patches
	Scenes    map[string]SceneValue // the evaluated scenes, by name
	Coverage  float64               // over all scenes; NaN if undefined
	Known     float64               // share of queries that depth judges; NaN without depth
	Gallery   float64               // mean number of candidates; NaN if undefined
	Pooled    float64               // the metric over all scenes together; NaN if undefined
	Matches   float64               // per pair; NaN if unknown
	Keypoints string                // name of the keypoint set
	Loose     bool                  // matches of positions, without keypoints
	Resized   string                // how the run resizes images; "" if it does not
	Facts     []fact.Fact

	averaged []*Descriptor // whose means it has; nil: it is one
}

// config returns the config of the descriptor's run.
func (d *Descriptor) config() *config.Config { return d.System.Run.Config }

// onlyMatches reports whether the descriptor has matches and no rows.
func (d *Descriptor) onlyMatches() bool { return d.config().Named(d.System.Descriptor).Matches != nil }

// A SceneValue is one scene that a descriptor was evaluated on.
type SceneValue struct {
	Digest string    // digest of images and homographies
	Set    string    // digest of the keypoints
	Value  float64   // NaN if undefined
	N      int       // what Value is a mean over: queries, pairs, ...
	Pairs  []float64 // the values of its pairs
}

// A Comparing compares descriptors with a baseline, one after the other.
type Comparing struct {
	base    *Descriptor
	out     *report.Comparison
	grouped []*Descriptor
}

// Against returns a Comparing with the given baseline and metric.
func Against(base *Descriptor, metric *catalogue.Metric) *Comparing {
	return &Comparing{base: base, out: &report.Comparison{Metric: metric, Baseline: base.Name, KeypointGroups: make(map[string]string)}}
}

// LeaveOut tells why a descriptor is not compared.
func (c *Comparing) LeaveOut(d *Descriptor, why fact.Fact) { c.tell(why.On(d.Name)) }

// Add compares one descriptor with the baseline on their shared scenes.
func (c *Comparing) Add(d *Descriptor) error {
	shared, differs := join(c.base, d, c.out.Metric.Short)
	c.tell(fact.About(d.Name, differs)...)
	if len(shared) == 0 {
		return nil
	}
	for _, in := range []string{scope.All, scope.Viewpoint, scope.Illumination} {
		scenes := shared
		if in != scope.All {
			scenes = slices.DeleteFunc(slices.Clone(shared), func(s report.SceneDifference) bool { return s.Category != in })
		}
		if len(scenes) == 0 {
			continue
		}
		if err := c.addRow(d, in, scenes); err != nil {
			return err
		}
	}
	c.tell(fact.About(d.Name, otherKeypoints(c.base, d, shared, c.out.Metric))...)
	c.tell(fact.About(d.Name, report.OtherKnown(c.base.Known, d.Known))...)
	return nil
}

// Result returns the comparison under a protocol, with p corrected for the number of rows. It
// returns an error if there is nothing to compare. The error begins with alone if
// the baseline is the only descriptor.
func (c *Comparing) Result(protocol, alone string) (*report.Comparison, error) {
	if len(c.out.Rows) == 0 {
		apart := notes.Strings(notes.Lines(slices.DeleteFunc(slices.Clone(c.out.Facts), func(f fact.Fact) bool { return !notes.Apart(f.Kind) })))
		if apart == nil {
			return nil, &config.Error{File: "compare", Msg: fmt.Sprintf("%s %s", alone, c.base.Name)}
		}
		return nil, plan.Faultf("nothing to compare with %s: %s", c.base.Name, strings.Join(apart, "; "))
	}
	c.out.Protocol = cmp.Or(c.out.Protocol, protocol)
	c.correct()
	return c.out, nil
}

// has reports whether a descriptor has rows.
func (c *Comparing) has(descriptor string) bool { return c.out.Row(descriptor, scope.All) != nil }

func (c *Comparing) addRow(d *Descriptor, in string, scenes []report.SceneDifference) error {
	var first, second []float64
	var groups []string
	row := report.ComparisonRow{Descriptor: d.Name, Scope: in}
	for _, s := range scenes {
		first = append(first, s.Value)
		second = append(second, s.Baseline)
		groups = append(groups, scope.Group(s.Scene))
		row.Mean += s.Value / float64(len(scenes))
		row.BaselineMean += s.Baseline / float64(len(scenes))
	}
	found, err := stats.Compare(first, second, stats.Cluster(groups))
	if err != nil {
		return fmt.Errorf("%s against %s: %w", d.Name, c.base.Name, err)
	}
	if row.Comparison = found; c.out.Metric.Lower() {
		row.Wins, row.Losses = row.Losses, row.Wins
	}
	if in == scope.All {
		c.out.Pooled = c.out.Pooled || math.Abs(c.base.Pooled-row.BaselineMean) > same && c.out.Metric.Scene == ""
		c.addScenes(scenes)
		row.Differences = slices.SortedStableFunc(slices.Values(scenes), func(a, b report.SceneDifference) int {
			return cmp.Compare(math.Abs(b.Difference), math.Abs(a.Difference))
		})
	}
	if all := c.out.Row(d.Name, scope.All); all != nil {
		row.SameAsAll = all.Scenes == row.Scenes
	}
	c.out.Rows = append(c.out.Rows, row)
	return nil
}

// addScenes counts the scenes of one descriptor.
func (c *Comparing) addScenes(scenes []report.SceneDifference) {
	all := &c.out.Scenes
	for _, s := range scenes {
		if !slices.Contains(all.Names, s.Scene) {
			all.Names = append(all.Names, s.Scene)
		}
	}
	slices.Sort(all.Names)
	all.Fewest = min(cmp.Or(all.Fewest, len(scenes)), len(scenes))
}

func (c *Comparing) tell(facts ...fact.Fact) { c.out.Facts = append(c.out.Facts, facts...) }

// correct applies Holm's correction over the rows that can be decided, sets the verdicts, and
// warns of the others. A category that has all scenes of its descriptor is no comparison of
// its own.
func (c *Comparing) correct() {
	var family []int // rows over scenes of their own
	var smallest []float64
	for i, r := range c.out.Rows {
		if !r.SameAsAll {
			family, smallest = append(family, i), append(smallest, stats.SmallestP(r.Clusters))
		}
	}
	p := make([]float64, len(family))
	for k, decidable := range stats.Decidable(smallest) {
		p[k] = math.NaN()
		if decidable {
			p[k] = float64(c.out.Rows[family[k]].P)
			c.out.Family++
		}
	}
	c.out.ScenesNeeded = stats.ScenesNeeded(len(family))
	for k, corrected := range stats.Holm(p) {
		row := &c.out.Rows[family[k]]
		row.PHolm, row.Tested = corrected, !math.IsNaN(corrected)
		switch {
		case !row.Tested:
			row.Verdict = "untested"
		case corrected > significant:
			row.Verdict = "~"
		case row.Difference > 0 != c.out.Metric.Lower():
			row.Verdict = "better"
		default:
			row.Verdict = "worse"
		}
	}
	for i := range c.out.Rows {
		if row := &c.out.Rows[i]; row.SameAsAll {
			all := c.out.Row(row.Descriptor, scope.All)
			row.PHolm, row.Tested, row.Verdict = all.PHolm, all.Tested, all.Verdict
		}
	}
}

// group puts a descriptor into the group of the first descriptor with the same keypoints.
func (c *Comparing) group(d *Descriptor) {
	name := d.Name
	for _, e := range c.grouped {
		if sameKeypoints(d, e) {
			name = c.out.KeypointGroups[e.Name]
			break
		}
	}
	c.out.KeypointGroups[d.Name], c.grouped = name, append(c.grouped, d)
}

// sameKeypoints reports whether descriptors of runs, or those that they average, have the same keypoints.
func sameKeypoints(a, b *Descriptor) bool {
	return slices.EqualFunc(a.members(), b.members(), func(a, b *Descriptor) bool { return a.System.SameKeypoints(b.System) })
}

// seemSame reports whether keypoints may be at the same positions, as after export and import.
func seemSame(a, b *Descriptor) bool { return a.Coverage == b.Coverage && a.Gallery == b.Gallery }

// join returns the scenes for which both descriptors have a value of the metric, sorted by
// name, and a fact about scenes that they do not share, if any.
func join(base, d *Descriptor, metric string) (shared []report.SceneDifference, differs []fact.Fact) {
	apart := make(map[string][]string) // scenes
	all := maps.Clone(base.Scenes)
	maps.Copy(all, d.Scenes)
	for _, scene := range slices.Sorted(maps.Keys(all)) {
		a, inBase := base.Scenes[scene]
		b, in := d.Scenes[scene]
		why := ""
		switch {
		case !in:
			why = "base"
		case !inBase:
			why = "other"
		case a.Digest != b.Digest:
			why = "images"
		case math.IsNaN(a.Value):
			why = "base_undefined"
		case math.IsNaN(b.Value):
			why = "undefined"
		default:
			shared = append(shared, report.SceneDifference{
				Scene: scene, Category: scope.Category(scene), Value: b.Value, Baseline: a.Value, Difference: b.Value - a.Value,
			})
			continue
		}
		apart[why] = append(apart[why], scene)
	}
	if len(apart) == 0 {
		return shared, nil
	}
	f := fact.New(fact.Unshared).With("n", float64(len(shared))).Naming("baseline", base.Name).Naming("metric", metric)
	for why, scenes := range apart {
		f = f.Naming(why, scenes...)
	}
	if base.Resized != d.Resized {
		f = f.Naming("resized", cmp.Or(d.Resized, "not resized")).Naming("base_resized", cmp.Or(base.Resized, "not resized"))
	}
	return shared, []fact.Fact{f}
}

// otherKeypoints tells if descriptors of runs were evaluated on different keypoints.
func otherKeypoints(base, d *Descriptor, shared []report.SceneDifference, metric *catalogue.Metric) []fact.Fact {
	n := 0
	for _, s := range shared {
		if base.Scenes[s.Scene].Set != d.Scenes[s.Scene].Set {
			n++
		}
	}
	f := fact.New(fact.OtherKeypoints).Counting(n, len(shared)).Naming("baseline", base.Name).Naming("metric", metric.Short)
	switch {
	case n == 0 || sameKeypoints(base, d):
		return nil
	case d.Loose:
		return []fact.Fact{fact.New(fact.UnknownKeypoints).Naming("with", d.Name)}
	case base.Loose:
		return []fact.Fact{fact.New(fact.UnknownKeypoints).Naming("with", base.Name)}
	case seemSame(base, d):
		f.Kind = fact.SimilarKeypoints
	case ofRankings(metric) && !math.IsNaN(d.Coverage) && !math.IsNaN(base.Coverage):
		f = f.With("coverage", d.Coverage).With("theirs", base.Coverage).With("gallery", d.Gallery).With("gallery_theirs", base.Gallery)
	}
	return []fact.Fact{f}
}
