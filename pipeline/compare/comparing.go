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
	"descbench/eval/spelling"
	"descbench/eval/stats"
	"descbench/pipeline/config"
	"descbench/pipeline/plan"
	"descbench/pipeline/report"
)

// significant is the largest corrected p at which a difference is significant.
const significant = 0.05

// A Descriptor holds what a comparison needs about one descriptor: the value of
// the compared metric in each of its scenes.
type Descriptor struct {
	Name      string                // as printed
	Scenes    map[string]SceneValue // the evaluated scenes, by name
	Coverage  float64               // over all scenes; NaN if undefined
	Gallery   float64               // mean number of candidates; NaN if undefined
	Pooled    float64               // the metric over all scenes together; NaN if undefined
	Keypoints string                // name of the keypoint set
	Loose     bool                  // matches of positions, without keypoints
	Resized   string                // how the run resizes images; "" if it does not
	Facts     []fact.Fact
}

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
	apart   map[string]string // notes about descriptors that share no scene with the baseline
	// smallest is the smallest p that each row can have.
	smallest []float64
}

// Against returns a Comparing with the given baseline and metric.
func Against(base *Descriptor, metric *catalogue.Metric) *Comparing {
	return &Comparing{base: base, apart: make(map[string]string), out: &report.Comparison{
		Metric: metric, Baseline: base.Name,
		KeypointGroups: make(map[string]string),
		Rows:           []report.ComparisonRow{}, NotShared: []string{}, Facts: []fact.Fact{},
	}}
}

// LeaveOut records why a descriptor is not compared.
func (c *Comparing) LeaveOut(why string) { c.out.NotShared = append(c.out.NotShared, why) }

// Add compares one descriptor with the baseline on their shared scenes.
func (c *Comparing) Add(d *Descriptor) error {
	shared, note := join(c.base, d, c.out.Metric.Short)
	if note != "" {
		c.LeaveOut(note)
	}
	if len(shared) == 0 {
		c.apart[d.Name] = note
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
	return nil
}

// Result returns the comparison, with p corrected for the number of rows. It
// returns an error if there is nothing to compare. The error begins with alone if
// the baseline is the only descriptor.
func (c *Comparing) Result(protocol, alone string) (*report.Comparison, error) {
	if len(c.out.Rows) == 0 {
		if len(c.out.NotShared) == 0 {
			return nil, &config.Error{File: "compare", Msg: fmt.Sprintf("%s %s", alone, c.base.Name)}
		}
		return nil, plan.Faultf("nothing to compare with %s: %s", c.base.Name, strings.Join(c.out.NotShared, "; "))
	}
	c.out.Protocol, c.out.Scenes = protocol, cmp.Or(c.out.Scenes, c.out.ScenesBehind())
	c.out.About = cmp.Or(c.out.About, protocol)
	c.correct()
	return c.out, nil
}

// has reports whether a descriptor has rows.
func (c *Comparing) has(descriptor string) bool {
	return slices.ContainsFunc(c.out.Rows, func(r report.ComparisonRow) bool { return r.Descriptor == descriptor })
}

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
	row.Scenes, row.Wins, row.Ties, row.Losses = found.Scenes, found.Wins, found.Ties, found.Losses
	if c.out.Metric.Lower() {
		row.Wins, row.Losses = row.Losses, row.Wins
	}
	row.Difference, row.Low, row.High = found.Difference, found.Interval.Low, found.Interval.High
	row.P, row.EffectSize = found.P, found.EffectSize
	c.addPooled(&row, d, scenes)
	if in == scope.All {
		row.Differences = slices.SortedStableFunc(slices.Values(scenes), func(a, b report.SceneDifference) int {
			return cmp.Compare(math.Abs(b.Difference), math.Abs(a.Difference))
		})
	}
	if i := slices.IndexFunc(c.out.Rows, func(r report.ComparisonRow) bool { return r.Descriptor == d.Name }); i >= 0 {
		row.SameAsAll = c.out.Rows[i].Scenes == row.Scenes
	}
	c.out.Rows = append(c.out.Rows, row)
	c.smallest = append(c.smallest, stats.SmallestP(found.Clusters))
	return nil
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
			family, smallest = append(family, i), append(smallest, c.smallest[i])
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
			all := c.out.Rows[slices.IndexFunc(c.out.Rows, func(r report.ComparisonRow) bool { return r.Descriptor == row.Descriptor })]
			row.PHolm, row.Tested, row.Verdict = all.PHolm, all.Tested, all.Verdict
		}
	}
}

// group puts a descriptor into the group of the first descriptor with the same keypoints
// in all scenes of both.
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

func sameKeypoints(a, b *Descriptor) bool {
	shared := false
	for name, s := range a.Scenes {
		if other, both := b.Scenes[name]; both {
			if shared = true; s.Set != other.Set {
				return false
			}
		}
	}
	return shared
}

// seemSame reports whether keypoints may be at the same positions, as after export and import.
func seemSame(a, b *Descriptor) bool { return a.Coverage == b.Coverage && a.Gallery == b.Gallery }

// join returns the scenes for which both descriptors have a value of the metric, sorted by
// name, and a note about scenes that they do not share, if any.
func join(base, d *Descriptor, metric string) (shared []report.SceneDifference, note string) {
	var onlyBase, only, otherImages, undefinedBase, undefined []string
	all := maps.Clone(base.Scenes)
	maps.Copy(all, d.Scenes)
	for _, scene := range slices.Sorted(maps.Keys(all)) {
		a, inBase := base.Scenes[scene]
		b, in := d.Scenes[scene]
		switch {
		case !in:
			onlyBase = append(onlyBase, scene)
		case !inBase:
			only = append(only, scene)
		case a.Digest != b.Digest:
			otherImages = append(otherImages, scene)
		case math.IsNaN(a.Value):
			undefinedBase = append(undefinedBase, scene)
		case math.IsNaN(b.Value):
			undefined = append(undefined, scene)
		default:
			shared = append(shared, report.SceneDifference{
				Scene: scene, Category: scope.Category(scene), Value: b.Value, Baseline: a.Value, Difference: b.Value - a.Value,
			})
		}
	}
	var parts []string
	part := func(what string, scenes []string) {
		if len(scenes) > 0 {
			parts = append(parts, what+" "+spelling.Few(scenes, 7))
		}
	}
	part("only in "+base.Name+":", onlyBase)
	part("only in "+d.Name+":", only)
	differ := "different images or homographies under the same name"
	if base.Resized != d.Resized {
		differ += fmt.Sprintf(" (images %s, those of the baseline %s)", cmp.Or(d.Resized, "not resized"), cmp.Or(base.Resized, "not resized"))
	}
	part(differ+":", otherImages)
	part(metric+" undefined for "+base.Name+":", undefinedBase)
	part(metric+" undefined for "+d.Name+":", undefined)
	if len(parts) == 0 {
		return shared, ""
	}
	return shared, fmt.Sprintf("%s compared on %d shared scenes; %s", d.Name, len(shared), strings.Join(parts, "; "))
}

// otherKeypoints tells if the descriptors were evaluated on different keypoints.
func otherKeypoints(base, d *Descriptor, shared []report.SceneDifference, metric *catalogue.Metric) []fact.Fact {
	n := 0
	for _, s := range shared {
		if base.Scenes[s.Scene].Set != d.Scenes[s.Scene].Set {
			n++
		}
	}
	f := fact.New(fact.OtherKeypoints).Counting(n, len(shared)).Naming("baseline", base.Name).Naming("metric", metric.Short)
	switch {
	case n == 0:
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
