package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"descbench/eval/patches/y2016"
	"descbench/pipeline/patchbench"
	"descbench/pipeline/report"
)

type patchesClassifyOptions struct {
	originalFlags
	patchbench.ClassifyFiles
	roc bool
}

func newPatchesClassifyCommand(flags *commonFlags) *cobra.Command {
	var opt patchesClassifyOptions
	cmd := &cobra.Command{
		Use:   "classify (--pos F --neg F | --pairs F... --descriptors DIR | --benchmark F | --results F)",
		Short: "Classify patch pairs as same or different place (2016)",
		Long: `Classify measures how well distances separate positive patch pairs from negative
ones. It evaluates every combination of a file of positives and a file of negatives
with the same descriptor and the same set (file name starting with train_ or
test_). The balanced protocol uses the first negatives of the file, as many as
there are positives, and evaluates the ROC curve. The imbalanced protocol uses all
negatives and evaluates precision and recall.

  --pos and --neg (repeatable) name .results files with lines distance,label or
    distance.
  --pairs (repeatable) names .pairs files. With --descriptors, their distances are
    computed, written to results/classification/<descriptor>/<pairs>.results
    below --out (default: the current folder), and evaluated. Labels in the file,
    or pos or neg in its name, distinguish positives from negatives.
  --benchmark names a .benchmark file in the v2 layout of the 2016 formats, which lists a file of
    positive pairs and a file of negative pairs. Their distances are computed, or
    read from --results. Labels given by --labels must agree with the pairs.
  --results (repeatable) without --benchmark names a file with both classes. Labels are read
    from this file or from --labels.
  --curves writes the points of both curves, at most 10 000 per protocol, to
    <descriptor>/<positives>_<negatives>_balanced.csv and _imbalanced.csv.
  --figures draws the curves of all combinations of a set:
    <descriptor>/<set>_balanced_roc.svg, <set>_imbalanced_pr.svg and, with --roc,
    <set>_imbalanced_roc.svg, without <set>_ if the file names have no set.

The descriptor's name is taken from the folder of the results (see the path above)
unless --name is given.
` + exitHelp,
		Example: `  descbench patches classify --pos test_pos_easy.results --neg test_neg_diffseq.results
  descbench patches classify --pairs test_pos_easy.pairs --pairs test_neg_sameseq.pairs --descriptors descriptors/sift`,
		Args: exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := opt.check(cmd); err != nil {
				return err
			}
			return opt.run(cmd, flags, len(opt.Positives) > 0 || len(opt.Results) > 0, func(ctx context.Context, original patchbench.Original) (*patchbench.Ratings, error) {
				return patchbench.Classify(ctx, original, opt.ClassifyFiles, opt.roc)
			})
		},
	}
	fs := cmd.Flags()
	fs.StringArrayVar(&opt.Positives, "pos", nil, "evaluate this .results file of positives (repeatable)")
	fs.StringArrayVar(&opt.Negatives, "neg", nil, "evaluate this .results file of negatives (repeatable)")
	fs.StringArrayVar(&opt.Pairs, "pairs", nil, "compute the distances of the pairs in this .pairs file (repeatable)")
	fs.StringVar(&opt.Benchmark, "benchmark", "", ".benchmark file of the second variant")
	fs.StringArrayVar(&opt.Results, "results", nil, "evaluate this .results file with both classes (repeatable)")
	fs.StringVar(&opt.Labels, "labels", "", "labels for the pairs in --benchmark or --results, one per line")
	fs.BoolVar(&opt.roc, "roc", false, "also print and draw the ROC curve of the imbalanced protocol")
	opt.register(cmd, flags, "the curves of every combination", "the curves", report.Classification(nil, "", true))
	needs(fs, []string{"labels"}, "benchmark", "results")
	excludes(fs, "benchmark", "pos", "neg", "pairs")
	excludes(fs, "results", "pos", "neg", "pairs")
	return cmd
}

// check returns an error if flags are missing.
func (o *patchesClassifyOptions) check(cmd *cobra.Command) error {
	both := o.Benchmark != "" || len(o.Results) > 0
	apart := len(o.Positives)+len(o.Negatives)+len(o.Pairs) > 0
	computes := len(o.Pairs) > 0 || o.Benchmark != "" && len(o.Results) == 0
	wrong := ""
	switch {
	case !both && !apart:
		wrong = "want --pos and --neg, --pairs, --benchmark or --results"
	case computes != o.describes():
		wrong = "want --descriptors with --pairs, or with --benchmark without --results, and in no other case"
	case len(o.Pairs) == 0 && (len(o.Positives) == 0) != (len(o.Negatives) == 0):
		wrong = "want both --pos and --neg"
	}
	if wrong != "" {
		return usageError{errors.New(wrong)}
	}
	if o.Benchmark != "" && !cmd.Flags().Changed("variant") {
		o.Variant = y2016.V2
	}
	return differentNames("pairs", o.Pairs)
}
