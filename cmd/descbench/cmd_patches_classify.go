package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"descbench/eval"
	"descbench/eval/patches/original"
	"descbench/pipeline/report"
)

type patchesClassifyOptions struct {
	patchSource
	patchDatabase
	pos, neg, pairs            []string
	benchmark, results, labels string
	roc                        bool
	curves, figures, format    string
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
	fs.StringArrayVar(&opt.pos, "pos", nil, "evaluate this .results file of positives (repeatable)")
	fs.StringArrayVar(&opt.neg, "neg", nil, "evaluate this .results file of negatives (repeatable)")
	fs.StringArrayVar(&opt.pairs, "pairs", nil, "compute the distances of this .pairs file (repeatable)")
	fs.StringVar(&opt.benchmark, "benchmark", "", "the .benchmark file of the second variant")
	fs.StringVar(&opt.results, "results", "", "evaluate this .results file of both classes")
	fs.StringVar(&opt.labels, "labels", "", "labels of the pairs of --benchmark or --results, one per line")
	fs.BoolVar(&opt.roc, "roc", false, "print, and draw, the ROC curve of the imbalanced protocol too")
	fs.StringVar(&opt.curves, "curves", "", "write the curves of every combination into a folder per descriptor in this one")
	fs.StringVar(&opt.figures, "figures", "", "draw the curves into a folder per descriptor in this one")
	fs.StringVar(&opt.format, "format", "svg", "kind of --figures: svg, png or pdf")
	opt.patchSource.register(fs)
	opt.patchDatabase.register(fs)
	flags.addOut(fs, "folder for the results computed")
	flags.addSet(fs, "with --strips, change the descriptor, e.g. root=l1")
	flags.addJobs(fs)
	return cmd
}

// check says which flags do not go together.
func (o *patchesClassifyOptions) check(cmd *cobra.Command) error {
	if err := o.patchSource.check(cmd); err != nil {
		return err
	}
	if err := checkFigureFormat(o.format); err != nil {
		return err
	}
	both := o.benchmark != "" || o.results != ""
	apart := len(o.pos)+len(o.neg)+len(o.pairs) > 0
	computes := len(o.pairs) > 0 || o.benchmark != "" && o.results == ""
	wrong := ""
	switch {
	case !both && !apart:
		wrong = "want --pos and --neg, --pairs, --benchmark or --results"
	case both && apart:
		wrong = "--benchmark and --results do not go with --pos, --neg and --pairs"
	case computes != (o.descriptors != ""):
		wrong = "--pairs, and --benchmark without --results, want --descriptors or --strips; nothing else does"
	case len(o.pairs) == 0 && (len(o.pos) == 0) != (len(o.neg) == 0):
		wrong = "want both --pos and --neg"
	case o.labels != "" && !both:
		wrong = "--labels goes with --benchmark or --results"
	}
	if wrong != "" {
		return usageError{errors.New(wrong)}
	}
	if err := differentNames("pairs", o.pairs); err != nil {
		return err
	}
	if o.benchmark != "" && !cmd.Flags().Changed("variant") {
		o.variant = "v2"
	}
	return nil
}

func runPatchesClassify(cmd *cobra.Command, flags *commonFlags, opt patchesClassifyOptions) error {
	folder, done, err := opt.describe(cmd, flags, opt.descriptors, len(opt.pos) > 0 || opt.results != "")
	if err != nil {
		return err
	}
	defer done()
	opt.descriptors = folder
	if err := opt.check(cmd); err != nil {
		return err
	}
	c := patchClassification{ctx: cmd.Context(), flags: flags, opt: opt}
	if err := c.read(); err != nil {
		return err
	}
	list, err := c.combine()
	if err != nil {
		return err
	}
	if err := c.saveScores(list); err != nil {
		return err
	}
	if err := c.saveCurves(list); err != nil {
		return err
	}
	if err := c.enter(list); err != nil {
		return err
	}
	if flags.json {
		return printJSON(cmd.OutOrStdout(), c.json(list))
	}
	return c.print(cmd.OutOrStdout(), list)
}

// classifiedJSON is a combination as JSON has it.
type classifiedJSON struct {
	Positives  string `json:"positives"`
	Negatives  string `json:"negatives"`
	Descriptor string `json:"descriptor,omitempty"`
	Distance   string `json:"distance,omitempty"` // empty if results were read
	*original.ClassificationResult
	Warnings []patchWarning `json:"warnings"`
}

// json returns the one combination that there is, or else all in a list.
func (c *patchClassification) json(list []patchCombination) any {
	all := make([]classifiedJSON, len(list))
	for i, l := range list {
		all[i] = classifiedJSON{
			l.positives, l.negatives, l.descriptor, c.distance(), l.figures, jsonWarnings(append(c.warnings(), l.figures.Warnings...)),
		}
	}
	if len(all) == 1 {
		return all[0]
	}
	return struct {
		Combinations []classifiedJSON `json:"combinations"`
		Written      []string         `json:"written,omitempty"`
	}{all, c.written}
}

func (c *patchClassification) print(out io.Writer, list []patchCombination) error {
	warnings := c.warnings()
	if len(list) == 0 {
		warnings = append(warnings, eval.Warning{Kind: "one-class", Text: "pairs of one class alone: nothing to evaluate"})
	} else {
		if err := c.printFigures(out, list); err != nil {
			return err
		}
	}
	for _, l := range list {
		for _, w := range l.figures.Warnings {
			w.Text = fmt.Sprintf("%s, %s: %s", taskName(l.positives), taskName(l.negatives), w.Text)
			warnings = append(warnings, w)
		}
	}
	return printPatchNotes(out, c.written, warnings)
}

func (c *patchClassification) printFigures(out io.Writer, list []patchCombination) error {
	for i := 0; i < len(list); {
		rows := []report.ClassifiedPair{}
		descriptor := list[i].descriptor
		for ; i < len(list) && list[i].descriptor == descriptor; i++ {
			l := list[i]
			rows = append(rows, report.ClassifiedPair{Positives: taskName(l.positives), Negatives: taskName(l.negatives), Figures: l.figures})
		}
		if _, err := fmt.Fprintln(out, headline("", descriptor, c.distance())); err != nil {
			return err
		}
		if err := report.WriteClassification(out, rows, c.opt.roc); err != nil {
			return err
		}
		if i < len(list) {
			fmt.Fprintln(out)
		}
	}
	return nil
}

// warnings are those that are about all combinations.
func (c *patchClassification) warnings() []eval.Warning {
	if !c.opt.roc {
		return nil
	}
	return []eval.Warning{{
		Kind: "roc-imbalanced",
		Text: "imbalanced: a ROC curve hides how many of the pairs called positive are not, as many negatives make small false positive rates; judge by precision and recall",
	}}
}
