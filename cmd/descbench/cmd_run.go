package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"descbench/eval/spelling"
	"descbench/pipeline"
	"descbench/pipeline/config"
	"descbench/pipeline/fold"
	"descbench/pipeline/plan"
)

type runOptions struct {
	shard     string
	wait      bool
	overwrite bool
}

func newRunCommand(flags *commonFlags) *cobra.Command {
	var opts runOptions
	cmd := &cobra.Command{
		Use:   "run CONFIG",
		Short: "Run an experiment from a config file",
		Long: `Run computes the missing units of the experiment, writes the results to
<output.root>/<experiment name>/ and prints the results table. The CONFIG "-" is read from
standard input, as if it were in the current folder.

Rerun the same command to resume an interrupted run. With --shard i/n it computes
only part i of n of the scenes; run 'descbench fold' for the results when all
parts are done.

A selection over all scenes (top.total) and the tasks with distractors need every
scene. A shard that reaches them first fails and must be rerun. With --wait it
computes what it needs from the scenes of other shards instead, and waits for the
scenes that other processes are computing.`,
		Example: `  descbench run configs/demo.yaml
  descbench run configs/sift_baseline.yaml --data ~/hpatches-sequences-release --out /tmp/runs
  descbench run configs/every_metric.yaml --shard 2/8 --wait`,
		Args:        exactArgs(1),
		Annotations: resumes,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runRun(cmd, flags, opts, args[0])
		},
	}
	cmd.Flags().StringVar(&opts.shard, "shard", "", "compute part i of n (i/n, from 1), auto (i and n from Slurm) or auto/n (i from Kubernetes)")
	cmd.Flags().BoolVar(&opts.wait, "wait", false, "with --shard: wait for what the shard needs from other shards, or compute it")
	cmd.Flags().BoolVar(&opts.overwrite, "overwrite", false, "replace a run folder created with a different config, data set or OpenCV; it stays as .NAME.replaced until there are new results")
	needs(cmd.Flags(), []string{"wait"}, "shard")
	registerNotes(cmd.Flags(), &flags.notes)
	flags.addConfig(cmd.Flags())
	flags.addOutputRoot(cmd.Flags())
	flags.addCache(cmd.Flags())
	flags.addJobs(cmd.Flags())
	return cmd
}

func runRun(cmd *cobra.Command, flags *commonFlags, opts runOptions, path string) error {
	ctx := cmd.Context()
	var shard plan.Shard
	if opts.shard != "" {
		var err error
		if shard, err = plan.ParseShard(opts.shard, os.Getenv); err != nil {
			return usageError{err}
		}
	}
	if opts.overwrite && !shard.Whole() {
		return usageError{errors.New("--overwrite with --shard would replace the work of the other shards; move the run folder away first, then run all shards without it, or with --set experiment.name=NEW")}
	}
	cfg, err := loadConfig(flags, path)
	if err != nil {
		return err
	}
	folder := filepath.Join(cfg.Output.Root, cfg.Experiment.Name)
	if of := filepath.Dir(path); filepath.Base(path) == filepath.Base(plan.Folder(of).Config()) && plan.Folder(of).IsRun() && !fold.SameFolder(of, folder) && !cmd.Flags().Changed("out") {
		if own, err := config.Load(path, config.Overrides{}); err == nil && folder == filepath.Join(own.Output.Root, own.Experiment.Name) {
			return usageError{fmt.Errorf("%s is the config of %s: its folder was moved, renamed or copied; to repeat it, use --out NEW --cache NEW/cache; to complete this one, name it %s and use --out with its parent; to run in the other one, use --out %s",
				path, folder, own.Experiment.Name, spelling.Shell(own.Output.Root))}
		}
	}
	bar := newProgress(flags)
	if shard.Whole() {
		bar.then = ", now computing the results"
	}
	options := flags.options()
	options.Shard, options.Wait, options.Overwrite = shard, opts.wait, opts.overwrite
	options.Progress, options.Log = bar.show, flags.loggerTo(bar)
	outcome, err := pipeline.Run(ctx, cfg, options)
	bar.end()
	if outcome != nil && outcome.Share.Digests != "" && !flags.quiet {
		flags.logger().Info("keeping digests of scenes used for the first time; later runs refuse files that have changed", "folder", outcome.Share.Digests)
	}
	if hint := plan.Folder(folder).ReplacedHint(); err != nil && hint != "" {
		flags.logger().Info("not finished" + hint)
	}
	var failed *plan.FailedScenesError
	switch {
	case errors.Is(err, context.Canceled):
		if outcome != nil && bar.total > 0 {
			fmt.Fprintf(os.Stderr, "%d of %s done and saved\n", bar.done, spelling.Count(bar.total, "unit"))
		}
		return err
	case err != nil && !errors.As(err, &failed) && (outcome == nil || outcome.Summary == nil):
		return err
	case outcome.Summary == nil:
		return cmp.Or(flags.print(cmd, map[string]any{
			"shard": shard.String(), "folder": outcome.Folder,
			"units_computed": outcome.Share.Units, "units_there": outcome.Share.Resumed, "units_failed": outcome.Share.Failed,
		}, "shard %s: %d units computed, %d reused, %d failed\nwhen all shards are done, run: %s\n",
			shard, outcome.Share.Units, outcome.Share.Resumed, outcome.Share.Failed, fold.Command(outcome.Folder, cfg.Output.Database)), err)
	}
	return cmp.Or(printRun(cmd, flags, outcome), err)
}
