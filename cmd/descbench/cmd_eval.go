package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"descbench/eval/catalogue"
	"descbench/eval/scope"
	"descbench/pipeline/charts"
	"descbench/pipeline/compare"
	"descbench/pipeline/config"
	"descbench/pipeline/fold"
	"descbench/pipeline/plan"
	"descbench/pipeline/report"
	"descbench/pipeline/report/figure"
	"descbench/pipeline/report/table"
	"descbench/pipeline/store"
)

type evalOptions struct {
	overwrite bool
	sweep     string
	metric    string
	scope     string
	figure    string
	table     resultsChoice
}

func newEvalCommand(flags *commonFlags) *cobra.Command {
	opt := &evalOptions{table: wholeResults()}
	cmd := &cobra.Command{
		Use:   "eval RUN",
		Short: "Recompute a run's metrics from its records",
		Long: `Eval recomputes the metrics of a finished run from its records, without images,
with other evaluation settings: tolerance (up to 10 px), ties, cut-offs, preset.
A preset replaces the run's values of the settings it implies. Metrics that the
records cannot answer are left out and named. It prints the table; it never
changes the run.

With --out DIR it writes the folder DIR, which results, compare, report, classify
and fold take like a run. The records in it are links to those of the run, or
copies on another file system.

--sweep KEY=VALUE,VALUE,... prints one metric under several values of a number in
the evaluation section: with --sweep matcher.ratio=0.7,0.8,0.9, --metric matches is how
many matches each value leaves. --figure FILE.svg, .png or .pdf draws it for the 12 best
descriptors, or those of --only, 84 mm wide, and FILE.txt has its caption.
` + exitHelp,
		Example: `  descbench eval runs/demo --set evaluation.tolerance_px=1 --set evaluation.ties=strict
  descbench eval runs/demo --set evaluation.tolerance_px=1 --out runs/demo-1px
  descbench eval runs/demo --set evaluation.preset=workbench
  descbench eval runs/demo --sweep tolerance_px=1,2,3,5,10 --figure tolerance.svg`,
		Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("sweep") {
				return opt.runSweep(cmd, flags, args[0])
			}
			outcome, err := fold.Reevaluation{Run: args[0], Set: flags.set, Out: flags.out, Overwrite: opt.overwrite}.Evaluate(cmd.Context())
			if outcome == nil {
				return err
			}
			if before, unread := store.ReadSummary(plan.Folder(args[0]).Summary()); unread == nil && len(flags.set) > 0 {
				for i, d := range before.Descriptors {
					before.Descriptors[i].Name = outcome.Renamed().Shown(d.Name)
				}
				opt.table.before = &before
			}
			warnOfReplaced(flags, outcome)
			if flags.out != "" {
				if perr := writeReadme(cmd, outcome); perr != nil {
					return perr
				}
			}
			if perr := printOutcome(cmd, opt.table, outcome.Renamed()); perr != nil {
				return perr
			}
			return err
		},
	}
	f := cmd.Flags()
	flags.addSet(f, "change a value of the run's evaluation section, e.g. tolerance_px=1")
	flags.addOut(f, "folder to write, like that of a run")
	f.BoolVar(&opt.overwrite, "overwrite", false, "replace a folder that eval wrote for this run with other settings")
	f.StringVar(&opt.sweep, "sweep", "", "number to vary and its values, e.g. tolerance_px=1,2,3,5,10")
	f.StringVar(&opt.metric, "metric", catalogue.Short(catalogue.MAP), "metric of --sweep, map in a single scene; see descbench metrics")
	f.StringVar(&opt.scope, "scope", "all", "scope of --sweep: all, viewpoint, illumination, k:2, scene:NAME or pair:NAME/1_3")
	f.StringVar(&opt.figure, "figure", "", "file for the graph of --sweep: .svg, .png or .pdf")
	opt.table.tableChoice.register(cmd, flags)
	needs(f, []string{"overwrite"}, "out")
	needs(f, []string{"metric", "scope", "figure"}, "sweep")
	return cmd
}

// matcherParts are the words before the values of settings in the text of a matcher.
var matcherParts = map[string]string{"matcher.ratio": "ratio", "matcher.max_distance": "distance", "matcher.top_k": "top"}

func (o *evalOptions) runSweep(cmd *cobra.Command, flags *commonFlags, run string) error {
	form := &o.table.tableChoice
	labels, changes := config.Labels(flags.set)
	opened, err := form.open(run, labels)
	if err != nil {
		return err
	}
	sweep, err := o.checkedSweep(flags, opened)
	if err != nil {
		return err
	}
	byDefault := !cmd.Flags().Changed("metric") && (strings.HasPrefix(sweep.Scope, "scene:") || strings.HasPrefix(sweep.Scope, "pair:"))
	if byDefault { // a mean over scenes
		sweep.Metric = fold.OfScene[sweep.Metric]
	}
	swept, first, err := fold.Sweep(cmd.Context(), run, changes, sweep)
	var failed *plan.FailedScenesError
	if err != nil && !errors.As(err, &failed) {
		return err
	}
	first.Config.TakeLabels(opened.Config)
	first = first.Renamed()
	for i, r := range swept.Rows {
		swept.Rows[i].Descriptor = first.Shown(r.Descriptor)
	}
	swept.Notes[0] = strings.TrimPrefix(onScenes(first.Within(sweep.Scope), scope.All), "on ") + "; " + strings.Replace(swept.Notes[0], "within tolerance_px", "within the tolerance", 1)
	if byDefault {
		swept.Notes = append(swept.Notes, "metric map, since map_macro is a mean over scenes")
	}
	var all []string
	for _, r := range swept.Rows {
		all = append(all, r.Descriptor)
	}
	if perr := form.checkOnly(all); perr != nil {
		return perr
	}
	swept.Rows = slices.DeleteFunc(swept.Rows, func(r scope.SweepRow) bool { return !form.chosen(r.Descriptor) })
	kept := shown{Outcome: first}
	kept.keep(form.chosen)
	summary := kept.Summary
	scenes := report.FewestScenes(sweep.Scope, summary)
	summary.Warnings = slices.DeleteFunc(summary.Warnings, func(w store.SummaryWarning) bool { return w.Descriptor != "" || w.Kind == store.OtherWindows })
	warnings := func(of *scope.Sweep) []store.SummaryWarning {
		return slices.DeleteFunc(slices.Concat(summary.Warnings, report.SweepWarnings(of)), func(w store.SummaryWarning) bool { return !compare.Concerns(w.Kind, sweep.Metric) })
	}
	// about returns what is behind the descriptors that are shown, their matches, and the warnings.
	about := func(of *scope.Sweep) (legend compare.Legend, matches string, warned []string) {
		legend = compare.NewLegend(first, of.Has)
		matches = legend.Matches(sweep.Metric)
		if part, is := matcherParts[sweep.Key]; is {
			part = fmt.Sprintf(", %s %v", part, sweep.Values[0])
			matches = strings.Replace(matches, part, fmt.Sprintf("%s to %v", part, slices.Max(sweep.Values)), 1)
		}
		warned, _ = report.PaperNotes(warnings(of))
		return legend, matches, warned
	}
	chart := o.sweepChart(swept, scenes, about)
	legend, matches, warned := about(swept)
	swept.Notes = slices.Concat(swept.Notes, legend.Windows(), []string{matches, strings.TrimPrefix(legend.String(), "; ")})
	swept.Notes = slices.DeleteFunc(swept.Notes, func(text string) bool { return text == "" })
	for _, w := range warned {
		if !form.is(table.AsText) && !form.is(table.LaTeX) { // which have the warnings below
			swept.Notes = append(swept.Notes, "Warning: "+w)
		}
	}
	summary.Warnings = warnings(swept)
	t := report.SweepTable(swept, form.is(table.CSV) || form.is(table.JSON), scenes)
	t.Label = fmt.Sprintf("%s %s by %s %s", name(run), catalogue.Short(sweep.Metric), sweep.Key, strings.TrimPrefix(sweep.Scope, scope.All))
	form.noteLeftOut(t, all)
	if perr := form.prepare(t); perr != nil {
		return perr
	}
	// Print only after everything that can fail has succeeded.
	if o.figure != "" {
		if err := chart.WriteOne(o.figure, figure.Column); err != nil {
			return err
		}
	}
	if perr := form.print(cmd, t, form.wrapped(form.concerns(summary, []report.Selected{{Name: sweep.Metric}}))...); perr != nil {
		return perr
	}
	if o.figure != "" && form.is(table.AsText) {
		return cmp.Or(printChart(cmd.OutOrStdout(), "figure", chart), err)
	}
	return err
}

// sweepChart returns the chart of a sweep with at most 12 of its descriptors, unless --only
// names them.
func (o *evalOptions) sweepChart(swept *scope.Sweep, scenes map[string]int, about func(of *scope.Sweep) (legend compare.Legend, matches string, warned []string)) charts.Chart {
	drawn := *swept
	var hidden []string
	if len(swept.Rows) > shownByDefault && len(o.table.only) == 0 {
		mean := func(r scope.SweepRow) float64 {
			sum, n := 0.0, 0.0
			for _, m := range r.Metrics {
				if m != nil {
					sum, n = sum+m.Value, n+1
				}
			}
			if report.Better(swept.Metric) == "lower" {
				n = -n
			}
			return sum / n
		}
		drawn.Rows = charts.Best(swept.Rows, shownByDefault, mean, func(r scope.SweepRow) string { return r.Group })
		for _, r := range swept.Rows {
			if !drawn.Has(r.Descriptor) {
				hidden = append(hidden, r.Descriptor)
			}
		}
	}
	chart := charts.Chart{ID: o.figure, Figure: report.SweepGraph(&drawn)}
	legend, matches, warned := about(&drawn)
	drawn.Notes, chart.Warnings = slices.Concat(drawn.Notes[1:], legend.Windows()), warned
	t := report.SweepTable(&drawn, true, scenes)
	keypoints, setup := legend.Brief()
	shown, without := charts.Shown(len(drawn.Rows), "descriptors", "the best on average on each keypoint set", hidden)
	chart.Setup = table.Sentences(strings.Join(append(table.Texts(t.Notes), shown+without), "; ") + setup)
	text := table.Sentences(strings.Join([]string{t.Caption, report.Meaning(swept.Metric), swept.Notes[0], matches, strings.TrimPrefix(keypoints, "; "), shown}, "; "))
	if intervals, _, _ := t.Shows(); intervals && len(drawn.Rows) <= figure.MostBands {
		text += " Bands: 95 % at each point, cluster bootstrap over scenes" + report.TooNarrow(scenes[scope.All], "scene") + "."
	}
	chart.Title, chart.Caption, _ = strings.Cut(text, ". ")
	return chart
}

func (o *evalOptions) checkedSweep(flags *commonFlags, run *fold.Run) (s scope.Sweep, err error) {
	if flags.out != "" {
		return s, usageError{errors.New("found --sweep and --out, want one of the two; --figure FILE draws a sweep, --format csv > FILE keeps its table; --out takes one value, with --set")}
	}
	if s, err = fold.ParseSweep(o.sweep); err != nil {
		return s, usageError{fmt.Errorf("--sweep: %w", err)}
	}
	if s.Metric, _, err = compare.FindMetric(o.metric, run.Outcome); err != nil {
		return s, usageError{fmt.Errorf("--metric: %w", err)}
	}
	s.Scope = scope.Canonical(o.scope)
	if _, err := run.In(s.Scope); err != nil {
		return s, err
	}
	if o.figure != "" {
		if err := figure.Check(o.figure); err != nil {
			return s, usageError{err}
		}
	}
	return s, nil
}
