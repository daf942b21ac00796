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
	Protocol string
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
	NotShared      []string // what was left out because one side lacks it or has a different version of it
	Preset         string   // of a paper, that a run names, and how it deviates on the compared scenes; a line for each of several runs
	Notes          []string // what a reader of the values must know
	Facts          []fact.Fact
	Runs           []string // labels of the compared runs, or what distinguishes results on patches
	Selected       bool     // the config of the baseline's run names the scenes
	Doubtful       string   // scenes of the runs that failed, and the like, as the function of that name says it
	Settings       string   // of descriptors, as SettingsOf says them
	Scenes         string   // how many are behind the comparisons, and of which kind
	About          string   // protocol, keypoints and settings, as papers say them
}

// A ComparisonRow compares one descriptor with the baseline over a group of
// scenes. Values are fractions. Undefined values are NaN.
type ComparisonRow struct {
	Descriptor   string
	Scope        string // all, viewpoint or illumination
	Scenes       int
	Mean         float64 // over these scenes
	BaselineMean float64
	Difference   float64
	Low          float64 // of Difference
	High         float64
	// The values over all pairs or queries of these scenes together, as tables of results
	// have them, and their difference; NaN if they are the means over scenes or not known.
	Pooled           float64
	BaselinePooled   float64
	PooledDifference float64
	PooledLow        float64
	PooledHigh       float64
	P                float64
	PHolm            float64 // corrected over all tested rows
	Tested           bool    // has enough scenes to be significant, and a corrected p
	// SameAsAll marks a category that has all scenes of the descriptor. It is not
	// tested again.
	SameAsAll  bool
	EffectSize float64
	Wins       int
	Ties       int
	Losses     int
	Verdict    string // better, worse, ~ where not significant, or untested
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
func (c Comparison) units() (value, difference table.Unit, text string) {
	if UnitOf(c.Metric) == table.Share {
		return table.Share, table.Points, "differences in percentage points"
	}
	return table.Measure, table.Difference, "differences in the unit of the metric"
}

// Table returns the comparison as a table with one row per descriptor: the
// differences over all scenes, and by category. Below it are what was tested, and
// what was left out.
func (c Comparison) Table() *table.Table {
	value, difference, text := c.units()
	if c.Metric.Lower() {
		text += "; lower is better"
	}
	ofMean := ""
	if c.Metric.Name == catalogue.MicroMAP {
		ofMean = " (map_macro)"
	}
	pooled := c.Worded("the metric over these scenes together, as tables of results print it, and not tested; mean, difference and tests are over the values of single scenes" + ofMean)
	t := table.New(
		table.Column{Name: descriptorColumn, Title: descriptorColumn, Unit: table.Words},
		table.Column{Name: scenesColumn, Title: c.Worded(scenesColumn), Unit: table.Count, Priority: 4},
		table.Column{Name: "baseline_mean", Title: "baseline", Unit: value},
		table.Column{Name: "mean", Title: "mean", Unit: value},
		table.Column{Name: "difference", Title: "difference", Unit: difference},
		table.Column{Name: "pooled", Title: "pooled", Unit: value, Note: pooled},
		table.Column{Name: "pooled_difference", Title: "pooled_difference", Full: "pooled difference", Unit: difference, Note: pooled},
		table.Column{Name: "viewpoint", Title: "viewpoint", Unit: difference, Priority: 1},
		table.Column{Name: "illumination", Title: "illumination", Unit: difference, Priority: 1},
		table.Column{Name: "p_holm", Title: "p_holm", Full: "p (Holm)", Unit: table.P},
		table.Column{Name: "wins", Title: "wins/ties/losses", Full: "w/t/l", Unit: table.Words, Priority: 5},
		table.Column{Name: "effect_size", Title: "effect_size", Full: "effect size", Unit: table.Effect, Priority: 6},
		table.Column{Name: "p", Title: "p", Unit: table.P, Priority: 8},
	)
	t.Caption = c.caption(c.Metric.Short+unit(c.Metric)) + "; " + text
	t.Label = strings.Join(append(slices.Clone(c.Runs), "compare", c.Metric.Short, c.Baseline, c.Within), " ")
	same := !slices.ContainsFunc(c.Rows, func(r ComparisonRow) bool {
		return r.Scope == scope.All && (r.BaselineMean != c.Rows[0].BaselineMean || r.Scenes != c.Rows[0].Scenes)
	})
	if same {
		t.Columns[1].Priority = 7 // the caption has it
		t.Columns[3].Unmarked = slices.ContainsFunc(c.Facts, func(f fact.Fact) bool { return f.Kind == fact.OtherMatches })
		t.Columns[3].Better = c.Metric.Better
		first := c.Rows[0]
		cells := make([]table.Cell, len(t.Columns))
		cells[0], cells[1], cells[3] = table.Text(c.Baseline), table.Integer(first.Scenes), table.Number(first.BaselineMean)
		cells[5] = optional(first.BaselinePooled)
		t.AddTo(c.KeypointGroups[c.Baseline], cells...)
	}
	for i, r := range c.Rows {
		if r.Scope != scope.All {
			continue
		}
		baseline := table.Number(r.BaselineMean)
		if same { // it has a row of its own
			baseline = table.Cell{}
		}
		p, effect := optional(r.P), optional(r.EffectSize)
		if c.Family == 0 { // they would be read as results
			p, effect = table.Cell{}, table.Cell{}
		}
		t.AddTo(c.KeypointGroups[r.Descriptor],
			table.Text(r.Descriptor), table.Integer(r.Scenes), baseline, table.Number(r.Mean),
			r.Cell(), optional(r.Pooled), r.pooled(), c.category(i, scope.Viewpoint), c.category(i, scope.Illumination), optional(r.PHolm),
			table.Text(fmt.Sprintf("%d/%d/%d", r.Wins, r.Ties, r.Losses)), effect,
			p,
		)
	}
	t.GroupRows()
	t.Formal = func(t *table.Table) string {
		others := slices.DeleteFunc(t.RowNames(), func(name string) bool { return name == c.Baseline })
		form, patches := "%s of %s compared with %s on %s; %s", c.ofPatches()
		what := paper(c.Metric)
		if patches {
			form = "patch %s: %s against %s on %s; %s"
		}
		if !patches && !strings.Contains(what, " by ") {
			what += " by scene"
		}
		caption := fmt.Sprintf(form, c.Worded(what), listed(others), c.Baseline, c.Worded(c.Scenes), text)
		for _, column := range t.Columns {
			switch column.Name {
			case "wins":
				caption += c.Worded("; w/t/l: scenes better/equal/worse")
			case "effect_size":
				caption += c.Worded("; effect size: mean difference divided by its standard deviation over scenes")
			}
		}
		return caption
	}
	t.Setup = c.About
	c.explain(t)
	return t
}

func (c Comparison) ofPatches() bool { return c.Metric.Group == "patches" }

// Worded returns a text about scenes in the words of the metric: the patch benchmark has
// sequences.
func (c Comparison) Worded(text string) string {
	if c.ofPatches() {
		return strings.ReplaceAll(text, "scene", "sequence")
	}
	return text
}

// ScenesBehind says how many scenes are behind the comparisons, and of which categories if
// all comparisons are over as many.
func (c Comparison) ScenesBehind() string {
	fewest, most := math.MaxInt, 0
	var kinds []string
	for _, r := range c.Rows {
		switch {
		case r.Scope == scope.All:
			fewest, most = min(fewest, r.Scenes), max(most, r.Scenes)
		case r.Descriptor == c.Rows[0].Descriptor:
			kinds = append(kinds, fmt.Sprintf("%d %s", r.Scenes, r.Scope))
		}
	}
	what := SceneNoun(c.Selected)
	switch {
	case fewest < most:
		return fmt.Sprintf("%d to %d shared scenes", fewest, most) + c.Doubtful
	case len(kinds) == 0:
		return spelling.Count(most, what) + c.Doubtful
	}
	return spelling.Count(most, what) + " (" + strings.Join(kinds, ", ") + ")" + c.Doubtful
}

// Tidy returns the comparison as a table with one row per descriptor and scope, for
// programs.
func (c Comparison) Tidy() *table.Table {
	value, difference, _ := c.units()
	better := c.Metric.Better
	t := table.New(
		table.Column{Name: descriptorColumn, Unit: table.Words}, table.Column{Name: "scope", Unit: table.Words},
		table.Column{Name: scenesColumn, Unit: table.Count}, table.Column{Name: "baseline_mean", Unit: value},
		table.Column{Name: "mean", Unit: value, Better: better}, table.Column{Name: "difference", Unit: difference, Better: better},
		table.Column{Name: "baseline_pooled", Unit: value}, table.Column{Name: "pooled", Unit: value}, table.Column{Name: "pooled_difference", Unit: difference},
		table.Column{Name: "p", Unit: table.P, Better: "lower"}, table.Column{Name: "p_holm", Unit: table.P, Better: "lower"},
		table.Column{Name: "verdict", Unit: table.Words}, table.Column{Name: "effect_size", Unit: table.Effect},
		table.Column{Name: "wins", Unit: table.Count}, table.Column{Name: "ties", Unit: table.Count}, table.Column{Name: "losses", Unit: table.Count},
	)
	t.Keys, t.Caption = 2, c.caption(c.Metric.Short)
	for _, r := range c.Rows {
		t.Add(
			table.Text(r.Descriptor), table.Text(r.Scope), table.Integer(r.Scenes), table.Number(r.BaselineMean),
			table.Number(r.Mean), r.Cell(),
			optional(r.BaselinePooled), optional(r.Pooled), r.pooled(), optional(r.P), optional(r.PHolm), table.Text(r.Verdict),
			optional(r.EffectSize), table.Integer(r.Wins), table.Integer(r.Ties), table.Integer(r.Losses),
		)
	}
	if c.Family > 0 {
		t.Note("%s%s", c.Worded(testedBy), c.Counted())
	}
	if text := c.Untested(); text != "" {
		t.Note("%s", c.Worded("not tested: "+text))
	}
	c.noteAll(t)
	return t
}

// ByScene returns the differences of each scene, the largest of each descriptor first.
func (c Comparison) ByScene() *table.Table {
	value, difference, text := c.units()
	t := table.New(
		table.Titled(descriptorColumn, table.Words, 0), table.Titled("scene", table.Words, 0), table.Titled("category", table.Words, 0),
		table.Titled("baseline", value, 0), table.Titled("value", value, 0), table.Titled("difference", difference, 0),
	)
	t.Keys, t.Caption = 2, c.caption(c.Metric.Short+unit(c.Metric))+"; "+text
	for _, r := range c.Rows {
		for _, d := range r.Differences {
			t.Add(table.Text(r.Descriptor), table.Text(d.Scene), table.Text(d.Category), table.Number(d.Baseline), table.Number(d.Value), table.Number(d.Difference))
		}
	}
	c.noteAll(t)
	return t
}

func (c Comparison) caption(metric string) string {
	return fmt.Sprintf("%s by %s against %s; %s; %s", metric, c.Worded("scene"), c.Baseline, c.Worded(c.Scenes), c.Protocol)
}

// category returns the difference over a category of the descriptor of row i, an
// empty cell if that has no such scenes, or all its scenes are of the category.
func (c Comparison) category(i int, category string) table.Cell {
	for _, r := range c.Rows {
		if r.Descriptor == c.Rows[i].Descriptor && r.Scope == category && !r.SameAsAll {
			return r.Cell()
		}
	}
	return table.Cell{}
}

// Cell returns the difference with its interval and what the test found.
func (r ComparisonRow) Cell() table.Cell {
	cell := table.Between(r.Difference, r.Low, r.High)
	switch r.Verdict {
	case "better", "worse":
		return cell.Marked(table.Significant)
	case "~":
		return cell.Marked(table.NotSignificant)
	}
	return cell
}

// pooled returns the difference of the values over all scenes together.
func (r ComparisonRow) pooled() table.Cell {
	if math.IsNaN(r.PooledDifference) {
		return table.Cell{}
	}
	return table.Between(r.PooledDifference, r.PooledLow, r.PooledHigh)
}

// optional returns a cell that is empty for NaN.
func optional[T ~float64](v T) table.Cell {
	if math.IsNaN(float64(v)) {
		return table.Cell{}
	}
	return table.Number(float64(v))
}

// Counted says what Holm's correction counts: "12 comparisons: 7 descriptors over all scenes,
// 5 over viewpoint scenes; 4 other descriptors not counted".
func (c Comparison) Counted() string {
	var parts []string
	for _, in := range []string{scope.All, scope.Viewpoint, scope.Illumination} {
		n := 0
		for _, r := range c.Rows {
			if r.Scope == in && r.Tested && !r.SameAsAll {
				n++
			}
		}
		what := fmt.Sprint(n)
		if parts == nil {
			what = spelling.Count(n, "descriptor")
		}
		if n > 0 {
			parts = append(parts, what+" over "+ScopeWords(in))
		}
	}
	text := spelling.Count(c.Family, "comparison") + ": " + strings.Join(parts, ", ")
	if c.LeftOut > 0 {
		text += "; " + spelling.Count(c.LeftOut, "other descriptor") + " not counted"
	}
	return c.Worded(text)
}

// explain adds the notes about tests, intervals and what was left out.
func (c Comparison) explain(t *table.Table) {
	t.Marks = append(t.Marks, func(printed *table.Table) string {
		if c.Family == 0 {
			return c.Worded("no test of significance: " + cmp.Or(c.Untested(), "no scene differs"))
		}
		marks := ""
		switch significant, not := printed.HasMark(table.Significant), printed.HasMark(table.NotSignificant); {
		case significant && not:
			marks = "† significant at 5 %, ~ not: "
		case significant:
			marks = "† significant at 5 %: "
		case not:
			marks = "~ not significant at 5 %: "
		}
		return marks + c.Worded(testedBy) + c.Counted()
	}, func(printed *table.Table) string {
		untested := c.Untested()
		ofCategories := !slices.ContainsFunc(c.Rows, func(r ComparisonRow) bool { return r.Scope == scope.All && !r.Tested })
		if c.Family == 0 || untested == "" || ofCategories && !ofCategory(printed, scope.Viewpoint) && !ofCategory(printed, scope.Illumination) {
			return ""
		}
		return c.Worded("not tested: " + untested)
	})
	scenes := make(map[string]int)
	for _, r := range c.Rows {
		scenes[r.Scope] = min(cmp.Or(scenes[r.Scope], r.Scenes), r.Scenes)
	}
	MarkIntervals(t, scenes, "over scenes", "over "+c.Worded("scenes")+", uncorrected", "scene", c.Worded("scene"))
	const corrected, narrow = "it counts all comparisons", "intervals are approximate, and too narrow over few scenes"
	var why []string
	for _, r := range c.Rows {
		if r.Verdict == "~" && (r.Low > 0 || r.High < 0) {
			reason := corrected
			if r.P > 0.05 {
				reason = narrow
			}
			why = append(why, reason)
		}
	}
	if len(why) > 0 {
		slices.Sort(why)
		t.Note("where an interval excludes 0 and the mark is ~, go by the mark: %s", strings.Join(slices.Compact(why), "; "))
	}
	for i, note := range t.Notes {
		t.Notes[i].Text = c.Worded(note.Text)
	}
	c.noteAll(t)
}

// testedBy says how p was found, before what was tested.
const testedBy = "paired permutation test (sign flips of scenes); Holm correction over "

// noteAll adds what a reader of any values must know, and what was left out.
func (c Comparison) noteAll(t *table.Table) {
	t.Notes = append(t.Notes, table.Notes(c.Notes...)...)
	t.Notes = append(t.Notes, table.Notes(strings.FieldsFunc(c.Preset, func(r rune) bool { return r == '\n' })...)...)
	for _, text := range c.Unshared() {
		t.Note("not shared: %s", text)
	}
}

// Unshared returns NotShared with descriptors of the same reason in one line.
func (c Comparison) Unshared() []string {
	var names spelling.Groups // by reason
	for _, text := range c.NotShared {
		name, reason := "", text
		for _, verb := range []string{" compared on ", " skipped: "} {
			if before, after, found := strings.Cut(text, verb); found {
				name, reason = before, verb+strings.ReplaceAll(after, "only in "+before+":", "only in \x00:")
				break
			}
		}
		names.Add(reason, name)
	}
	reasons := names.Texts
	for i, reason := range reasons {
		of, others := names.Of[reason], "the others"
		if len(of) == 1 {
			others = of[0]
		}
		reasons[i] = Named(of, 0) + strings.ReplaceAll(reason, "\x00", others)
	}
	return reasons
}

// Untested says why rows are not tested: how many scenes differ, since ties leave fewer than
// there are, and how many it takes. Fewer suffice for some of several comparisons if the
// others have too few to be tested. It returns "" if all are tested.
func (c Comparison) Untested() string {
	differing := make(map[string][]int) // the numbers of differing scenes of rows that are not tested, by scope
	distinct, descriptors := 0, 0
	for _, r := range c.Rows {
		if r.Scope == scope.All {
			descriptors++
		}
		if !r.SameAsAll {
			distinct++
			if !r.Tested {
				differing[r.Scope] = append(differing[r.Scope], r.Wins+r.Losses)
			}
		}
	}
	number := func(in string) string { return spelling.Span(differing[in]...) }
	if differing[scope.All] == nil {
		var parts []string
		for _, in := range slices.Backward(slices.Sorted(maps.Keys(differing))) { // viewpoint first
			parts = append(parts, number(in)+" "+in)
		}
		if parts == nil {
			return ""
		}
		return fmt.Sprintf("too few scenes differ (%[1]s); %[2]d viewpoint and %[2]d illumination scenes are needed to test within categories", strings.Join(parts, ", "), c.ScenesNeeded)
	}
	if slices.Max(differing[scope.All]) == 0 {
		return "no scene differs"
	}
	text := fmt.Sprintf("too few scenes differ (%s); %d are needed", number(scope.All), stats.ScenesNeeded(descriptors))
	if descriptors > 1 {
		text += fmt.Sprintf(" for these %d comparisons (%d for a single one)", descriptors, stats.ScenesNeeded(1))
	}
	if distinct > descriptors {
		text += fmt.Sprintf(", and %[1]d viewpoint and %[1]d illumination scenes to test within categories", c.ScenesNeeded)
	}
	return text
}
