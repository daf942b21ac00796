package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"descbench/eval/binary"
	"descbench/eval/fact"
	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/pipeline/charts"
	"descbench/pipeline/compare"
	"descbench/pipeline/fold"
	"descbench/pipeline/notes"
	"descbench/pipeline/plan"
	"descbench/pipeline/report"
	"descbench/pipeline/report/figure"
	"descbench/pipeline/report/table"
)

// writeFiles writes the files of --curves, --figure and --pr-figure, and what to print about them to out.
func (o *classifyOptions) writeFiles(out io.Writer, found classification) error {
	if o.curves != "" {
		owner := make(map[string]string)
		for _, s := range found.Systems {
			path := report.CurveFile(o.curves, s.Name)
			if other, taken := owner[path]; taken {
				return usageError{fmt.Errorf("--curves: %s and %s would both be written to %s", other, s.Name, path)}
			}
			owner[path] = s.Name
		}
		for _, s := range found.Systems {
			path := report.CurveFile(o.curves, s.Name)
			if err := report.WriteCurve(path, s.Curve); err != nil {
				return &plan.DataError{Err: err}
			}
			fmt.Fprintf(out, "curve: %s, %d of %d points\n", path, len(s.Curve), s.Points)
		}
	}
	for _, chart := range o.charts(found) {
		if err := cmp.Or(chart.WriteOne(chart.ID, figure.Column), printChart(out, "figure", chart)); err != nil {
			return err
		}
	}
	return nil
}

// charts returns the charts to draw, whose IDs are their files.
func (o *classifyOptions) charts(found classification) (all []charts.Chart) {
	found.Systems, found.Decisions = slices.Clone(found.Systems), slices.Clone(found.Decisions)
	rule := "chosen by name"
	if len(found.Systems) > charts.MostColoured && len(o.only) == 0 {
		rule = "the best by ROC AUC" + map[bool]string{true: " on each keypoint set"}[found.run != nil]
		group := func(binary.System) string { return "" }
		if found.run != nil {
			keypoints := found.keypoints()
			group = func(s binary.System) string { return keypoints(s.Name) }
		}
		best := charts.Best(found.Systems, charts.MostColoured, func(s binary.System) float64 { return s.Summary.ROCAUC }, group)
		found.show(func(system string) bool {
			return slices.ContainsFunc(best, func(s binary.System) bool { return s.Name == system })
		})
	}
	t := table.New()
	found.caption(o, t)
	shown, without := charts.Shown(len(found.Systems), "systems", rule, found.hidden)
	caption := charts.Caption{table.Sentences(append(append([]string{t.Title}, t.Caption...), shown)...)}
	setup := append(t.Setup, shown+without)
	var warnings []string
	for _, l := range notes.Lines(found.facts()) {
		if l.Text = l.Paper; l.Paper != "" {
			warnings = append(warnings, l.String())
		}
	}
	look := figure.NewLook
	if found.run != nil { // as in the figures of the run
		drawn := make(map[int]*fold.System)
		for _, s := range found.Systems {
			drawn[s.Index] = found.run.Systems[slices.IndexFunc(found.run.Systems, func(in *fold.System) bool { return in.Name == s.Name })]
		}
		looks := charts.Looks(found.run.Systems, slices.Collect(maps.Values(drawn)))
		look = func(system int) figure.Look { return looks[drawn[system]] }
	}
	if o.figure != "" {
		all = append(all, charts.Chart{ID: o.figure, Title: "ROC curve", Caption: caption, Figure: report.ROCPoints(found.Systems, found.Decisions, look), Setup: setup, Warnings: warnings})
	}
	if o.prFigure != "" {
		all = append(all, charts.Chart{ID: o.prFigure, Title: "Precision-recall curve", Caption: caption, Figure: report.PrecisionRecall(found.Systems, look), Setup: append(setup, "Chance is the share of positives"), Warnings: warnings})
	}
	return all
}

// checkNames returns an error if --only has other names than those of what was found.
func (o *classifyOptions) checkNames(c classification) error {
	names := spelling.Words(c.Systems, func(s binary.System) string { return s.Name })
	for _, d := range c.Decisions {
		if len(c.Systems) == 0 {
			names = append(names, d.System)
		}
	}
	apart := spelling.Words(c.LeftOut, func(l fact.Fact) string { return l.Descriptor })
	err := o.findOnly(slices.Concat(names, apart))
	for _, l := range c.LeftOut {
		if slices.Contains(o.only, l.Descriptor) && !slices.ContainsFunc(names, o.chosen) {
			return usageError{fmt.Errorf("--only %s: %s", l.Descriptor, notes.Text(l))}
		}
	}
	return err
}

// printChart names the file of a figure or picture, the ID of its chart, and prints the caption and what
// else a paper should say.
func printChart(out io.Writer, what string, c charts.Chart) error {
	_, err := fmt.Fprintf(out, "%s: %s\n%s\n", what, c.ID, table.Wrap("caption: "+c.Title+". "+c.Caption.String(), table.PageWidth))
	if setup := table.Sentences(c.Setup...); setup != "" {
		fmt.Fprintln(out, table.Wrap("to say in the text: "+setup, table.PageWidth))
	}
	return err
}

// print prints the systems, their decisions and the warnings: in text two tables, in other formats
// that of the decisions of matchers and of --counts, or else that of the systems, which has their
// confusion matrices, too.
func (o *classifyOptions) print(cmd *cobra.Command, c classification) error {
	digits := -1
	if o.is(table.LaTeX) {
		digits = 4
	}
	var keypoints func(descriptor string) string
	var scenes map[string]int
	if c.run != nil {
		keypoints, scenes = c.keypoints(), report.FewestScenes(scope.All, c.run)
	}
	systems, decisions := report.SystemsTable(c.Systems, digits, keypoints, scenes), report.DecisionsTable(c.Decisions)
	chosen := systems
	if len(o.matchers) > 0 || len(c.Systems) == 0 {
		chosen = decisions
	}
	if err := o.prepare(chosen); err != nil {
		return err
	}
	tables := []*table.Table{chosen}
	if o.is(table.AsText) && len(o.columns) == 0 && len(c.Systems) > 0 && len(c.Decisions) > 0 && !(o.wide && chosen == systems) {
		tables = []*table.Table{systems, decisions}
		decisions.Title = "Confusion matrices at " + c.Systems[0].Rule.Words()
	}
	chosen.Tell(append(c.facts(), c.LeftOut...)...)
	c.caption(o, tables[0])
	for i, t := range tables {
		if i > 0 {
			fmt.Fprintln(cmd.OutOrStdout())
		}
		if err := o.tableChoice.print(cmd, t); err != nil {
			return err
		}
	}
	return nil
}

// show leaves the chosen systems, their decisions, and what is said about them.
func (c *classification) show(chosen func(system string) bool) {
	for _, s := range c.Systems {
		if !chosen(s.Name) {
			c.hidden = append(c.hidden, s.Name)
		}
	}
	c.Systems = slices.DeleteFunc(slices.Clone(c.Systems), func(s binary.System) bool { return !chosen(s.Name) })
	c.Decisions = slices.DeleteFunc(slices.Clone(c.Decisions), func(d binary.Decision) bool { return !chosen(d.System) })
	c.LeftOut = slices.DeleteFunc(slices.Clone(c.LeftOut), func(f fact.Fact) bool { return !chosen(f.Descriptor) })
	if c.run != nil {
		run := *c.run
		run.Alone().Keep(slices.DeleteFunc(slices.Clone(run.Systems), func(s *fold.System) bool { return !chosen(s.Name) }))
		c.run = &run
	}
}

// keypoints returns a function that names the keypoints of a system of the run.
func (c classification) keypoints() func(system string) string {
	sets, _ := fold.KeypointSets(c.run.Systems)
	of := make(map[string]string)
	for s, set := range sets {
		of[s.Name] = fmt.Sprint(set)
	}
	return func(system string) string { return of[system] }
}

// facts returns what a reader of systems and decisions must know.
func (c classification) facts() (facts []fact.Fact) {
	add := func(name string, list []fact.Fact) { facts = append(facts, fact.About(name, list)...) }
	if c.run != nil {
		facts = c.run.Alone().About(c.run, append(report.Failures(c.run.Summary), c.ofScenes()...)...)
	}
	for _, s := range c.Systems {
		add(s.Name, s.Summary.Facts)
	}
	for _, d := range c.Decisions {
		of := d.Counts.Facts()
		if c.Systems != nil { // of which the rest is told
			of = fact.Only(of, fact.BelowDiagonal)
		}
		add(d.System, of)
	}
	return facts
}

// classified says which pairs are classified, and which of them are positive.
func (c classification) classified() string {
	pairs, positive := "Each query with its nearest neighbour in image k", "the neighbour"
	own := ""
	if c.pairs == "all" {
		pairs, positive = "Each keypoint of image 1 with each of image k", "the keypoint of image k"
	} else if len(c.Systems) > 1 {
		own = ". Each descriptor has its own nearest neighbours, and so its own positives"
	}
	return fmt.Sprintf("%s is classified, positive if %s is within %g px of the query's projection%s", pairs, positive, c.TolerancePx, own)
}

// caption sets what is classified and by what, and what else a paper should say.
func (c classification) caption(o *classifyOptions, t *table.Table) {
	var names []string
	for _, d := range c.Decisions {
		names = append(names, d.System)
	}
	if len(c.Systems) == 0 {
		t.Title, t.Caption = "Binary decisions of "+spelling.Few(distinct(names), 6), []string{"Given as counts"}
		return
	}
	names = nil
	limits := "distances"
	var positives, samples []int
	for _, s := range c.Systems {
		if names = append(names, s.Name); s.Matches {
			limits = "distances, or 1 - score," // records do not say which
		}
		positives, samples = append(positives, int(s.Summary.Positives)), append(samples, int(s.Summary.Positives+s.Summary.Negatives))
	}
	t.Title = "Binary classification by " + limits
	positive := spelling.Counts(positives, "positive")
	if c.run == nil {
		t.Title += " of " + spelling.Few(names, 6)
		t.Caption = []string{spelling.Counts(samples, "sample") + ", " + positive}
		return
	}
	t.Runs = []string{c.run.Title()}
	for _, word := range slices.Concat(o.matchers, o.only) {
		t.Rest += ", " + word
	}
	cfg := *c.run.Config
	cfg.Evaluation.TolerancePx = c.TolerancePx
	legend := compare.NewLegend(slices.DeleteFunc(slices.Clone(c.run.Systems), func(s *fold.System) bool { return !slices.Contains(names, s.Name) }))
	t.Caption = []string{compare.ScenesBehind(c.run).String(), c.classified() + " (" + positive + ")", fold.Protocol(&cfg)}
	t.Setup = append(fold.Setup(&cfg), legend.Setup()...)
}

// undefinedPoints returns an error if the requested operating point is undefined.
func undefinedPoints(systems []binary.System) error {
	for _, s := range systems {
		if s.At == nil {
			reason := ""
			for _, f := range s.Summary.Facts {
				if f.Kind == fact.SingleClass {
					reason = ": " + notes.Text(f)
				}
			}
			return &plan.DataError{Err: fmt.Errorf("%s: operating point %s is undefined%s", s.Name, s.Rule, reason)}
		}
	}
	return nil
}
