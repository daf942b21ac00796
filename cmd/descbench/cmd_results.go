package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"descbench/eval/catalogue"
	"descbench/eval/fact"
	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/pipeline/compare"
	"descbench/pipeline/fold"
	"descbench/pipeline/matchview"
	"descbench/pipeline/plan"
	"descbench/pipeline/report"
)

func newResultsCommand(flags *commonFlags) *cobra.Command {
	var choice resultsChoice
	worst, best, of := 0, "", ""
	cmd := &cobra.Command{
		Use:   "results RUN...",
		Short: "Print the results of finished runs",
		Long: `Results prints the results table of a run folder. The descriptors of several runs are ranked
by map_macro, best first, in a table per protocol and set of scenes; with --table, --columns
or --format csv, they are in one table.

--table prints another group of metrics, that of time of one run, --columns
the named ones (see descbench metrics; also scenes and time). --scope selects a category,
an image number, a scene or a pair: viewpoint, illumination, k:2, scene:v_wall,
pair:v_wall/1_3.

* marks the best value among descriptors of the same keypoints. Text is at most 100
characters wide: columns of the main table that do not fit are left out (--wide shows
them). latex does the same, and needs the package booktabs and, for wide tables, graphicx.
markdown, csv and json have all columns; csv and json have all digits.

--worst lists the pairs with the lowest mAP or, of images with cameras, with the largest
errors of their pose. --sort METRIC ranks them by another metric, such as mma@3 or
ransac_homography_auc@3.

--published prints the published rows of the run's preset (evaluation.preset) with the
descriptors of the run among them; without a preset, those of DescriptorWorkbench.

--best-of METRIC prints the best setting of each method: descriptors that differ only in
the matcher are settings of one method, and so are all estimators for a metric without one,
such as homography_auc@K or pose_auc@K. The best of many settings, chosen on the scenes that
it is evaluated on, is optimistic; in the next column, each scene, or group of scenes, is
measured with the setting that is the best one in all others.

--table sets prints one metric (--columns METRIC, by default that of compare) with a row for
each descriptor and a column for each keypoint set.

--records prints the records behind all metrics, those of queries or of pairs, as CSV.

--only takes a descriptor of every run by its name, of one by RUN:NAME, methods, and
patterns such as 'sift*'.`,
		Example: `  descbench results runs/demo runs/descriptor-variants
  descbench results runs/demo --table homography --scope viewpoint
  descbench results runs/demo --table time
  descbench results runs/demo --best-of homography_auc@3
  descbench results runs/demo --worst 5 --sort mma@3
  descbench results runs/demo --columns map_macro,hit@1,mma@3 --sort map_macro
  descbench results runs/demo --format latex --only sift,rootsift > table.tex`,
		Args: someArgs("run folder"),
		RunE: ofReadable(func(cmd *cobra.Command, args []string, given int) error {
			if err := flags.onlyLabels(); err != nil {
				return err
			}
			runs, err := fold.Open(args, flags.set)
			if err != nil {
				return err
			}
			if err := compare.Warn(runs.Runs); err != nil {
				return err
			}
			choice.scoped = cmd.Flags().Changed("scope")
			choice.scope = runs.ScopeNamed(choice.scope)
			switch {
			case given > 1 && best != "":
				return wantOneRun("--best-of", given)
			case given > 1 && choice.table == report.TimesName:
				return wantOneRun("--table "+choice.table, given)
			case best != "":
				return choice.printBest(cmd, best, runs)
			case worst > 0:
				return choice.printWorst(cmd, worst, runs)
			case choice.scoped && choice.table == report.TimesName:
				return usageError{fmt.Errorf("found --table %s and --scope, want one of the two", choice.table)}
			case of != "":
				return choice.printRecords(cmd, of, runs)
			case choice.table != "" && choice.table != report.SetsName && len(choice.columns) > 0:
				return usageError{fmt.Errorf("--columns goes with --table %s only, whose metric it names", report.SetsName)}
			case choice.table == report.SetsName && choice.sort != "":
				return usageError{fmt.Errorf("--sort does not go with --table %s, whose rows are descriptors in their order", report.SetsName)}
			case choice.table == report.TimesName:
				return choice.printTimes(cmd, runs)
			}
			return choice.printRuns(cmd, runs, given > 1)
		}),
	}
	choice.register(cmd, flags)
	cmd.Flags().StringVar(&choice.table, "table", "", "table to print: "+strings.Join(report.TableNames(), ", "))
	allows(cmd.Flags(), "table", report.TableNames()...)
	flags.addLabels(cmd.Flags())
	cmd.Flags().BoolVar(&choice.published, "published", false, "the published rows of the run's preset (evaluation.preset), and the run among them")
	excludes(cmd.Flags(), "published", "table", "worst", "best-of")
	cmd.Flags().IntVar(&worst, "worst", 0, "list this many pairs where descriptors fail")
	limits(cmd.Flags(), "worst", 1, 0)
	cmd.Flags().StringVar(&best, "best-of", "", "the best setting of each method by this metric, e.g. mma@3 or homography_auc@3, and its value if each scene is left out of the choice")
	cmd.Flags().StringVar(&of, "records", "", "print the records of queries or pairs as CSV; docs/columns.md explains the columns")
	allows(cmd.Flags(), "records", "queries", "pairs")
	excludes(cmd.Flags(), "records", "table", "columns", "sort", "scope", "published", "worst", "best-of", "format", "json")
	excludes(cmd.Flags(), "worst", "table")
	excludes(cmd.Flags(), "best-of", "table", "scope", "worst")
	return cmd
}

// wantOneRun returns the error about a flag for a single run.
func wantOneRun(flag string, found int) error {
	return usageError{fmt.Errorf("%s: found %d runs, want one", flag, found)}
}

// printRuns prints the results of runs: of one with all there is to say, of several in a table per
// protocol and set of scenes, best first, or the requested columns of all in one table, as for
// papers and programs. several says that there was more than one, also if only one of them can be
// read.
func (c *resultsChoice) printRuns(cmd *cobra.Command, open *fold.Runs, several bool) error {
	together := c.selects() || several && !c.published
	failures := make(map[*fold.Run]error) // of runs of which no scene has results
	for _, run := range open.Runs {
		if err := run.Compute(append(c.columns, c.sort)...); err != nil {
			return err
		}
		run.ReadTimings()
		_ = run.ReadDigests() // of a run without records, sets of other names differ
		failures[run] = run.Failure()
		if *run = *run.Within(c.scope); together || c.sort != "" || c.scope != scope.All {
			if err := run.ReadScope(c.scope); err != nil {
				return err
			}
		}
	}
	if err := c.restrict(open, together && !c.forPrograms()); err != nil {
		return err
	}
	var failed error
	for _, run := range open.Runs {
		failed = cmp.Or(failed, failures[run])
	}
	if together {
		c.ranked = !c.selects() && !c.forPrograms()
		for i, like := range c.tablesOf(open) {
			if i > 0 {
				fmt.Fprintln(cmd.OutOrStdout())
			}
			if err := c.printTable(cmd, like, nil, c.common); err != nil {
				return err
			}
		}
		return failed
	}
	if c.published {
		return cmp.Or(c.printPublished(cmd, open), failed)
	}
	return cmp.Or(c.printOne(cmd, open.Runs[0]), failed)
}

// tablesOf returns the runs of each table: all, or ranked those of one protocol and set of scenes.
func (c *resultsChoice) tablesOf(open *fold.Runs) (tables []*fold.Runs) {
	if !c.ranked {
		return []*fold.Runs{open}
	}
	for _, run := range open.Runs {
		i := slices.IndexFunc(tables, func(like *fold.Runs) bool {
			return fold.SameProtocol(like.Runs[0].Config, run.Config) && compare.SameScenes(like.Runs[0], run)
		})
		if i < 0 {
			i, tables = len(tables), append(tables, &fold.Runs{})
		}
		tables[i].Runs, tables[i].Systems = append(tables[i].Runs, run), append(tables[i].Systems, run.Systems...)
	}
	return tables
}

// printRecords prints the records of runs, of queries or pairs, as one CSV.
func (c *resultsChoice) printRecords(cmd *cobra.Command, of string, runs *fold.Runs) error {
	if err := c.keepOnly(runs); err != nil {
		return err
	}
	for i, run := range runs.Runs {
		if err := run.WriteRecords(cmd.OutOrStdout(), of, i == 0); err != nil {
			return err
		}
	}
	return nil
}

// printTimes prints where the time of a run went.
func (c *resultsChoice) printTimes(cmd *cobra.Command, runs *fold.Runs) error {
	if err := c.keepOnly(runs); err != nil {
		return err
	}
	run := runs.Runs[0]
	if run.ReadTimings(); len(run.Timings) == 0 {
		return plan.Faultf("%s: no times, which its folder times holds; copy that folder as well, or run the config again", run.Folder)
	}
	t := report.TimesTable(run)
	t.Title, t.Runs, t.Caption = "Time", []string{run.Title()}, []string{compare.ScenesBehind(run).String(), "Stages in µs per keypoint"}
	return c.showKept(cmd, t)
}

// printWorst prints a list of the pairs where descriptors fail.
func (c *resultsChoice) printWorst(cmd *cobra.Command, n int, open *fold.Runs) (err error) {
	if err := c.keepOnly(open); err != nil {
		return err
	}
	var by *catalogue.Metric
	if c.sort != "" {
		if by, err = compare.MetricOf("--sort", c.sort, open); err != nil {
			return err
		}
		c.sort = "" // worst first
	}
	t, err := matchview.Worst(open.Systems, c.scope, by, n)
	if err != nil {
		return err
	}
	for _, run := range open.Runs {
		summary := run.Within(c.scope).Summary
		facts := append(report.Failures(summary), compare.Concerned(summary, cmp.Or(by, catalogue.Of(catalogue.MAP)))...)
		t.Tell(slices.DeleteFunc(open.About(run, facts...), func(f fact.Fact) bool { return f.Descriptor != "" && !slices.Contains(t.RowNames(), f.Descriptor) })...)
	}
	t.Runs = spelling.Words(open.Runs, (*fold.Run).Title)
	return c.showKept(cmd, t)
}
