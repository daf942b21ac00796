package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"descbench/eval/binary"
	"descbench/eval/fact"
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
	shown := ""
	if len(found.Systems) > charts.MostColoured && len(o.only) == 0 {
		name := func(s binary.System) string { return s.Name }
		area := func(s binary.System) float64 { return s.Summary.ROCAUC }
		rule, set := "the best by ROC AUC", func(binary.System) int { return 0 }
		if run := found.run; run != nil {
			sets, _ := fold.KeypointSets(run.Systems)
			rule, set = rule+" on each keypoint set", func(s binary.System) int { return sets[run.Systems[s.Index]] }
		}
		best := spelling.Words(charts.Best(found.Systems, charts.MostColoured, area, set), name)
		isBest := func(system string) bool { return slices.Contains(best, system) }
		hidden := slices.DeleteFunc(spelling.Words(found.Systems, name), isBest)
		found.keep(isBest)
		shown = charts.Shown(len(best), "systems", rule, hidden)
	}
	look := figure.NewLook
	if found.run != nil { // as in the figures of the run
		var drawn []*fold.System
		for _, s := range found.Systems {
			drawn = append(drawn, found.run.Systems[s.Index])
		}
		looks := charts.Looks(found.run.Systems, drawn)
		look = func(system int) figure.Look { return looks[found.run.Systems[system]] }
	}
	t := table.New()
	found.caption(o, t)
	caption := table.Sentences(slices.Concat([]string{t.Title}, t.Caption, []string{shown})...)
	chart := charts.Chart{Caption: charts.Caption{caption}, Setup: t.Setup, Warnings: notes.Papers(found.facts())}
	if o.figure != "" {
		chart.ID, chart.Title = o.figure, "ROC curve"
		chart.Figure = report.ROCPoints(found.Systems, found.Decisions, look)
		all = append(all, chart)
	}
	if o.prFigure != "" {
		chart.ID, chart.Title = o.prFigure, "Precision-recall curve"
		chart.Figure = report.PrecisionRecall(found.Systems, look)
		chart.Setup = append(slices.Clip(t.Setup), "Chance is the share of positives")
		all = append(all, chart)
	}
	return all
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
	systems, decisions := report.SystemsTable(c.Systems, digits, c.run), report.DecisionsTable(c.Decisions)
	chosen := systems
	if len(o.matchers) > 0 || len(c.Systems) == 0 {
		chosen = decisions
	}
	if err := o.arrange(chosen); err != nil {
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

// keep leaves the chosen systems and their decisions.
func (c *classification) keep(chosen func(system string) bool) {
	c.Systems = slices.DeleteFunc(slices.Clone(c.Systems), func(s binary.System) bool { return !chosen(s.Name) })
	c.Decisions = slices.DeleteFunc(slices.Clone(c.Decisions), func(d binary.Decision) bool { return !chosen(d.System) })
}

// facts returns what a reader of systems and decisions must know.
func (c classification) facts() (facts []fact.Fact) {
	if c.run != nil {
		ofScenes := fact.Only(c.run.Summary.Warnings, fact.TrustedScene, fact.CopiedScene, fact.CopiedKeypoints)
		facts = c.run.Alone().About(c.run, append(report.Failures(c.run.Summary), ofScenes...)...)
	}
	for _, s := range c.Systems {
		facts = append(facts, fact.About(s.Name, s.Summary.Facts)...)
	}
	for _, d := range c.Decisions {
		ofCounts := d.Counts.Facts()
		if c.Systems != nil { // which tell the rest
			ofCounts = fact.Only(ofCounts, fact.BelowDiagonal)
		}
		facts = append(facts, fact.About(d.System, ofCounts)...)
	}
	return facts
}

// classified says which pairs are classified, and which of them are positive.
func (c classification) classified(o *classifyOptions) string {
	pairs, positive := "Each query with its nearest neighbour in image k", "the neighbour"
	own := ""
	if o.pairs == "all" {
		pairs, positive = "Each keypoint of image 1 with each of image k", "the keypoint of image k"
	} else if len(c.Systems) > 1 {
		own = ". Each descriptor has its own nearest neighbours, and so its own positives"
	}
	return fmt.Sprintf("%s is classified, positive if %s is within %g px of the query's projection%s", pairs, positive, c.run.Config.Evaluation.TolerancePx, own)
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
	t.Runs, t.Of = []string{c.run.Title()}, o.matchers
	legend := compare.NewLegend(slices.DeleteFunc(slices.Clone(c.run.Systems), func(s *fold.System) bool { return !slices.Contains(names, s.Name) }))
	t.Caption = []string{compare.ScenesBehind(c.run).String(), c.classified(o) + " (" + positive + ")", fold.Protocol(c.run.Config)}
	t.Setup = append(fold.Setup(c.run.Config), legend.Setup()...)
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
