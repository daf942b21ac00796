package main

import (
	"cmp"

	"github.com/spf13/cobra"

	"descbench/pipeline/config"
	"descbench/pipeline/fold"
	"descbench/pipeline/plan"
)

type evalOptions struct {
	overwrite bool
	table     resultsChoice
}

func newEvalCommand(flags *commonFlags) *cobra.Command {
	opt := &evalOptions{}
	cmd := &cobra.Command{
		Use:   "eval RUN",
		Short: "Recompute a run's metrics from its records",
		Long: `Eval recomputes the metrics of a finished run from its records, without images,
with other evaluation settings: tolerance (up to 10 px), ties, cut-offs, preset.
Metrics that the records cannot answer are left out and named. It prints the table; it
never changes the run.

With --out DIR it writes the folder DIR, which results, compare, report, classify
and fold take like a run.

--sweep KEY=VALUE,VALUE,... recomputes the metrics for each value of a setting and prints
one table with a row for each value and descriptor. --columns selects metrics: those of
matches, such as matches and mma@3, depend on matcher.ratio, mAP does not.`,
		Example: `  descbench eval runs/demo --set evaluation.tolerance_px=1 --set evaluation.ties=strict
  descbench eval runs/demo --set evaluation.tolerance_px=1 --out runs/demo-1px
  descbench eval runs/demo --set evaluation.preset=workbench
  descbench eval runs/demo --sweep tolerance_px=1,2,3,5,10 --columns map_macro,coverage
  descbench eval runs/demo --sweep matcher.ratio=0.7,0.8,0.9 --columns matches,mma@3`,
		Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return opt.run(cmd, flags, args[0]) },
	}
	f := cmd.Flags()
	flags.addSet(f, "change a value of the run's evaluation section, e.g. tolerance_px=1")
	flags.addOut(f, "folder to write, like that of a run")
	f.BoolVar(&opt.overwrite, "overwrite", false, "replace a folder that eval wrote for this run with other settings")
	f.StringVar(&opt.table.sweep, "sweep", "", "setting to vary and its values, e.g. tolerance_px=1,2,3,5,10")
	opt.table.register(cmd, flags)
	needs(f, []string{"overwrite"}, "out")
	excludes(f, "sweep", "out")
	return cmd
}

func (o *evalOptions) run(cmd *cobra.Command, flags *commonFlags, run string) error {
	stored, sets, names, err := o.changes(cmd, flags, run)
	if err != nil {
		return err
	}
	var runs *fold.Runs
	if flags.out == "" {
		runs, err = stored.Reevaluate(cmd.Context(), sets, names)
	} else {
		runs, err = o.write(cmd, flags, run)
	}
	if runs == nil {
		return err
	}
	return cmp.Or(o.table.printRuns(cmd, runs, false), err)
}

// changes checks the flags with the run, which it opens, and returns the changes of each evaluation
// with its name, of a single one nil.
func (o *evalOptions) changes(cmd *cobra.Command, flags *commonFlags, run string) (stored *fold.Runs, sets [][]string, names []string, err error) {
	labels, _ := config.Labels(flags.set)
	stored, err = fold.Open([]string{run}, labels)
	if err == nil {
		_, err = stored.Named("--only", o.table.only)
	}
	if err != nil {
		return nil, nil, nil, err
	}
	o.table.scoped = cmd.Flags().Changed("scope")
	if _, _, err := fold.Changed(plan.Folder(run), flags.set); err != nil {
		return nil, nil, nil, err
	}
	o.table.scope = stored.ScopeNamed(o.table.scope)
	if err := stored.Runs[0].ReadScope(o.table.scope); err != nil {
		return nil, nil, nil, err
	}
	if o.table.sweep == "" {
		return stored, [][]string{flags.set}, nil, nil
	}
	names, err = fold.Swept(run, o.table.sweep, flags.set)
	for _, change := range names {
		sets = append(sets, append(flags.set[:len(flags.set):len(flags.set)], change))
	}
	return stored, sets, names, err
}

// write evaluates the run in a folder of its own, which it opens.
func (o *evalOptions) write(cmd *cobra.Command, flags *commonFlags, run string) (*fold.Runs, error) {
	outcome, err := fold.ReevaluateTo(cmd.Context(), flags.out, run, flags.set, o.overwrite)
	if outcome == nil {
		return nil, err
	}
	warnOfReplaced(flags, outcome)
	runs, unread := fold.Open([]string{flags.out}, nil)
	return runs, cmp.Or(unread, err)
}
