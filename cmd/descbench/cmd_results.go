package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"descbench/pipeline/fold"
	"descbench/pipeline/plan"
)

func newResultsCommand(flags *commonFlags) *cobra.Command {
	var choice figureChoice
	var worst worstChoice
	var all bool
	cmd := &cobra.Command{
		Use:   "results RUN...",
		Short: "Print the results of finished runs",
		Long: `Results prints the results table of each run folder. For a SQLite file, such as
the shared output.database, it lists the newest run of each experiment, one table
per protocol and set of scenes; --all lists older runs, too. See also descbench
leaderboard.

--table prints another group of metrics with their intervals, --metrics the named
metrics (see descbench metrics). --scope selects a category, an image number,
a scene or a pair: viewpoint, illumination, k:2, scene:v_wall, pair:v_wall/1_3.
--table patches prints the main metrics of the patch benchmark; descbench patches
--database writes them to a SQLite file.

--worst lists the pairs, scenes or queries where descriptors fail, and with
--against where two descriptors differ most.
` + exitHelp,
		Example: `  descbench results runs/demo runs/descriptor-variants
  descbench results runs/demo --table homography --scope viewpoint
  descbench results runs/demo --metrics mma@3,coverage`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError{errors.New("results: want at least one run folder or SQLite file")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := worst.check(cmd); err != nil {
				return err
			}
			if worst.n > 0 {
				return worst.print(cmd, flags, args)
			}
			if err := choice.check(cmd); err != nil {
				return err
			}
			if choice.any(cmd) {
				return choice.print(cmd.Context(), cmd.OutOrStdout(), flags, args)
			}
			if flags.json && len(args) > 1 {
				return printAllJSON(cmd, args, all)
			}
			for i, path := range args {
				if i > 0 {
					fmt.Fprintln(cmd.OutOrStdout())
				}
				if err := printResults(cmd, flags, path, all); err != nil {
					return err
				}
			}
			return nil
		},
	}
	choice.register(cmd.Flags())
	worst.register(cmd.Flags())
	cmd.Flags().BoolVar(&all, "all", false, "of a SQLite file, also list older runs of an experiment")
	return cmd
}

// printAllJSON prints one list with the results of each argument.
func printAllJSON(cmd *cobra.Command, paths []string, all bool) error {
	var list []json.RawMessage
	for _, path := range paths {
		var one bytes.Buffer
		part := &cobra.Command{}
		part.SetOut(&one)
		part.SetContext(cmd.Context())
		if err := printResults(part, &commonFlags{json: true}, path, all); err != nil {
			return err
		}
		list = append(list, one.Bytes())
	}
	return printJSON(cmd.OutOrStdout(), list)
}

func printResults(cmd *cobra.Command, flags *commonFlags, path string, all bool) error {
	info, err := os.Stat(path)
	if err != nil {
		return &plan.DataError{Err: err}
	}
	if !info.IsDir() {
		return printDatabase(cmd, flags, path, all)
	}
	outcome, err := fold.Read(path)
	if err != nil {
		return err
	}
	return printOutcome(cmd.OutOrStdout(), flags, outcome)
}
