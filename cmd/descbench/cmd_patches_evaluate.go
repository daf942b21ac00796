package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"

	"github.com/spf13/cobra"

	"descbench/eval/patches"
	"descbench/eval/patches/tasks"
	"descbench/pipeline/patchbench"
	"descbench/pipeline/report"
	"descbench/pipeline/store"
)

type patchesEvaluateOptions struct {
	tasks.Options
	stripSource
	protocol, distance string
	tasks              []string
	normalise          string
	folders            []string // of descriptors
	csv                string
	database           patchDatabase
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
	fs.BoolVar(&opt.Packed, "packed", false, "each value of a descriptor holds eight bits")
	fs.StringSliceVar(&opt.tasks, "tasks", nil, "tasks to run: "+names(tasks.Tasks())+" (default all)")
	opt.register(fs)
	fs.StringVar(&opt.csv, "csv", "", "write every figure into this CSV file too")
	opt.database.register(fs)
	return cmd
}

func runPatchesEvaluate(cmd *cobra.Command, flags *commonFlags, opt patchesEvaluateOptions) error {
	done, err := opt.prepare(cmd, flags)
	if err != nil {
		return err
	}
	defer done()
	// Descriptors are most of the memory and stay: letting garbage grow to half
	// of them, instead of as much again, costs no time to speak of.
	defer debug.SetGCPercent(debug.SetGCPercent(50))
	var results []*tasks.Result
	var kept []patchbench.Result
	for _, folder := range opt.folders {
		opt.Descriptors = folder
		result, keep, err := evaluatePatches(cmd.Context(), opt.Options, opt.database.path != "" || flags.out != "")
		if err != nil {
			return err
		}
		results, kept = append(results, result), append(kept, keep)
	}
	written, err := opt.write(cmd.Context(), flags.out, results, kept)
	if err != nil {
		return err
	}
	return printPatchTasks(cmd.OutOrStdout(), flags.json, results, written)
}

// prepare checks the flags and has strips described. The caller calls done in
// the end.
func (opt *patchesEvaluateOptions) prepare(cmd *cobra.Command, flags *commonFlags) (done func(), err error) {
	first := ""
	if len(opt.folders) > 0 {
		first = opt.folders[0]
	}
	described, done, err := opt.describe(cmd, flags, first, false)
	if err != nil {
		return done, err
	}
	defer func() {
		if err != nil {
			done()
		}
	}()
	if opt.strips != "" {
		opt.folders, first = []string{described}, described
	}
	for _, f := range [][2]string{{"descriptors", first}, {"tasks-dir", opt.TasksDir}, {"split", opt.Split}} {
		if err := required(f[0], f[1]); err != nil {
			return done, err
		}
	}
	named := make(map[string]string)
	for i, folder := range opt.folders {
		if opt.folders[i], err = namedFolder(folder); err != nil {
			return done, err
		}
		name := filepath.Base(opt.folders[i])
		if other, twice := named[name]; twice {
			return done, usageError{fmt.Errorf("--descriptors: %s and %s are both called %s, want folders of different names", other, folder, name)}
		}
		named[name] = folder
		if _, err := os.Stat(opt.folders[i]); err != nil { // before the others are evaluated
			return done, err
		}
	}
	opt.Protocol, opt.Distance = tasks.Protocol(opt.protocol), patches.Distance(opt.distance)
	for _, t := range opt.tasks {
		opt.Options.Tasks = append(opt.Options.Tasks, tasks.Task(t))
	}
	opt.Workers = flags.jobs
	if opt.normalise != "" {
		opt.Normalisation, err = tasks.ParseNormalisation(opt.normalise)
	}
	return done, err
}

// evaluatePatches evaluates one descriptor. What it returns to keep, if asked
// for, also says what the figures stand on.
func evaluatePatches(ctx context.Context, opt tasks.Options, keep bool) (*tasks.Result, patchbench.Result, error) {
	in, err := tasks.Read(ctx, opt)
	if err != nil {
		return nil, patchbench.Result{}, err
	}
	result, err := in.Evaluate(ctx, opt)
	if err != nil || !keep {
		return result, patchbench.Result{}, err
	}
	asked := opt.Tasks
	if asked == nil {
		asked = tasks.Tasks()
	}
	definitions := make(map[string]string)
	for task, digest := range in.Digests(asked) {
		definitions[string(task)] = digest
	}
	return result, patchbench.Result{
		Protocol: patchbench.Protocol{
			Task: "evaluate", Benchmark: result.Split, Protocol: string(result.Protocol), Distance: string(result.Distance),
			PCAPowerLaw: result.PCAPowerLaw, Definitions: definitions, Data: in.Set.Digest(),
		},
		Descriptor: result.Descriptor, Type: in.Set.Type.String(), Dimension: in.Set.Dim,
		Metrics: result.Metrics(), Warnings: result.Warnings,
	}, nil
}

// write writes the figures where they are wanted, and returns the files.
func (opt *patchesEvaluateOptions) write(ctx context.Context, out string, results []*tasks.Result, kept []patchbench.Result) (written []string, err error) {
	if opt.csv != "" {
		if err := store.WriteFile(opt.csv, func(w io.Writer) error { return report.WritePatchTasksCSV(w, results) }); err != nil {
			return nil, err
		}
		written = append(written, opt.csv)
	}
	if out != "" {
		files, err := patchbench.WriteFolder(ctx, out, version, kept)
		if err != nil {
			return nil, err
		}
		written = append(written, files...)
	}
	entered, err := opt.database.enter(ctx, kept...)
	return append(written, entered...), err
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
