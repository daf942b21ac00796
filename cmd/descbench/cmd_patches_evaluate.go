package main

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"descbench/eval/patches"
	"descbench/eval/patches/tasks"
	"descbench/pipeline/patchbench"
	"descbench/pipeline/report"
)

type patchesEvaluateOptions struct {
	patchbench.Evaluation
	sourceFlags
	protocol, distance, normalise string
	tasks                         []string
	folders                       []string // of descriptors
}

func newPatchesEvaluateCommand(flags *commonFlags) *cobra.Command {
	var opt patchesEvaluateOptions
	cmd := &cobra.Command{
		Use:   "evaluate --descriptors DIR... --tasks-dir DIR --split NAME",
		Short: "Run patch verification, image matching and patch retrieval",
		Long: `Evaluate rates descriptors on the tasks of 2017: verification (is a pair the
same place?), matching (nearest neighbours between images), retrieval
(counterparts of a query among distractors), at three noise levels, over all
sequences of a split and over those of illumination and viewpoint alone.

--tasks-dir holds verif_*_split-NAME.csv, retr_*_split-NAME.csv and
splits/splits.json. --protocol says whose definitions apply: p17 the public
Python code, m17 the MATLAB code of 2017, hb2016 the first edition, grouped
this program's own, in which equal distances count at once. Figures of
different protocols must not be compared.

With --pca-power-law descriptors are whitened by what the split's training
sequences teach and power-law normalised first, as the Python code does.
--normalise does what the MATLAB code of 2017 does, and takes the names that it
gives to such descriptors: nsplit_c_wzca_ceig0.25_pl0.50_l2n learns from the
training sequences of split c, whitens (wzca or wpca) after raising the least
eigenvalues up to a quarter of the energy, takes square roots, and L2 norm 1.

--database enters the figures, those of single sequences among them, into the
SQLite file that runs share (output.database): an experiment per descriptor,
protocol and distance. --out writes them to a folder: metrics.csv, and
results.sqlite with these descriptors alone. descbench patches compare says
which differences are real, descbench metrics what the figures mean.
` + exitHelp,
		Example: `  descbench patches evaluate --descriptors descriptors/sift --tasks-dir tasks --split a --protocol p17
  descbench patches evaluate --descriptors descriptors/sift --descriptors descriptors/orb --tasks-dir tasks --database results.sqlite`,
		Args: exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runPatchesEvaluate(cmd, flags, opt)
		},
	}
	fs := cmd.Flags()
	fs.StringArrayVar(&opt.folders, "descriptors", nil, "folder of one descriptor: <sequence>/<image>.csv (repeatable)")
	fs.StringVar(&opt.TasksDir, "tasks-dir", "", "folder of the task files and of splits/splits.json")
	fs.StringVar(&opt.Split, "split", "a", "name of the split")
	fs.StringVar(&opt.protocol, "protocol", string(tasks.Grouped), "whose definitions apply: "+names(tasks.Protocols()))
	fs.StringVar(&opt.distance, "distance", string(patches.L2), "distance of descriptors: "+names(tasks.Distances()))
	fs.BoolVar(&opt.PCAPowerLaw, "pca-power-law", false, "whiten descriptors and take signed square roots first")
	fs.StringVar(&opt.normalise, "normalise", "", "normalise descriptors first: any of nsplit_SPLIT_wzca_ceigSHARE_plPOWER_l2n")
	fs.StringSliceVar(&opt.tasks, "tasks", nil, "tasks to run: "+names(tasks.Tasks())+" (default all)")
	opt.sourceFlags.register(flags, fs)
	fs.StringVar(&opt.CSV, "csv", "", "write every figure into this CSV file too")
	registerDatabase(fs, &opt.Database)
	return cmd
}

func runPatchesEvaluate(cmd *cobra.Command, flags *commonFlags, opt patchesEvaluateOptions) error {
	if err := opt.check(flags); err != nil {
		return err
	}
	sources, err := opt.open(flags, opt.folders...)
	if err != nil {
		return err
	}
	for _, s := range sources {
		defer s.Close()
	}
	results, written, err := patchbench.Evaluate(cmd.Context(), sources, opt.Evaluation)
	if err != nil {
		return err
	}
	return printPatchTasks(cmd.OutOrStdout(), flags.json, results, written)
}

// check checks the flags, and takes those that have another type.
func (opt *patchesEvaluateOptions) check(flags *commonFlags) (err error) {
	if err := opt.sourceFlags.check(flags, len(opt.folders) > 0, false); err != nil {
		return err
	}
	if opt.strips == "" && len(opt.folders) == 0 {
		return required("descriptors", "")
	}
	for _, f := range [][2]string{{"tasks-dir", opt.TasksDir}, {"split", opt.Split}} {
		if err := required(f[0], f[1]); err != nil {
			return err
		}
	}
	named := make(map[string]string)
	for _, folder := range opt.folders {
		full, err := patches.NamedFolder(folder)
		if err != nil {
			return err
		}
		name := filepath.Base(full)
		if other, twice := named[name]; twice {
			return usageError{fmt.Errorf("--descriptors: %s and %s are both called %s, want folders of different names", other, folder, name)}
		}
		named[name] = folder
	}
	opt.Protocol, opt.Distance = tasks.Protocol(opt.protocol), patches.Distance(opt.distance)
	for _, t := range opt.tasks {
		opt.Tasks = append(opt.Tasks, tasks.Task(t))
	}
	opt.Workers, opt.Out, opt.Version = flags.jobs, flags.out, version
	if opt.normalise != "" {
		opt.Normalisation, err = tasks.ParseNormalisation(opt.normalise)
	}
	return err
}

// printPatchTasks prints the figures of one descriptor, or of several one after
// the other, in JSON as a list.
func printPatchTasks(out io.Writer, asJSON bool, results []*tasks.Result, written []string) error {
	if asJSON {
		type resultJSON struct {
			*tasks.Result
			Warnings []patchWarning `json:"warnings"`
		}
		all := make([]resultJSON, len(results))
		for i, r := range results {
			all[i] = resultJSON{r, jsonWarnings(r.Warnings)}
		}
		if len(all) == 1 {
			return printJSON(out, all[0])
		}
		return printJSON(out, all)
	}
	for i, r := range results {
		if i > 0 {
			if _, err := fmt.Fprintln(out); err != nil {
				return err
			}
		}
		if err := report.WritePatchTasks(out, r); err != nil {
			return err
		}
		if err := printPatchNotes(out, nil, r.Warnings); err != nil {
			return err
		}
	}
	return printPatchNotes(out, written, nil)
}
