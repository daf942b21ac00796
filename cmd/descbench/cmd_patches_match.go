package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"descbench/eval"
	"descbench/eval/patches"
	"descbench/eval/patches/original"
	"descbench/pipeline/report"
)

type patchesMatchOptions struct {
	patchSource
	patchDatabase
	benchmark, labels, results string
}

func newPatchesMatchCommand(flags *commonFlags) *cobra.Command {
	var opt patchesMatchOptions
	cmd := &cobra.Command{
		Use:   "match --benchmark F [--labels F] (--results F | --descriptors DIR)",
		Short: "Match images, or evaluate matches (2016)",
		Long: `Match evaluates the results of a matching benchmark of 2016: the nearest and
second nearest patch, with distances, of each patch of an image in another one.
With --descriptors it computes them first and writes them to
results/matching/<descriptor>/<benchmark>.results below --out (default: the
current folder). Without --labels, patch n of both images is taken to show the
same place.
` + exitHelp,
		Example: "  descbench patches match --benchmark test_easy_illum.benchmark --descriptors descriptors/sift",
		Args:    exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runPatchesMatch(cmd, flags, opt)
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&opt.benchmark, "benchmark", "", "the .benchmark file: im_a,im_b")
	fs.StringVar(&opt.labels, "labels", "", "its .labels file (default: patch n matches patch n)")
	fs.StringVar(&opt.results, "results", "", "evaluate this .results file")
	opt.patchSource.register(fs)
	opt.patchDatabase.register(fs)
	return cmd
}

func runPatchesMatch(cmd *cobra.Command, flags *commonFlags, opt patchesMatchOptions) error {
	folder, done, err := opt.describe(cmd, flags, opt.descriptors)
	if err != nil {
		return err
	}
	defer done()
	opt.descriptors = folder
	if err := opt.check(cmd); err != nil {
		return err
	}
	if err := required("benchmark", opt.benchmark); err != nil {
		return err
	}
	computed := opt.descriptors != ""
	if computed == (opt.results != "") {
		return usageError{errors.New("want either --results or --descriptors")}
	}
	b, err := parseFile(opt.benchmark, original.ReadMatchingBenchmark)
	if err != nil {
		return err
	}
	var labels *original.MatchingLabels
	if opt.labels != "" {
		labels, err = parseFile(opt.labels, func(name string, r io.Reader) (*original.MatchingLabels, error) {
			return original.ReadMatchingLabels(name, r, b)
		})
		if err != nil {
			return err
		}
	}
	var matches []original.Matches
	var warnings []eval.Warning
	var set *patches.Set
	descriptor, results := "", opt.results
	if computed {
		wanted := patches.Wanted{}
		b.Want(wanted)
		if set, err = opt.load(cmd.Context(), wanted, flags.jobs); err != nil {
			return err
		}
		descriptor, warnings = set.Name, set.Warnings()
		if matches, err = original.Match(cmd.Context(), set, b, patches.Distance(opt.distance), flags.jobs); err != nil {
			return err
		}
		results, err = opt.save(flags, original.Matching, set.Name, opt.benchmark, func(w io.Writer) error { return original.WriteMatches(w, matches) })
		if err != nil {
			return err
		}
	} else {
		matches, err = parseFile(opt.results, func(name string, r io.Reader) ([]original.Matches, error) {
			return original.ReadMatches(name, r, b, labels)
		})
		if err != nil {
			return err
		}
	}
	figures, err := original.EvaluateMatching(matches, labels)
	if err != nil {
		return err
	}
	warnings = append(warnings, figures.Warnings...)
	written := []string{results}
	if computed {
		scores, err := opt.saveScores(flags, original.Matching, descriptor, opt.benchmark, patchScore{"matching_map", figures.MAPOverCorrect})
		if err != nil {
			return err
		}
		written = append(written, scores...)
	}
	asked, answered := original.MatchingDigests(matches, labels)
	entry, err := original2016("match", taskName(opt.benchmark), opt.used(computed), asked, answered, set, results)
	if err != nil {
		return err
	}
	entry.Metrics, entry.Warnings = figures.Metrics(), warnings
	entered, err := opt.enter(cmd.Context(), entry)
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	if flags.json {
		return printJSON(out, struct {
			patchesJSON
			*original.MatchingResult
			Warnings []patchWarning `json:"warnings"`
		}{patchesJSON{opt.benchmark, results, descriptor, opt.used(computed)}, figures, jsonWarnings(warnings)})
	}
	if _, err := fmt.Fprintln(out, headline(taskName(opt.benchmark), descriptor, opt.used(computed))); err != nil {
		return err
	}
	if err := report.WriteOriginalMatching(out, figures); err != nil {
		return err
	}
	return printPatchNotes(out, append(written, entered...), warnings)
}
