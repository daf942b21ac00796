package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"descbench/eval/spelling"
	"descbench/pipeline/page"
	"descbench/pipeline/plan"
)

func newVerifyCommand(flags *commonFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "verify RUN",
		Short: "Read all files of a run and report those that are damaged or missing",
		Long: `Verify compares the units, the results and the pages of the report of a run with
the checksums that were written with them. Every other command verifies the files
that it reads, and no others.

Checksums find damage. They do not tell who wrote a run, nor that its results follow
from its units: whoever changes a file can write the checksum that fits. 'descbench
fold RUN' recomputes the results from the units and replaces them.
` + exitHelp,
		Example: "  descbench verify runs/demo",
		Args:    exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			good, faults := 0, []string{}
			report := func(_ string, err error) {
				if err == nil {
					good++
					return
				}
				faults = append(faults, err.Error())
				if !flags.json {
					fmt.Fprintln(cmd.OutOrStdout(), printable(err.Error()))
				}
			}
			err := plan.Folder(args[0]).Verify(cmd.Context(), report)
			if err != nil {
				return err
			}
			page.Verify(args[0], report)
			if flags.json {
				err = printJSON(cmd.OutOrStdout(), map[string]any{"good": good, "faults": faults})
			} else {
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s good, %s\n", args[0], spelling.Count(good, "file"), spelling.Count(len(faults), "fault"))
			}
			if err != nil || len(faults) == 0 {
				return err
			}
			return plan.Faultf("%s: %s; descbench run with the config of the run recomputes damaged units, descbench fold the results, descbench report the pages", args[0], spelling.Count(len(faults), "fault"))
		},
	}
}
