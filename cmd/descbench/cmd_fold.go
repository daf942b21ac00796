package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"github.com/spf13/cobra"

	"descbench/eval/spelling"
	"descbench/pipeline/fold"
	"descbench/pipeline/plan"
)

func newFoldCommand(flags *commonFlags) *cobra.Command {
	var database string
	cmd := &cobra.Command{
		Use:   "fold RUN... [--out DIR] [--database FILE]",
		Short: "Compute the results of a complete run, or of several joined, from their units",
		Long: `Fold reads the units that one or more processes computed (descbench run --shard) and
writes the results to the run folder. It fails if scenes are missing.

Several complete runs of one config over different scenes are joined in the new run folder
that --out names; its results are those of one run over all scenes. Name and paths are
those of the first RUN. Runs that have scenes in common, or differ in settings or software,
are refused. So are runs with a selection over all scenes, or with tasks with distractors.
Rerun the same command to resume an interrupted one.

The run is entered into a database only if --database names it, whatever output.database
in its config says.`,
		Example: `  descbench fold runs/descriptor-variants
  descbench fold monday/variants tuesday/variants --out runs/variants`,
		Args: someArgs("run folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			folder, err := foldedFolder(flags, args)
			if err != nil {
				return err
			}
			outcome, err := fold.Fold(cmd.Context(), folder)
			if database != "" && (errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)) {
				if outcome, err = fold.Stored(cmd.Context(), folder); outcome != nil {
					flags.logger().Info("entering the results that are here, because you may only read this run", "run", string(folder))
				}
			}
			if outcome == nil {
				return err
			}
			err = cmp.Or(outcome.Enter(cmd.Context(), database, flags.logger()), err)
			if named := outcome.Config.Output.Database; named != "" && database == "" {
				flags.logger().Info("not entered into the database that the config names; to do that, add --database " + spelling.Shell(named))
			}
			return cmp.Or(printRun(cmd, flags, outcome), err)
		},
	}
	cmd.Flags().StringVar(&database, "database", "", "also enter the run into this SQLite file")
	registerNotes(cmd.Flags(), &flags.notes)
	flags.addOut(cmd.Flags(), "new run folder, if several runs are joined")
	return cmd
}

// foldedFolder returns the run to fold, which it creates if several are joined.
func foldedFolder(flags *commonFlags, args []string) (plan.Folder, error) {
	var runs []plan.Folder
	for _, run := range args {
		runs = append(runs, plan.Folder(run))
	}
	switch {
	case len(runs) == 1 && flags.out != "":
		return "", usageError{errors.New("--out: want several runs to join, found one")}
	case len(runs) == 1:
		return runs[0], nil
	case flags.out == "":
		return "", usageError{fmt.Errorf("--out is missing, want a new folder for the %d joined runs; fold runs of different configs one by one", len(runs))}
	}
	return plan.Folder(flags.out), plan.Folder(flags.out).Join(runs)
}
