package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"descbench/eval/binary"
	"descbench/eval/spelling"
	"descbench/pipeline/classify"
	"descbench/pipeline/config"
	"descbench/pipeline/fold"
	"descbench/pipeline/notes"
	"descbench/pipeline/plan"
	"descbench/pipeline/report/figure"
	"descbench/pipeline/report/table"
)

type classifyOptions struct {
	systems  []string
	counts   []string
	at       string
	pairs    string
	matchers []string
	curves   string
	figure   string
	prFigure string
	tableChoice
}

func newClassifyCommand(flags *commonFlags) *cobra.Command {
	opt := &classifyOptions{}
	cmd := &cobra.Command{
		Use:   "classify FILE... | RUN | --counts [NAME=]tp:N,fp:N,fn:N,tn:N",
		Short: "Compute ROC, precision-recall and confusion matrices of distance classifiers",
		Long: `Classify evaluates classifiers that threshold a distance. It reads files of lines
distance,label: the label is 1 for a positive and 0 for a negative, and a distance up to
the threshold counts as a match. It prints the areas under the ROC and the
precision-recall curve, equal error rate, FPR95, Youden's J and the best accuracy, and below
them the confusion matrix of each system at an operating point.

All FILE arguments together are one system. --system NAME=FILE,FILE adds another.

With a run folder instead of files, each descriptor is a system. Its pairs are every query
with its nearest neighbour (--pairs nearest), or every keypoint of image 1 with every
keypoint of image k (--pairs all), positive if the keypoint of image k is within
evaluation.tolerance_px of the query's projection. The areas then have 95 % intervals by
the cluster bootstrap over scenes (1000 resamples, seed 1).

--matcher adds what a matcher decides about the same pairs: nearest, mutual, ratio=0.8,
distance=D, top=N, or several joined by +. --format, --columns and --sort apply to the
decisions, if any, else to the systems.

--at chooses the operating point:
  youden       maximum of Youden's J (default)
  accuracy     maximum accuracy
  eer          minimum difference between false positive and false negative rate
  tpr=RATE     the smallest threshold with at least this true positive rate
  threshold=D  a match up to this distance`,
		Example: `  descbench classify sift_pos.results sift_neg.results --at tpr=0.95
  descbench classify --system sift=sift_pos.results,sift_neg.results --system surf=surf.results --figure roc.svg
  descbench classify runs/demo --curves curves
  descbench classify runs/demo --pairs all --matcher mutual --matcher ratio=0.8
  descbench classify --counts sift=tp:90,fp:10,fn:10,tn:190 --counts orb=tp:60,fp:10,fn:40,tn:190 --figure roc.svg`,
		Args: func(_ *cobra.Command, args []string) error { return noneEmpty(args) },
		RunE: func(cmd *cobra.Command, args []string) error {
			return runClassify(cmd, flags, opt, args)
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&opt.systems, "system", nil, "a system and its files, NAME=FILE,FILE (repeatable)")
	f.StringVar(&opt.at, "at", "youden", "operating point: youden, accuracy, eer, tpr=RATE or threshold=D")
	f.StringArrayVar(&opt.counts, "counts", nil, "a confusion matrix by hand, [NAME=]tp:N,fp:N,fn:N,tn:N in any order, whose ratios are printed and which is a point of --figure (repeatable)")
	f.StringVar(&opt.pairs, "pairs", "nearest", "pairs of keypoints of a run to classify: nearest or all")
	f.StringArrayVar(&opt.matchers, "matcher", nil, "decisions of a matcher on a run, e.g. mutual+ratio=0.8 (repeatable)")
	f.StringVar(&opt.curves, "curves", "", "folder for the curves as CSV")
	f.StringVar(&opt.figure, "figure", "", "file for the ROC graph: .svg, .png or .pdf")
	f.StringVar(&opt.prFigure, "pr-figure", "", "file for the precision-recall graph: .svg, .png or .pdf")
	opt.tableChoice.register(cmd, flags, "system")
	flags.addSet(f, "evaluate a run with another value, e.g. evaluation.tolerance_px=1, or show another label")
	flags.addMoved(f)
	flags.addCache(f)
	flags.addJobs(f)
	allows(f, "pairs", "nearest", "all")
	excludes(f, "counts", append([]string{"system", "at", "set", "curves", "pr-figure"}, runFlags...)...)
	return cmd
}

// A classification is the output of the command.
type classification struct {
	classify.Result           // of a run; of files and counts, only systems or decisions
	run             *fold.Run // with the tolerance that is used; nil without a run
}

func runClassify(cmd *cobra.Command, flags *commonFlags, opt *classifyOptions, args []string) error {
	at, err := binary.ParseOperatingPoint(opt.at)
	if err != nil {
		return usageError{err}
	}
	for _, path := range []string{opt.figure, opt.prFigure} {
		if err := figure.Check(path); path != "" && err != nil {
			return usageError{err}
		}
	}
	var found classification
	switch run := len(args) == 1 && plan.Folder(args[0]).IsRun(); {
	case len(opt.counts) > 0:
		found.Decisions, err = opt.byHand(args)
	case run:
		found, err = opt.classifyRun(cmd.Context(), flags, args[0], at)
	default:
		if !slices.ContainsFunc(args, func(path string) bool { return plan.Folder(path).IsRun() }) { // of which it takes one
			err = onlyRuns(cmd)
		}
		if err == nil {
			found.Result, err = opt.classifyFiles(cmd.Context(), flags, args, at)
		}
	}
	if err == nil && found.run == nil {
		err = opt.choose(&found)
	}
	if err != nil {
		return err
	}
	// Print only after everything that can fail has succeeded.
	var written strings.Builder
	if err := opt.writeFiles(&written, found); err != nil {
		return err
	}
	if err := opt.print(cmd, found); err != nil {
		return err
	}
	if opt.is(table.AsText) {
		fmt.Fprint(cmd.OutOrStdout(), written.String())
	}
	return undefinedPoints(found.Systems)
}

// runFlags are the flags that need a run.
var runFlags = []string{"pairs", "matcher", "cache", "data"}

func onlyRuns(cmd *cobra.Command) error {
	for _, name := range runFlags {
		if cmd.Flags().Changed(name) {
			return usageError{fmt.Errorf("--%s applies to a run folder, found files", name)}
		}
	}
	return nil
}

func (o *classifyOptions) classifyRun(ctx context.Context, flags *commonFlags, path string, at binary.OperatingPoint) (c classification, err error) {
	if len(o.systems) > 0 {
		return c, usageError{errors.New("classify: found --system with a run folder, want one of the two")}
	}
	request := classify.Request{At: at, Jobs: flags.jobs}
	if err := request.Decide(o.matchers); err != nil {
		return c, usageError{err}
	}
	labels, changes := config.Labels(flags.set)
	open, err := fold.Open([]string{path}, labels)
	if err == nil {
		err = o.keepOnly(open)
	}
	if err != nil {
		return c, err
	}
	changed, _, err := fold.Changed(plan.Folder(path), changes)
	if err != nil {
		return c, err
	}
	run := open.Runs[0]
	cfg := *run.Config
	cfg.Evaluation.TolerancePx = changed.Config.Evaluation.TolerancePx
	run.Config, request.Systems = &cfg, open.Systems
	var found *classify.Result
	if o.pairs == "all" {
		found, err = classify.All(ctx, request, flags.optionsOfRun())
	} else {
		found, err = classify.Nearest(ctx, request)
	}
	if err != nil {
		return c, err
	}
	if len(found.Systems) == 0 {
		if err := fold.WithoutKeypoints(run.Config, run.Summary); err != nil && found.LeftOut == nil {
			return c, fmt.Errorf("%s: %w", path, err)
		}
		return c, plan.Faultf("%s: nothing to classify: %s", path, cmp.Or(strings.Join(notes.Strings(notes.Lines(found.LeftOut)), "; "), "every scene failed"))
	}
	_ = run.ReadDigests() // of a run without records, sets of other names differ
	return classification{*found, run}, nil
}

func (o *classifyOptions) classifyFiles(ctx context.Context, flags *commonFlags, args []string, at binary.OperatingPoint) (found classify.Result, err error) {
	asked, err := o.systemsAsked(args)
	if err != nil {
		return found, usageError{err}
	}
	if len(flags.set) > 0 {
		return found, usageError{errors.New("classify: found --set with files, which have fixed labels; --set applies to run folders only")}
	}
	for _, s := range asked {
		system, err := classify.Files(ctx, s.name, s.files, at)
		if err != nil {
			return found, err
		}
		system.Index = len(found.Systems)
		found.Systems = append(found.Systems, system)
		if d, has := system.Decision(); has {
			found.Decisions = append(found.Decisions, d)
		}
	}
	return found, nil
}

type askedSystem struct {
	name  string
	files []string
}

// systemsAsked returns the systems named on the command line.
func (o *classifyOptions) systemsAsked(args []string) ([]askedSystem, error) {
	var asked []askedSystem
	if len(args) > 0 {
		asked = append(asked, askedSystem{nameOf(args), args})
	}
	for _, text := range o.systems {
		name, _, files := namedList(text)
		if name == "" || files[0] == "" {
			return nil, fmt.Errorf("--system: found %q, want NAME=FILE,FILE", text)
		}
		asked = append(asked, askedSystem{name, files})
	}
	if len(asked) == 0 {
		return nil, errors.New("classify: want files of lines distance,label, a run folder, or --system NAME=FILE,FILE")
	}
	for _, s := range asked {
		files := make(map[string]bool)
		for _, file := range s.files {
			if file == "" {
				return nil, fmt.Errorf("--system %s: found an empty file name", s.name)
			}
			if files[filepath.Clean(file)] {
				return nil, fmt.Errorf("classify: found %s twice for %s; its lines would count twice", file, s.name)
			}
			files[filepath.Clean(file)] = true
		}
	}
	return asked, nil
}

// choose leaves the systems, or the decisions by hand, that --only names.
func (o *classifyOptions) choose(found *classification) error {
	names := spelling.Words(found.Decisions, func(d binary.Decision) string { return d.System })
	if found.Systems != nil {
		names = spelling.Words(found.Systems, func(s binary.System) string { return s.Name })
	}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return usageError{fmt.Errorf("classify: found two systems named %s, want different names", name)}
		}
	}
	if err := o.findOnly(names); err != nil {
		return err
	}
	found.keep(o.chosen)
	return nil
}

// nameOf names a system after its files.
func nameOf(files []string) string {
	var names []string
	for _, path := range files {
		base := filepath.Base(path)
		names = append(names, base[:len(base)-len(filepath.Ext(base))])
	}
	if len(names) > 3 {
		return fmt.Sprintf("%s+%d files", names[0], len(names)-1)
	}
	return strings.Join(names, "+")
}

// byHand returns the decisions of --counts.
func (o *classifyOptions) byHand(args []string) ([]binary.Decision, error) {
	if len(args) > 0 {
		return nil, usageError{fmt.Errorf("found --counts and %s, want one of the two", args[0])}
	}
	var all []binary.Decision
	for i, text := range o.counts {
		name, named, list := namedList(text)
		if !named {
			name = fmt.Sprintf("system %d", i+1)
		}
		c, err := parseCounts(list)
		switch {
		case err != nil:
			return nil, usageError{fmt.Errorf("--counts %s: %w", text, err)}
		case name == "":
			return nil, usageError{fmt.Errorf("--counts %s: found an empty name", text)}
		}
		all = append(all, binary.Decision{System: name, Index: i, Rule: "as given", Counts: c})
	}
	return all, nil
}

// namedList returns the parts of [NAME=]ITEM,ITEM, as flags take it.
func namedList(text string) (name string, named bool, items []string) {
	name, list, named := strings.Cut(text, "=")
	if !named {
		name, list = "", text
	}
	return name, named, strings.Split(list, ",")
}

// parseCounts parses tp:N, fp:N, fn:N and tn:N in any order. Numbers without names are refused: papers
// and programs print them in different orders.
func parseCounts(fields []string) (binary.Confusion, error) {
	c := binary.Confusion{Threshold: math.NaN()}
	missing := map[string]*int64{"tp": &c.TP, "fp": &c.FP, "fn": &c.FN, "tn": &c.TN}
	for _, field := range fields {
		name := strings.ToLower(field[:min(2, len(field))])
		to := missing[name]
		if to == nil || len(field) == 2 || field[2] != ':' {
			return c, fmt.Errorf("found %q, want tp:N,fp:N,fn:N,tn:N in any order, each once", field)
		}
		n, err := strconv.ParseInt(field[3:], 10, 64)
		if err != nil || n < 0 || n > 1<<53 {
			return c, fmt.Errorf("found %q, want a count: a whole number from 0 to 2^53", field)
		}
		*to = n
		delete(missing, name)
	}
	if len(missing) > 0 {
		return c, fmt.Errorf("no %s, want tp:N,fp:N,fn:N,tn:N", strings.Join(slices.Sorted(maps.Keys(missing)), ", "))
	}
	if c.Total() == 0 {
		return c, errors.New("found no samples, want at least one count above 0")
	}
	return c, nil
}
