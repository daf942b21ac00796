package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"descbench/eval/patches"
	"descbench/eval/patches/y2016"
	"descbench/eval/spelling"
	"descbench/pipeline/patchbench"
	"descbench/pipeline/report/table"
)

func newPatchesMatchCommand(flags *commonFlags) *cobra.Command {
	var opt originalOptions
	cmd := &cobra.Command{
		Use:   "match --benchmark F... [--labels F...] (--results F... | --descriptors DIR)",
		Short: "Match the patches of image pairs, or evaluate matches (2016)",
		Long: `Match evaluates the results of a matching benchmark of 2016: for each patch of an image,
its nearest and second nearest neighbour in another image, with distances. With
--descriptors it first computes the results and writes them to
results/matching/<descriptor>/<benchmark>.results below --out (default: the current
folder). To evaluate several benchmarks and their mean, repeat --benchmark, and --labels
and --results in the same order.`,
		Example: `  descbench patches match --benchmark test_easy_illum.benchmark --descriptors descriptors/sift
  descbench patches match --benchmark test_easy_illum.benchmark --benchmark test_hard_illum.benchmark --descriptors descriptors/sift`,
		Args: exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if opt.describes() == (len(opt.Results) > 0) {
				return usageError{errors.New("want either --results or --descriptors")}
			}
			return opt.rate(cmd, flags, patchbench.Match)
		},
	}
	opt.registerRated(cmd, flags, "im_a,im_b", "patch n matches patch n")
	return cmd
}

func newPatchesRetrieveCommand(flags *commonFlags) *cobra.Command {
	var opt originalOptions
	cmd := &cobra.Command{
		Use:   "retrieve --benchmark F... [--labels F...] [--results F...] [--descriptors DIR]",
		Short: "Retrieve patches and images, or evaluate retrieved patches (2016)",
		Long: `Retrieve evaluates the results of a retrieval benchmark of 2016: for each query, the
query itself and its 50 nearest neighbours in the pool of at least 51 patches. With
--descriptors and without --results it first computes the results and writes them to
results/retrieval/<descriptor>/<benchmark>.results below --out (default: the current
folder). With --descriptors, even with --results, patch indexes are checked and the
results of a random order are printed as chance. To evaluate several benchmarks and their
mean, repeat --benchmark, and --labels and --results in the same order.`,
		Example: "  descbench patches retrieve --benchmark test_easy_5s_00.benchmark --descriptors descriptors/sift",
		Args:    exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !opt.describes() && len(opt.Results) == 0 {
				return usageError{errors.New("want --results or --descriptors, or both")}
			}
			return opt.rate(cmd, flags, patchbench.Retrieve)
		},
	}
	opt.registerRated(cmd, flags, "images of the pool, then a query per line", "patch n of a sequence's images")
	return cmd
}

func newPatchesClassifyCommand(flags *commonFlags) *cobra.Command {
	var opt originalOptions
	cmd := &cobra.Command{
		Use:   "classify (--pairs F... --descriptors DIR | --results F...)",
		Short: "Classify patch pairs as same or different place (2016)",
		Long: `Classify measures how well distances separate positive patch pairs from negative
ones. It evaluates every combination of a file of positives (label 1) and a file of
negatives (label 0) with the same descriptor and the same set (file name starting with
train_ or test_). The balanced protocol uses the first negatives of the file, as many as
there are positives, and evaluates the ROC curve. The imbalanced protocol uses all
negatives and evaluates precision and recall.

  --pairs names .pairs files. Their distances are computed, written to
    results/classification/<descriptor>/<pairs>.results below --out (default: the
    current folder), and evaluated.
  --results names .results files with lines distance,label.

The descriptor's name is taken from the folder of the results unless --name is given.`,
		Example: `  descbench patches classify --results test_pos_easy.results --results test_neg_diffseq.results
  descbench patches classify --pairs test_pos_easy.pairs --pairs test_neg_sameseq.pairs --descriptors descriptors/sift`,
		Args: exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if len(opt.Pairs)+len(opt.Results) == 0 {
				return usageError{errors.New("want --pairs or --results")}
			}
			if err := differentNames("pairs", opt.Pairs); err != nil {
				return err
			}
			return opt.run(cmd, flags, patchbench.Classify)
		},
	}
	fs := cmd.Flags()
	fs.StringSliceVar(&opt.Pairs, "pairs", nil, "compute the distances of the pairs in this .pairs file (repeatable)")
	fs.StringSliceVar(&opt.Results, "results", nil, "evaluate this .results file (repeatable)")
	opt.register(cmd, flags, "the curves")
	excludes(fs, "results", "pairs")
	needs(fs, []string{"pairs"}, "descriptors")
	needs(fs, []string{"descriptors"}, "pairs")
	return cmd
}

// originalOptions are the flags of match, retrieve and classify.
type originalOptions struct {
	patchbench.Original
	descriptors []string
	table       tableChoice
}

// registerRated registers the flags of match and retrieve.
func (o *originalOptions) registerRated(cmd *cobra.Command, flags *commonFlags, content, unlabelled string) {
	fs := cmd.Flags()
	fs.StringSliceVar(&o.Benchmarks, "benchmark", nil, ".benchmark file: "+content+" (repeatable)")
	fs.StringSliceVar(&o.Labels, "labels", nil, ".labels file of the benchmark (default: "+unlabelled+")")
	fs.StringSliceVar(&o.Results, "results", nil, "evaluate this .results file (repeatable: those of one descriptor, then those of the next)")
	requires(fs, "benchmark")
	o.register(cmd, flags, "the mean precision-recall curves")
}

// rate checks the numbers of files of match and retrieve, and runs them.
func (o *originalOptions) rate(cmd *cobra.Command, flags *commonFlags, rate func(context.Context, patchbench.Original) (*patchbench.Ratings, error)) error {
	n, descriptors := len(o.Benchmarks), len(o.descriptors)
	if found := len(o.Labels); found > 0 && found != n {
		return usageError{fmt.Errorf("--labels: found %d, want one for each of the %d --benchmark files, or none", found, n)}
	}
	if found := len(o.Results); found%n != 0 || found > 0 && descriptors > 0 && found != descriptors*n {
		return usageError{fmt.Errorf("--results: found %d, want one for each of the %d --benchmark files, or none", found, n)}
	}
	for _, path := range slices.Concat(o.Benchmarks, o.Labels, o.Results) {
		if _, err := os.Stat(path); err != nil { // before anything is described
			return patches.Missing(err, path, "a file of the benchmark")
		}
	}
	if err := differentNames("benchmark", o.Benchmarks); err != nil {
		return err
	}
	return o.run(cmd, flags, rate)
}

// register registers the flags that all three have.
func (o *originalOptions) register(cmd *cobra.Command, flags *commonFlags, figures string) {
	fs := cmd.Flags()
	flags.addOut(fs, "folder for the results")
	flags.addJobs(fs)
	fs.StringVar(&o.Name, "name", "", "name of the descriptor of the results (default: name of their folder)")
	fs.StringSliceVar(&o.descriptors, "descriptors", nil, "compute results from the descriptors in this folder: <sequence>/<image>.csv (repeatable)")
	fs.StringVar((*string)(&o.Distance), "distance", string(patches.L2Squared), "distance to compute results with: "+names(y2016.Distances()))
	fs.StringVar(&o.Figures, "figures", "", "draw "+figures+" in this folder, in a subfolder per descriptor, and those of several descriptors together")
	registerFormats(fs, "figure-format", &o.Formats)
	allows(fs, "distance", wordsOf(y2016.Distances())...)
	needs(fs, []string{"distance", "out"}, "descriptors")
	needs(fs, []string{"name"}, "results")
	registerDatabase(fs, &o.Database)
	o.table.register(cmd, flags, "descriptor")
}

func registerDatabase(fs *pflag.FlagSet, path *string) {
	fs.StringVar(path, "database", "", "also store all metrics in this SQLite file, for patches compare")
}

// describes reports whether the flags name descriptors.
func (o *originalOptions) describes() bool { return len(o.descriptors) > 0 }

// run evaluates descriptors or results, and prints what was found, the files written and all
// warnings.
func (o *originalOptions) run(cmd *cobra.Command, flags *commonFlags, rate func(context.Context, patchbench.Original) (*patchbench.Ratings, error)) (err error) {
	o.Out, o.Jobs, o.Formats, o.Version = flags.out, flags.jobs, sortedFormats(o.Formats), version
	if o.Sources, err = patchbench.Folders(o.descriptors); err != nil {
		return err
	}
	r, err := rate(cmd.Context(), o.Original)
	if err != nil {
		return err
	}
	for _, path := range r.Written {
		r.Table.Notes = append(r.Table.Notes, table.Note{Text: "file: " + path, Aside: true})
	}
	r.Table.Tell(r.Facts...)
	if len(r.Table.Rows) == 0 && !o.table.forPrograms() {
		r.Table.Columns, r.Table.Title, r.Table.Caption = nil, "", nil
	}
	return o.table.show(cmd, r.Table)
}

// differentNames returns an error if two files have the same name, because results
// are stored under this name.
func differentNames(flag string, paths []string) error {
	named := make(map[string]string)
	for _, path := range paths {
		name := y2016.TaskName(path)
		if other, twice := named[name]; twice {
			return usageError{fmt.Errorf("--%s: %s and %s have the same name, %s", flag, other, path, name)}
		}
		named[name] = path
	}
	return nil
}

func wordsOf[T ~string](list []T) []string {
	return spelling.Words(list, func(v T) string { return string(v) })
}

func names[T ~string](list []T) string { return strings.Join(wordsOf(list), ", ") }
