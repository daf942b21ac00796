package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"descbench/pipeline"
	"descbench/pipeline/report"
)

func newStatusCommand(flags *commonFlags) *cobra.Command {
	return &cobra.Command{
		Use:     "status RUN",
		Short:   "Show the progress of a run",
		Example: "  descbench status runs/descriptor-variants",
		Args:    exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			status, err := pipeline.ReadStatus(args[0])
			if err != nil {
				return err
			}
			if flags.json {
				return printJSON(cmd.OutOrStdout(), status)
			}
			return printStatus(cmd.OutOrStdout(), status)
		},
	}
}

func printStatus(out io.Writer, s *pipeline.Status) error {
	if r := s.Reevaluation; r != nil {
		fmt.Fprintf(out, "re-evaluation of %s: %s\n", r.Run, cmp.Or(strings.Join(r.Changed, "; "), "nothing changed"))
		for _, text := range r.LeftOut {
			fmt.Fprintf(out, "warning: %s\n", text)
		}
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "descriptor\tdone\tfailed\tmissing\t")
	open, failed := 0, 0
	for _, d := range s.Descriptors {
		fmt.Fprintf(w, "%s\t%d of %d\t%d\t%s\t\n", d.Name, d.Done, s.Scenes, len(d.Failed), shortList(d.Missing))
		open += len(d.Missing)
		failed += len(d.Failed)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	told := make(map[string]bool)
	for _, d := range s.Descriptors {
		for _, scene := range slices.Sorted(maps.Keys(d.Failed)) {
			// A fault of the scene concerns every descriptor.
			line := fmt.Sprintf("failed: %s\n", report.Reason(scene, d.Failed[scene]))
			if !told[line] {
				told[line] = true
				fmt.Fprint(out, line)
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
		for _, line := range outdatedReport(s.Folder) {
			fmt.Fprintln(out, line)
		}
	}
	_, err := fmt.Fprintln(out, next)
	return err
}

// shortList returns the number of names and the first few of them.
func shortList(names []string) string {
	const few = 5
	if len(names) == 0 {
		return "0"
	}
	if len(names) <= few {
		return fmt.Sprintf("%d (%s)", len(names), strings.Join(names, ", "))
	}
	return fmt.Sprintf("%d (%s, …)", len(names), strings.Join(names[:few], ", "))
}
