package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"descbench/eval"
	"descbench/eval/patches"
	"descbench/eval/patches/original"
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
		Short: "Tell pairs of the same place from others (2016)",
		Long: `Classify rates how well distances tell positive pairs of patches from negative
ones, in every combination of a file of positives with one of negatives of the
same descriptor, and of the same set (names that begin with train_ or test_):
balanced, with as many negatives as positives from the start of the file, by
the ROC curve; imbalanced, with all negatives, by precision and recall.

  --pos and --neg, repeatable, are .results files: distance,label or distance.
  --pairs, repeatable, are .pairs files: with --descriptors, distances are
    computed, written to results/classification/<descriptor>/<pairs>.results
    below --out (default: the current folder), and evaluated. Labels, or pos
    and neg in the name, tell positives from negatives.
  --benchmark is a .benchmark file of the second variant, which names a file of
    positive and one of negative pairs: distances are computed, or read from
    --results; --labels may confirm what the pairs are.
  --results alone is a file of both classes, with labels of its own or in
    --labels.
  --curves writes the points of both curves, at most 10 000 of each protocol, to
    <descriptor>/<positives>_<negatives>_balanced.csv and _imbalanced.csv.
  --figures draws the curves of all combinations of a set:
    <descriptor>/<set>_balanced_roc.svg, <set>_imbalanced_pr.svg and, with --roc,
    <set>_imbalanced_roc.svg; without <set>_ where the files name none. --format
    chooses png or pdf instead.

The descriptor of results is the folder that they are in, as written above, unless
--name tells it.
` + exitHelp,
		Example: `  descbench patches classify --pos test_pos_easy.results --neg test_neg_diffseq.results
  descbench patches classify --pairs test_pos_easy.pairs --pairs test_neg_sameseq.pairs --descriptors descriptors/sift`,
		Args: exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runPatchesClassify(cmd, flags, opt)
		},
	}
	fs := cmd.Flags()
	fs.StringArrayVar(&opt.Positives, "pos", nil, "evaluate this .results file of positives (repeatable)")
	fs.StringArrayVar(&opt.Negatives, "neg", nil, "evaluate this .results file of negatives (repeatable)")
	fs.StringArrayVar(&opt.Pairs, "pairs", nil, "compute the distances of this .pairs file (repeatable)")
	fs.StringVar(&opt.Benchmark, "benchmark", "", "the .benchmark file of the second variant")
	fs.StringVar(&opt.Results, "results", "", "evaluate this .results file of both classes")
	fs.StringVar(&opt.Labels, "labels", "", "labels of the pairs of --benchmark or --results, one per line")
	fs.BoolVar(&opt.roc, "roc", false, "print, and draw, the ROC curve of the imbalanced protocol too")
	opt.register(flags, fs, "the curves of every combination", "the curves")
	return cmd
}

// check says which flags do not go together.
func (o *patchesClassifyOptions) check(cmd *cobra.Command, flags *commonFlags) error {
	if err := o.originalFlags.check(cmd, flags, len(o.Positives) > 0 || o.Results != ""); err != nil {
		return err
	}
	both := o.Benchmark != "" || o.Results != ""
	apart := len(o.Positives)+len(o.Negatives)+len(o.Pairs) > 0
	computes := len(o.Pairs) > 0 || o.Benchmark != "" && o.Results == ""
	wrong := ""
	switch {
	case !both && !apart:
		wrong = "want --pos and --neg, --pairs, --benchmark or --results"
	case both && apart:
		wrong = "--benchmark and --results do not go with --pos, --neg and --pairs"
	case computes != o.describes():
		wrong = "--pairs, and --benchmark without --results, want --descriptors or --strips; nothing else does"
	case len(o.Pairs) == 0 && (len(o.Positives) == 0) != (len(o.Negatives) == 0):
		wrong = "want both --pos and --neg"
	case o.Labels != "" && !both:
		wrong = "--labels goes with --benchmark or --results"
	}
	if wrong != "" {
		return usageError{errors.New(wrong)}
	}
	if o.Benchmark != "" && !cmd.Flags().Changed("variant") {
		o.variant = "v2"
	}
	return differentNames("pairs", o.Pairs)
}

func runPatchesClassify(cmd *cobra.Command, flags *commonFlags, opt patchesClassifyOptions) error {
	if err := opt.check(cmd, flags); err != nil {
		return err
	}
	o, err := opt.open(flags)
	if err != nil {
		return err
	}
	defer o.Close()
	r, err := patchbench.Classify(cmd.Context(), o, opt.ClassifyFiles, opt.roc)
	if err != nil {
		return err
	}
	if flags.json {
		return printJSON(cmd.OutOrStdout(), classifiedAsJSON(r, opt.roc))
	}
	return printClassified(cmd.OutOrStdout(), r, opt.roc)
}

// classifiedJSON is a combination as JSON has it.
type classifiedJSON struct {
	Positives  string           `json:"positives"`
	Negatives  string           `json:"negatives"`
	Descriptor string           `json:"descriptor,omitempty"`
	Distance   patches.Distance `json:"distance,omitempty"` // empty if results were read
	*original.ClassificationResult
	Warnings []patchWarning `json:"warnings"`
}

// classifiedAsJSON returns the one combination that there is, or else all in a
// list.
func classifiedAsJSON(r *patchbench.Ratings[*patchbench.Combination], roc bool) any {
	all := make([]classifiedJSON, len(r.List))
	for i, l := range r.List {
		all[i] = classifiedJSON{
			l.Figures.Positives, l.Figures.Negatives, l.Descriptor, l.Distance, l.Figures.ClassificationResult,
			jsonWarnings(append(imbalancedROC(roc), l.Warnings...)),
		}
	}
	if len(all) == 1 {
		return all[0]
	}
	return struct {
		Combinations []classifiedJSON `json:"combinations"`
		Written      []string         `json:"written,omitempty"`
	}{all, r.Written}
}

func printClassified(out io.Writer, r *patchbench.Ratings[*patchbench.Combination], roc bool) error {
	warnings := imbalancedROC(roc)
	if len(r.List) == 0 {
		warnings = append(warnings, eval.Warning{Kind: "one-class", Text: "pairs of one class alone: nothing to evaluate"})
	}
	for i := 0; i < len(r.List); {
		first := r.List[i]
		var rows []report.ClassifiedPair
		for ; i < len(r.List) && r.List[i].Descriptor == first.Descriptor; i++ {
			f := r.List[i].Figures
			row := report.ClassifiedPair{Positives: original.TaskName(f.Positives), Negatives: original.TaskName(f.Negatives), Figures: f.ClassificationResult}
			rows = append(rows, row)
			for _, w := range r.List[i].Warnings {
				warnings = append(warnings, eval.Warning{Kind: w.Kind, Text: fmt.Sprintf("%s, %s: %s", row.Positives, row.Negatives, w.Text)})
			}
		}
		if _, err := fmt.Fprintln(out, headline("", first.Descriptor, first.Distance)); err != nil {
			return err
		}
		if err := report.WriteClassification(out, rows, roc); err != nil {
			return err
		}
		if i < len(r.List) {
			fmt.Fprintln(out)
		}
	}
	return printPatchNotes(out, r.Written, warnings)
}

// imbalancedROC returns a warning about the ROC curve of the imbalanced protocol,
// if it is shown.
func imbalancedROC(shown bool) []eval.Warning {
	if !shown {
		return nil
	}
	return []eval.Warning{{
		Kind: "roc-imbalanced",
		Text: "imbalanced: a ROC curve hides how many of the pairs called positive are not, as many negatives make small false positive rates; judge by precision and recall",
	}}
}
