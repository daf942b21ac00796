package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"descbench/eval/spelling"
	"descbench/pipeline/leaderboard"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

func newDatabaseForgetCommand(flags *commonFlags) *cobra.Command {
	var run, descriptor string
	var all bool
	cmd := &cobra.Command{
		Use:   "forget DB EXPERIMENT",
		Short: "Remove a run of an experiment from a shared database",
		Long: `Forget removes the run of an experiment from a SQLite file (output.database): of
several, the one that --run names, or --all. descbench database list DB --all --wide lists
them. Run folders stay as they are; descbench fold RUN --database DB enters a run again.
` + exitHelp,
		Example: `  descbench database forget all.sqlite demo
  descbench database forget all.sqlite demo --run 1f3a9c02
  descbench database forget all.sqlite 'patches evaluate a, p17, L2' --descriptor sift`,
		Args: exactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			path, experiment := args[0], args[1]
			rows, err := store.ReadResults(cmd.Context(), path, "")
			if err != nil {
				return plan.Fault(err)
			}
			gone, err := chooseRuns(rows, experiment, run, descriptor, all)
			if err != nil {
				return err
			}
			if err := store.Forget(cmd.Context(), path, gone); err != nil {
				return plan.Fault(err)
			}
			return flags.print(cmd, gone, "%s", forgotten(gone))
		},
	}
	f := cmd.Flags()
	f.StringVar(&run, "run", "", "only the run with this ID; its first digits are enough")
	f.BoolVar(&all, "all", false, "all runs, if there are several")
	f.StringVar(&descriptor, "descriptor", "", "only results of this descriptor on patches")
	return cmd
}

// chooseRuns returns the rows of the runs to remove.
func chooseRuns(rows []store.ResultRow, experiment, run, descriptor string, all bool) ([]store.ResultRow, error) {
	var names, runs, descriptors []string
	var chosen []store.ResultRow
	seen := make(map[string]bool)
	for _, r := range rows {
		names = append(names, r.Experiment)
		if r.Experiment != experiment {
			continue
		}
		runs = append(runs, runName(r))
		if !strings.HasPrefix(r.Identity, run) {
			continue
		}
		if descriptor != "" && r.Kind != store.Patches {
			return nil, usageError{fmt.Errorf("--descriptor %s: %s is a run on sequences, which is removed as a whole", descriptor, experiment)}
		}
		descriptors = append(descriptors, r.Descriptor)
		if descriptor == "" || r.Descriptor == descriptor {
			chosen = append(chosen, r)
			seen[r.Identity] = true
		}
	}
	names, runs, descriptors = distinct(names), distinct(runs), distinct(descriptors)
	switch {
	case runs == nil:
		return nil, usageError{fmt.Errorf("no experiment %q%s, found %s", experiment, spelling.Hint(experiment, names), strings.Join(names, "; "))}
	case descriptors == nil:
		return nil, usageError{fmt.Errorf("--run %s: want one of %s", run, strings.Join(runs, "; "))}
	case chosen == nil:
		return nil, usageError{fmt.Errorf("--descriptor %s: want one of %s", descriptor, strings.Join(descriptors, ", "))}
	case !all && len(seen) > 1:
		return nil, usageError{fmt.Errorf("%s: found several runs: %s; want --run and the first digits of one, or --all", experiment, strings.Join(runs, "; "))}
	}
	return chosen, nil
}

// runName returns the ID, date and folder of a run.
func runName(r store.ResultRow) string {
	name := fmt.Sprintf("%s, %s", leaderboard.RunID(r), r.Finished)
	if r.Folder != "" {
		name += ", of " + r.Folder
	}
	return name
}

// distinct returns the strings without repetitions, in their order.
func distinct(list []string) []string {
	var out []string
	for _, s := range list {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// forgotten returns one line per removed run.
func forgotten(rows []store.ResultRow) (lines string) {
	var descriptors []string
	for i, r := range rows { // those of a run are next to each other
		descriptors = append(descriptors, r.Descriptor)
		if i+1 < len(rows) && rows[i+1].Identity == r.Identity {
			continue
		}
		lines += fmt.Sprintf("removed: %s, run %s (%s)\n", r.Experiment, runName(r), strings.Join(descriptors, ", "))
		descriptors = nil
	}
	return lines
}
