package report

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
	"descbench/pipeline/report/table"
)

// A Comparison holds the results of comparing descriptors with one baseline, by
// scene.
type Comparison struct {
	Metric   *catalogue.Metric
	Baseline string
	Within   string // category or image number to which the comparison is limited
	Averaged string // over what the values are means; "": they are those of descriptors
	Pooled   bool   // the metric over scenes together is not the mean of its values of single scenes
	Rows     []ComparisonRow
	// Family is the number of comparisons that Holm's correction counts.
	Family int
	// LeftOut is the number of descriptors that it does not count, because --only leaves them out.
	LeftOut int
	// ScenesNeeded is the number of differing scenes with which every comparison can be
	// tested.
	ScenesNeeded int
	// KeypointGroups maps descriptors to the group of those on the same keypoints, whatever
	// the baseline is.
	KeypointGroups map[string]string
	Facts          []fact.Fact // what a reader of the values must know, and what is not compared
	Runs           []string    // labels of the compared runs; nil for results on patches
	Of             []string    // as in table.Table
	Scenes         Scenes      // behind the comparisons
	Protocol       string      // in short
	Setup          []string    // of the table
}

// A ComparisonRow compares one descriptor with the baseline over a group of
// scenes. Values are fractions. Undefined values are NaN. Of metrics of which lower is better, scenes
// with a lower value are won.
type ComparisonRow struct {
	stats.Comparison
	Descriptor   string
	Scope        string  // all, viewpoint or illumination
	Mean         float64 // over these scenes
	BaselineMean float64
	PHolm        float64 // corrected over all tested rows
	Tested       bool    // has enough scenes to be significant, and a corrected p
	// SameAsAll marks a category that has all scenes of the descriptor. It is not
	// tested again.
	SameAsAll bool
	Verdict   string // better, worse, ~ where not significant, or untested
	// Differences holds the differences per scene, largest first. Only rows of
	// scope all have them.
	Differences []SceneDifference
}

// A SceneDifference holds the values of both descriptors in one scene.
type SceneDifference struct {
	Scene      string
	Category   string
	Value      float64
	Baseline   float64
	Difference float64
}

// units returns the units of the metric and of its differences.
func (c Comparison) units() (value, difference table.Unit) {
	if UnitOf(c.Metric) == table.Share {
		return table.Share, table.Points
	}
	return table.Measure, table.Difference
}

// noun is what single values are of: the patch benchmark has sequences.
func (c Comparison) noun() string {
	if c.Metric.Group == "patches" {
		return "sequence"
	}
	return "scene"
}

// drawn names what resamples draw and tests flip, and the scenes that stand for it: of groups of
// scenes, if there are enough, the first ones.
func (c Comparison) drawn() (noun string, scenes []string) {
	for _, r := range c.Rows {
		var all []string
		for _, d := range r.Differences {
			all = append(all, d.Scene)
		}
		slices.Sort(all)
		if scenes = drawn(all); len(scenes) < len(all) {
			return "group", scenes
		}
	}
	return c.noun(), nil
}

// Table returns the comparison as a table with one row per descriptor: the
// differences over all scenes, and by category. Below it are what was tested, and
// what was left out.
func (c Comparison) Table() *table.Table {
	value, difference := c.units()
	mean := ""
	if c.Pooled {
		mean = fmt.Sprintf("over the values of single %[1]ss; tables of results print the metric over all %[1]ss together", c.noun())
	}
	t := table.New(
		table.Column{Name: descriptorColumn, Title: descriptorColumn, Unit: table.Words},
		table.Column{Name: scenesColumn, Title: c.noun() + "s", Unit: table.Count, Priority: 4},
		table.Column{Name: "baseline_mean", Title: "baseline", Unit: value},
		table.Column{Name: "mean", Title: "mean", Unit: value, Note: mean},
		table.Column{Name: "difference", Title: "difference", Unit: difference},
		table.Column{Name: "viewpoint", Title: "viewpoint", Unit: difference, Priority: 1},
		table.Column{Name: "illumination", Title: "illumination", Unit: difference, Priority: 1},
		table.Column{Name: "p_holm", Title: "p_holm", Full: "p (Holm)", Unit: table.P},
		table.Column{Name: "wins", Title: "wins/ties/losses", Unit: table.Words, Priority: 5},
		table.Column{Name: "effect_size", Title: "effect_size", Full: "effect size", Unit: table.Effect, Priority: 6},
		table.Column{Name: "p", Title: "p", Unit: table.P, Priority: 8},
	)
	c.describe(t)
	t.Setup = append(slices.Clip(c.Setup), fmt.Sprintf("Effect size: mean difference divided by the standard deviation of the differences over %ss", c.noun()))
	t.Best = onSame
	same := !slices.ContainsFunc(c.Rows, func(r ComparisonRow) bool {
		return r.Scope == scope.All && (r.BaselineMean != c.Rows[0].BaselineMean || r.Scenes != c.Rows[0].Scenes)
	})
	if same {
		t.Columns[1].Priority, t.Columns[1].Told = 7, true
		t.Columns[3].Unmarked = slices.ContainsFunc(c.Facts, func(f fact.Fact) bool { return f.Kind == fact.OtherMatches })
		t.Columns[3].Better = c.Metric.Better
		first := c.Rows[0]
		cells := make([]table.Cell, len(t.Columns))
		cells[0], cells[1], cells[3] = table.Text(c.Baseline), table.Integer(first.Scenes), c.mean(first, true)
		t.AddTo(c.KeypointGroups[c.Baseline], cells...)
	}
	for _, r := range c.Rows {
		if r.Scope != scope.All {
			continue
		}
		baseline := c.mean(r, true)
		if same { // it has a row of its own
			baseline = table.Cell{}
		}
		p, effect := optional(r.P), optional(r.EffectSize)
		if c.Family == 0 { // they would be read as results
			p, effect = table.Cell{}, table.Cell{}
		}
		t.AddTo(c.KeypointGroups[r.Descriptor],
			table.Text(r.Descriptor), table.Integer(r.Scenes), baseline, c.mean(r, false),
			r.Cell(), c.category(r.Descriptor, scope.Viewpoint), c.category(r.Descriptor, scope.Illumination), optional(r.PHolm),
			table.Text(fmt.Sprintf("%d/%d/%d", r.Wins, r.Ties, r.Losses)), effect,
			p,
		)
	}
	t.GroupRows()
	c.noteTests(t)
	scenes := make(map[string]int)
	for _, r := range c.Rows {
		scenes[r.Scope] = min(cmp.Or(scenes[r.Scope], r.Scenes), r.Scenes)
	}
	things, groups := c.drawn()
	if groups != nil {
		scenes = CountScenes(groups)
	}
	t.Interval = Interval(t, things+"s", scenes)
	const corrected, narrow = "it counts all comparisons", "intervals are approximate, and too narrow over few scenes"
	var why []string
	for _, r := range c.Rows {
		if r.Verdict == "~" && (r.Interval.Low > 0 || r.Interval.High < 0) {
			reason := corrected
			if r.P > 0.05 {
				reason = narrow
			}
			why = append(why, reason)
		}
	}
	if slices.Sort(why); why != nil {
		t.Tell(fact.New(fact.IntervalDiffers).Naming("why", slices.Compact(why)...))
	}
	return t
}

// describe sets what the tables of the comparison have in common.
func (c Comparison) describe(t *table.Table) {
	t.Title = title(c.Metric)
	if !strings.Contains(t.Title, " by ") {
		t.Title += " by " + c.noun()
	}
	if t.Runs, t.Rest = c.Runs, " against "+c.Baseline; c.Within != "" {
		t.Rest += ", " + ScopeWords(c.Within)
	}
	t.Of, t.Caption = c.Of, []string{c.Scenes.String(), c.Protocol}
	if c.Averaged != "" {
		t.Caption = append(t.Caption, c.Averaged)
	}
	if c.Metric.Lower() {
		t.Caption = append(t.Caption, "Lower is better")
	}
	t.Tell(c.Facts...)
}

// Tidy returns the comparison as a table with one row per descriptor and scope, for
// programs.
func (c Comparison) Tidy() *table.Table {
	value, difference := c.units()
	better := c.Metric.Better
	t := table.New(
		table.Column{Name: descriptorColumn, Unit: table.Words}, table.Column{Name: "scope", Unit: table.Words},
		table.Column{Name: scenesColumn, Unit: table.Count}, table.Column{Name: "baseline_mean", Unit: value},
		table.Column{Name: "mean", Unit: value, Better: better}, table.Column{Name: "difference", Unit: difference, Better: better},
		table.Column{Name: "p", Unit: table.P, Better: "lower"}, table.Column{Name: "p_holm", Unit: table.P, Better: "lower"},
		table.Column{Name: "verdict", Unit: table.Words}, table.Column{Name: "effect_size", Unit: table.Effect},
		table.Column{Name: "wins", Unit: table.Count}, table.Column{Name: "ties", Unit: table.Count}, table.Column{Name: "losses", Unit: table.Count},
	)
	t.Keys = 2
	c.describe(t)
	for _, r := range c.Rows {
		t.Add(
			table.Text(r.Descriptor), table.Text(r.Scope), table.Integer(r.Scenes), c.mean(r, true),
			c.mean(r, false), r.Cell(),
			optional(r.P), optional(r.PHolm), table.Text(r.Verdict),
			optional(r.EffectSize), table.Integer(r.Wins), table.Integer(r.Ties), table.Integer(r.Losses),
		)
	}
	c.noteTests(t)
	return t
}

// ByScene returns the differences of each scene, the largest of each descriptor first.
func (c Comparison) ByScene() *table.Table {
	value, difference := c.units()
	t := table.New(
		table.Titled(descriptorColumn, table.Words, 0), table.Titled("scene", table.Words, 0), table.Titled("category", table.Words, 0),
		table.Titled("baseline", value, 0), table.Titled("value", value, 0), table.Titled("difference", difference, 0),
	)
	t.Keys = 2
	c.describe(t)
	for _, r := range c.Rows {
		for _, d := range r.Differences {
			t.Add(table.Text(r.Descriptor), table.Text(d.Scene), table.Text(d.Category), table.Number(d.Baseline), table.Number(d.Value), table.Number(d.Difference))
		}
	}
	return t
}

// Row returns the row of a descriptor over all scenes or a category of them, nil if there is none.
func (c Comparison) Row(descriptor, in string) *ComparisonRow {
	for i := range c.Rows {
		if r := &c.Rows[i]; r.Descriptor == descriptor && r.Scope == in {
			return r
		}
	}
	return nil
}

// category returns the difference of a descriptor over a category, an empty cell if it has no such
// scenes, or all its scenes are of the category.
func (c Comparison) category(descriptor, category string) table.Cell {
	if r := c.Row(descriptor, category); r != nil && !r.SameAsAll {
		return r.Cell()
	}
	return table.Cell{}
}

// mean returns the mean of a row, or of its baseline, with its interval, which is that of results on the
// same scenes.
func (c Comparison) mean(r ComparisonRow, ofBaseline bool) table.Cell {
	differences := slices.SortedFunc(slices.Values(c.Row(r.Descriptor, scope.All).Differences), func(a, b SceneDifference) int { return cmp.Compare(a.Scene, b.Scene) })
	var values []float64
	var groups []string
	for _, d := range differences {
		if r.Scope == scope.All || r.Scope == d.Category {
			value := d.Value
			if ofBaseline {
				value = d.Baseline
			}
			values, groups = append(values, value), append(groups, scope.Group(d.Scene))
		}
	}
	mean, interval := r.Mean, stats.MeanInterval(values, stats.Cluster(groups))
	if ofBaseline {
		mean = r.BaselineMean
	}
	return table.Between(mean, interval.Low, interval.High)
}

// Cell returns the difference with its interval and what the test found.
func (r ComparisonRow) Cell() table.Cell {
	cell := table.Between(r.Difference, r.Interval.Low, r.Interval.High)
	switch r.Verdict {
	case "better", "worse":
		return cell.Marked(table.Significant)
	case "~":
		return cell.Marked(table.NotSignificant)
	}
	return cell
}

// optional returns a cell that is empty for NaN.
func optional(v float64) table.Cell {
	if math.IsNaN(v) {
		return table.Cell{}
	}
	return table.Number(v)
}

// Tested says what the marks of tests are, and what was tested; "" if nothing was.
func (c Comparison) Tested() string {
	if c.Family == 0 {
		return ""
	}
	verdict := func(is ...string) bool {
		return slices.ContainsFunc(c.Rows, func(r ComparisonRow) bool { return slices.Contains(is, r.Verdict) })
	}
	marks := ""
	switch significant, not := verdict("better", "worse"), verdict("~"); {
	case significant && not:
		marks = "† significant at 5 %, ~ not: "
	case significant:
		marks = "† significant at 5 %: "
	case not:
		marks = "~ not significant at 5 %: "
	}
	return marks + c.Test()
}

// noteTests adds to a table which differences were tested, and why others were not.
func (c Comparison) noteTests(t *table.Table) {
	untested, cure := c.Untested()
	for _, note := range []string{c.Tested(), untested + cure} {
		if note != "" {
			t.Note("%s", note)
		}
	}
}

// Test says how differences were tested.
func (c Comparison) Test() string {
	flipped, _ := c.drawn()
	text := fmt.Sprintf("paired permutation test (sign flips of %ss), Holm correction over %s", flipped, spelling.Count(c.Family, "comparison"))
	if c.LeftOut > 0 {
		text += ", not counting " + spelling.Count(c.LeftOut, "other descriptor")
	}
	return text
}

// Untested says why rows are not tested: how many scenes differ, since ties leave fewer than
// there are, and how many it takes. Fewer suffice for some of several comparisons if the
// others have too few to be tested. It returns "" if all are tested, and separately what helps, if
// anything does.
func (c Comparison) Untested() (text, cure string) {
	differing := make(map[string][]int) // the numbers of differing scenes of rows that are not tested, by scope
	for _, r := range c.Rows {
		if !r.SameAsAll && !r.Tested {
			differing[r.Scope] = append(differing[r.Scope], r.Clusters)
		}
	}
	all := differing[scope.All]
	noun, _ := c.drawn()
	switch {
	case len(differing) == 0:
		return "", ""
	case all == nil:
		var parts []string
		for _, in := range slices.Backward(slices.Sorted(maps.Keys(differing))) { // viewpoint first
			parts = append(parts, spelling.Span(differing[in]...)+" "+in)
		}
		return fmt.Sprintf("%s %ss are too few for tests of their own, which need %d", strings.Join(parts, " and "), noun, c.ScenesNeeded), ""
	case slices.Max(all) == 0:
		return fmt.Sprintf("not tested: no %s differs", noun), ""
	}
	needs := "a comparison needs"
	comparisons, needed := c.overAll()
	if comparisons > 1 {
		needs = fmt.Sprintf("these %d comparisons need", comparisons)
	}
	return fmt.Sprintf("too few for a test: %s; %s %d", spelling.Counts(all, "differing "+noun), needs, needed),
		fmt.Sprintf(": %ss of other places help, more images of these do not", c.noun())
}

// overAll returns the number of comparisons over all scenes, and how many differing scenes they need.
func (c Comparison) overAll() (comparisons, needed int) {
	for _, r := range c.Rows {
		if r.Scope == scope.All {
			comparisons++
		}
	}
	return comparisons, stats.ScenesNeeded(comparisons)
}
