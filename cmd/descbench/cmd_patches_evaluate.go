package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"descbench/eval/patches"
	"descbench/eval/patches/y2017"
	"descbench/eval/scope"
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
		Use:   "evaluate {--descriptors DIR... | --strips DIR --type KIND} --tasks-dir DIR [--split NAME]",
		Short: "Run patch verification, image matching and patch retrieval",
		Long: `Evaluate runs the tasks of 2017: verification (do two patches show the same
place?), matching (nearest neighbours between two images) and retrieval (finding
the counterparts of a query among distractors). Each runs at three noise levels,
over all sequences of a split and separately over its illumination and viewpoint
sequences.

--tasks-dir contains verif_*_split-NAME.csv, retr_*_split-NAME.csv and
splits/splits.json. --protocol selects the definitions of the metrics: p17 follows
the public Python code, m17 the MATLAB code of 2017, hb2016 the first edition.
grouped is this program's own protocol, which treats equal distances as one group.
Do not compare metrics of different protocols.

Where a folder has the name and the dimension of a descriptor with published
results, such as sift or hardnet+, those follow, with everything that differs.

With --pca-power-law, descriptors are first whitened with the statistics of the
split's training sequences and power-law normalised, as in the Python code.
--normalise follows the MATLAB code of 2017 and uses its names for normalised
descriptors: nsplit_c_wzca_ceig0.25_pl0.50_l2n learns from the training sequences
of split c, raises the smallest eigenvalues (a quarter of the total energy) to a
common value, whitens (wzca or wpca), takes signed square roots and scales to L2
norm 1. The benchmark's own lists of normalisations (best_normalizations.csv)
contain wzca only. wpca is PCA as intended: the MATLAB code multiplies by the
transpose of its matrix.

--database stores the metrics, including those of each sequence, in the SQLite file
shared by runs (output.database), as one experiment per descriptor, protocol and
distance. --out writes them to a folder: metrics.csv, and results.sqlite, which
contains only these descriptors. descbench database list prints such a file as one table,
also in LaTeX; descbench patches compare tests which differences are significant;
descbench metrics explains the metrics.
` + exitHelp,
		Example: `  descbench patches evaluate --descriptors descriptors/sift --tasks-dir tasks --split a --protocol p17
  descbench patches evaluate --descriptors descriptors/sift --descriptors descriptors/orb --tasks-dir tasks --database results.sqlite`,
		Args: exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runPatchesEvaluate(cmd, flags, opt)
		},
	}
	fs := cmd.Flags()
	fs.StringArrayVar(&opt.folders, "descriptors", nil, "folder with the files of one descriptor: <sequence>/<image>.csv (repeatable)")
	fs.StringVar(&opt.TasksDir, "tasks-dir", "", "folder with the task files and splits/splits.json")
	fs.StringVar(&opt.Split, "split", "a", "name of the split; patches tasks writes full, illum and view")
	fs.StringVar(&opt.protocol, "protocol", string(y2017.Grouped), "definitions of the metrics: "+names(y2017.Protocols()))
	fs.StringVar(&opt.distance, "distance", string(patches.L2), "distance between descriptors: "+names(y2017.Distances()))
	fs.BoolVar(&opt.PCAPowerLaw, "pca-power-law", false, "whiten descriptors and take signed square roots first")
	fs.StringVar(&opt.normalise, "normalise", "", "normalise descriptors first: any parts of nsplit_SPLIT_wzca_ceigSHARE_plPOWER_l2n (or wpca)")
	fs.StringSliceVar(&opt.tasks, "tasks", nil, "tasks to run: "+names(y2017.Tasks())+" (default all)")
	opt.sourceFlags.register(flags, fs)
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

// check checks the flags and converts them to the options of the evaluation.
func (opt *patchesEvaluateOptions) check(flags *commonFlags) (err error) {
	if err := opt.sourceFlags.check(false); err != nil {
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
	if err := differentFolders(opt.folders); err != nil {
		return err
	}
	opt.Protocol, opt.Distance = y2017.Protocol(opt.protocol), patches.Distance(opt.distance)
	for _, t := range opt.tasks {
		opt.Tasks = append(opt.Tasks, y2017.Task(t))
	}
	opt.Workers, opt.Out, opt.Version = flags.jobs, flags.out, version
	if opt.normalise != "" {
		opt.Normalisation, err = y2017.ParseNormalisation(opt.normalise)
	}
	return err
}

// printPatchTasks prints the metrics of each descriptor. In JSON, several
// descriptors form a list.
func printPatchTasks(out io.Writer, asJSON bool, results []patchbench.Evaluated, written []string) error {
	if asJSON {
		type resultJSON struct {
			patchbench.Evaluated
			Warnings []scope.Warning `json:"warnings"`
		}
		all := make([]resultJSON, len(results))
		for i, r := range results {
			all[i] = resultJSON{r, append([]scope.Warning{}, r.Warnings...)}
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
		if err := report.WritePatchTasks(out, r.Result, r.Published); err != nil {
			return err
		}
		if err := printPatchNotes(out, nil, r.Warnings); err != nil {
			return err
		}
	}
	return printPatchNotes(out, written, nil)
}
