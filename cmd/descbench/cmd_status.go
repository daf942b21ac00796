package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"descbench/pipeline"
	"descbench/pipeline/report"
	"descbench/pipeline/report/table"
)

func newStatusCommand(flags *commonFlags) *cobra.Command {
	var choice tableChoice
	cmd := &cobra.Command{
		Use:     "status RUN",
		Short:   "Show the progress of a run",
		Example: "  descbench status runs/descriptor-variants",
		Args:    exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := choice.checkWhole(cmd, flags); err != nil {
				return err
			}
			status, err := pipeline.ReadStatus(args[0])
			if err != nil {
				return err
			}
			if choice.is(table.JSON) {
				return printJSON(cmd.OutOrStdout(), status)
			}
			var before []string
			if r := status.Reevaluation; r != nil {
				before = append(before, fmt.Sprintf("re-evaluation of %s: %s", r.Run, cmp.Or(strings.Join(r.Changed, "; "), "nothing changed")))
				for _, text := range r.LeftOut {
					before = append(before, "warning: "+text)
				}
			}
			t := statusTable(status)
			if err := choice.prepare(t); err != nil {
				return err
			}
			if err := choice.printRemarks(cmd, before); err != nil {
				return err
			}
			if err := choice.print(cmd.OutOrStdout(), t); err != nil {
				return err
			}
			return choice.printRemarks(cmd, statusLines(status))
		},
	}
	choice.registerFor(cmd.Flags(), "descriptors", statusTable(&pipeline.Status{}))
	return cmd
}

func statusTable(s *pipeline.Status) *table.Table {
	t := table.New(
		table.Titled("descriptor", table.Words, 0), table.Titled("scenes", table.Count, 0), table.Titled("done", table.Count, 0),
		table.Titled("failed", table.Count, 0), table.Titled("missing", table.Count, 0), table.Titled("missing_scenes", table.Words, 0),
	)
	for _, d := range s.Descriptors {
		missing := table.Cell{}
		if len(d.Missing) > 0 {
			missing = table.Text(strings.Join(firstFew(d.Missing), ", "))
		}
		t.Add(
			table.Text(d.Name), table.Integer(s.Scenes), table.Integer(d.Done),
			table.Integer(len(d.Failed)), table.Integer(len(d.Missing)), missing,
		)
	}
	return t
}

// statusLines says what failed, and what to do next.
func statusLines(s *pipeline.Status) []string {
	var lines []string
	open, failed := 0, 0
	for _, d := range s.Descriptors {
		open += len(d.Missing)
		failed += len(d.Failed)
	}
	for _, d := range s.Descriptors {
		for _, scene := range slices.Sorted(maps.Keys(d.Failed)) {
			// A fault of the scene concerns every descriptor.
			if line := "failed: " + report.Reason(scene, d.Failed[scene]); !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
	}
	next := "results are ready: descbench results " + s.Folder
	switch {
	case open > 0:
		next = fmt.Sprintf("%s missing; rerun the same command or the missing shards", counted(open, "unit"))
	case s.Incomplete != "":
		next = s.Incomplete
	case !s.Folded:
		next = "complete but not folded; run: descbench fold " + s.Folder
	case failed > 0 && s.Reevaluation == nil:
		next = fmt.Sprintf("%s failed; rerun the same command to retry", counted(failed, "unit"))
	}
	if s.Folded {
		lines = append(lines, outdatedReport(s.Folder)...)
	}
	return append(lines, next)
}

// shortList returns the number of names and the first few of them.
func shortList(names []string) string {
	if len(names) == 0 {
		return "0"
	}
	return fmt.Sprintf("%d (%s)", len(names), strings.Join(firstFew(names), ", "))
}

// firstFew returns the first few names, with an ellipsis for the others.
func firstFew(names []string) []string {
	const few = 5
	if len(names) <= few {
		return names
	}
	return append(slices.Clone(names[:few]), "…")
}
