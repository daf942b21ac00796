package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

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
		Use:   "classify (--pos F --neg F | --pairs F... --descriptors DIR | --results F)",
		Short: "Classify patch pairs as same or different place (2016)",
		Long: `Classify measures how well distances separate positive patch pairs from negative
ones. It evaluates every combination of a file of positives and a file of negatives
with the same descriptor and the same set (file name starting with train_ or
test_). The balanced protocol uses the first negatives of the file, as many as
there are positives, and evaluates the ROC curve. The imbalanced protocol uses all
negatives and evaluates precision and recall.

  --pos and --neg name .results files with lines distance,label.
  --pairs names .pairs files. With --descriptors, their distances are computed,
    written to results/classification/<descriptor>/<pairs>.results below --out
    (default: the current folder), and evaluated.
  --results names a .results file with both classes.

The descriptor's name is taken from the folder of the results unless --name is given.
` + exitHelp,
		Example: `  descbench patches classify --pos test_pos_easy.results --neg test_neg_diffseq.results
  descbench patches classify --pairs test_pos_easy.pairs --pairs test_neg_sameseq.pairs --descriptors descriptors/sift`,
		Args: exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := opt.check(); err != nil {
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
	fs.StringArrayVar(&opt.Results, "results", nil, "evaluate this .results file with both classes (repeatable)")
	fs.BoolVar(&opt.roc, "roc", false, "also print and draw the ROC curve of the imbalanced protocol")
	opt.register(cmd, flags, "the curves", report.Classification(nil, "", true))
	excludes(fs, "results", "pos", "neg", "pairs")
	return cmd
}

// check returns an error if flags are missing.
func (o *patchesClassifyOptions) check() error {
	wrong := ""
	switch {
	case len(o.Positives)+len(o.Negatives)+len(o.Pairs)+len(o.Results) == 0:
		wrong = "want --pos and --neg, --pairs or --results"
	case (len(o.Pairs) > 0) != o.describes():
		wrong = "want --descriptors with --pairs, and only there"
	case len(o.Pairs) == 0 && (len(o.Positives) == 0) != (len(o.Negatives) == 0):
		wrong = "want both --pos and --neg"
	}
	if wrong != "" {
		return usageError{errors.New(wrong)}
	}
	return differentNames("pairs", o.Pairs)
}
