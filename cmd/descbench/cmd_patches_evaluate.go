package main

import (
	"fmt"
	"io"
	"runtime/debug"

	"github.com/spf13/cobra"

	"descbench/eval/patches"
	"descbench/eval/patches/tasks"
	"descbench/pipeline/report"
	"descbench/pipeline/store"
)

type patchesEvaluateOptions struct {
	tasks.Options
	stripSource
	protocol, distance string
	tasks              []string
	csv                string
}

func newPatchesEvaluateCommand(flags *commonFlags) *cobra.Command {
	var opt patchesEvaluateOptions
	cmd := &cobra.Command{
		Use:   "evaluate --descriptors DIR --tasks-dir DIR --split NAME",
		Short: "Run patch verification, image matching and patch retrieval",
		Long: `Evaluate rates one descriptor on the tasks of 2017: verification (is a pair the
same place?), matching (nearest neighbours between images), retrieval
(counterparts of a query among distractors), at three noise levels, over all
sequences of a split and over those of illumination and viewpoint alone.

--tasks-dir holds verif_*_split-NAME.csv, retr_*_split-NAME.csv and
splits/splits.json. --protocol says whose definitions apply: p17 the public
Python code, m17 the MATLAB code of 2017, hb2016 the first edition, grouped
this program's own, in which equal distances count at once. Figures of
different protocols must not be compared.

With --pca-power-law descriptors are whitened by what the split's training
sequences teach and power-law normalised first.
` + exitHelp,
		Example: "  descbench patches evaluate --descriptors descriptors/sift --tasks-dir tasks --split a --protocol p17",
		Args:    exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runPatchesEvaluate(cmd, flags, opt)
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&opt.Descriptors, "descriptors", "", "folder of one descriptor: <sequence>/<image>.csv")
	fs.StringVar(&opt.TasksDir, "tasks-dir", "", "folder of the task files and of splits/splits.json")
	fs.StringVar(&opt.Split, "split", "a", "name of the split")
	fs.StringVar(&opt.protocol, "protocol", string(tasks.Grouped), "whose definitions apply: "+names(tasks.Protocols()))
	fs.StringVar(&opt.distance, "distance", string(patches.L2), "distance of descriptors: "+names(tasks.Distances()))
	fs.BoolVar(&opt.PCAPowerLaw, "pca-power-law", false, "whiten descriptors and take signed square roots first")
	fs.BoolVar(&opt.Packed, "packed", false, "each value of a descriptor holds eight bits")
	fs.StringSliceVar(&opt.tasks, "tasks", nil, "tasks to run: "+names(tasks.Tasks())+" (default all)")
	opt.register(fs)
	fs.StringVar(&opt.csv, "csv", "", "write every figure into this CSV file too")
	return cmd
}

func runPatchesEvaluate(cmd *cobra.Command, flags *commonFlags, opt patchesEvaluateOptions) error {
	folder, done, err := opt.describe(cmd, flags, opt.Descriptors)
	if err != nil {
		return err
	}
	defer done()
	opt.Descriptors = folder
	for _, f := range [][2]string{{"descriptors", opt.Descriptors}, {"tasks-dir", opt.TasksDir}, {"split", opt.Split}} {
		if err := required(f[0], f[1]); err != nil {
			return err
		}
	}
	if opt.Descriptors, err = namedFolder(opt.Descriptors); err != nil {
		return err
	}
	opt.Protocol, opt.Distance = tasks.Protocol(opt.protocol), patches.Distance(opt.distance)
	for _, t := range opt.tasks {
		opt.Options.Tasks = append(opt.Options.Tasks, tasks.Task(t))
	}
	opt.Workers = flags.jobs
	// Descriptors are most of the memory and stay: letting garbage grow to half
	// of them, instead of as much again, costs no time to speak of.
	defer debug.SetGCPercent(debug.SetGCPercent(50))
	result, err := tasks.Evaluate(cmd.Context(), opt.Options)
	if err != nil {
		return err
	}
	if opt.csv != "" {
		if err := store.WriteFile(opt.csv, func(w io.Writer) error { return report.WritePatchTasksCSV(w, result) }); err != nil {
			return err
		}
	}
	out := cmd.OutOrStdout()
	if flags.json {
		return printJSON(out, struct {
			*tasks.Result
			Warnings []patchWarning `json:"warnings"`
		}{result, jsonWarnings(result.Warnings)})
	}
	if err := report.WritePatchTasks(out, result); err != nil {
		return err
	}
	if opt.csv != "" {
		if _, err := fmt.Fprintf(out, "figures: %s\n", opt.csv); err != nil {
			return err
		}
	}
	return printPatchNotes(out, nil, result.Warnings)
}
