package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"descbench/eval/fact"
	"descbench/eval/spelling"
	"descbench/pipeline/fold"
	"descbench/pipeline/page"
	"descbench/pipeline/plan"
	"descbench/pipeline/report/table"
	"descbench/pipeline/store"
)

func newVerifyCommand(flags *commonFlags) *cobra.Command {
	var recompute bool
	cmd := &cobra.Command{
		Use:   "verify RUN...",
		Short: "Read all files of runs and report those that are damaged or missing",
		Long: `Verify compares the units, the results and the pages of the report of a run with the
checksums that were written with them. Every other command verifies the files that it
reads, and no others.

Checksums find damage. They do not tell who wrote a run, nor that its results follow
from its units: whoever changes a file can write the checksum that fits. Without units,
verify computes the results from queries.parquet and pairs.parquet instead. --recompute
computes the results from the units again, in a temporary folder, and reports those
that differ. It does not recompute units; for that, repeat the run elsewhere with its
config.`,
		Example: "  descbench verify runs/demo\n  descbench verify runs/demo --recompute",
		Args:    someArgs("run folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			found := table.New(slices.Concat(wordColumns("run"), countColumns("good", "faults"), wordColumns("recomputed_equal"))...)
			var faults []error
			for _, run := range args {
				faults = append(faults, verifyRun(cmd, run, recompute, flags.json, found))
			}
			if flags.json {
				faults = append(faults, found.Write(cmd.OutOrStdout(), table.JSON, 0))
			}
			return errors.Join(faults...)
		},
	}
	cmd.Flags().BoolVar(&recompute, "recompute", false, "also compute the results from the units again and compare")
	return cmd
}

// verifyRun verifies a run and adds what it found to a table, for JSON, or prints it. The error
// says, too, that there are faults.
func verifyRun(cmd *cobra.Command, run string, recompute, json bool, found *table.Table) error {
	f := plan.Folder(run)
	good, faults := 0, []string{}
	report := func(_ string, err error) {
		if err == nil {
			good++
			return
		}
		faults = append(faults, err.Error())
		found.Notes = append(found.Notes, table.Note{Fact: fact.Fact{Kind: "fault", Part: run}, Text: err.Error()})
		if !json {
			fmt.Fprintln(cmd.OutOrStdout(), printable(err.Error()))
		}
	}
	err := f.Verify(cmd.Context(), report)
	without := errors.Is(err, plan.ErrWithoutUnits) && !recompute
	if err != nil && !without {
		return err
	}
	if _, err := fold.Open([]string{run}, nil); err != nil && !plan.Missing(f.Sums()) && !errors.Is(err, store.ErrDamaged) {
		report(f.Config(), err) // of another protocol than summary.json
	}
	page.Verify(run, report)
	var equal []string
	if recompute || without {
		if equal, err = fold.Recompute(cmd.Context(), f, report); err != nil {
			return err
		}
	}
	addRow(found, run, good, len(faults), strings.Join(equal, ", "))
	if !json {
		there, contents := "", "contents not recomputed"
		if !recompute {
			contents += " (--recompute)"
		}
		if without {
			there = " in the files that are there"
			contents = "without units, nothing shows that the records follow from this config: ask for the folder with its units"
		}
		if equal != nil {
			source, not := "the units", "units, times, pages"
			if without {
				source, not = "queries.parquet and pairs.parquet", "tasks with distractors, warnings about images, reasons of failed scenes, times, pages\n"+contents
			}
			contents = "recomputed from " + source + ", equal: " + cmp.Or(strings.Join(equal, ", "), "none") + "\nnot recomputed: " + not
		}
		if !without && f.WithoutTimes() {
			contents += "; shared without times, on which no metric depends"
		}
		if summary, err := store.ReadSummary(f.Summary()); err == nil && len(summary.FailedScenes) > 0 {
			contents = fmt.Sprintf("%d of %s; failed: %s\n", summary.ScenesEvaluated, spelling.Count(summary.ScenesRequested, "scene"), spelling.Few(slices.Sorted(maps.Keys(summary.FailedScenes)), 6)) + contents
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%s: %s%s; the checksums of %s match\n%s\n", run, spelling.Count(len(faults), "fault"), there, spelling.Count(good, "file"), contents)
	}
	if len(faults) == 0 {
		return nil
	}
	return plan.Faultf("%s: %s; ask for a received folder again; in a run of your own, descbench run mends units and results, descbench fold results, descbench report pages", run, spelling.Count(len(faults), "fault"))
}
