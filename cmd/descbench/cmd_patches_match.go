package main

import (
	"context"
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

type patchesMatchOptions struct {
	patchSource
	patchDatabase
	patchFiles
	patchPR
}

func newPatchesMatchCommand(flags *commonFlags) *cobra.Command {
	var opt patchesMatchOptions
	cmd := &cobra.Command{
		Use:   "match --benchmark F... [--labels F...] (--results F... | --descriptors DIR | --strips DIR --type KIND)",
		Short: "Match images, or evaluate matches (2016)",
		Long: `Match evaluates the results of a matching benchmark of 2016: the nearest and
second nearest patch, with distances, of each patch of an image in another one.
With --descriptors it computes them first and writes them to
results/matching/<descriptor>/<benchmark>.results below --out (default: the
current folder). Without --labels, patch n of both images is taken to show the
same place. Of several benchmarks the mean is printed too; --labels and --results
are then repeated in the same order.

--curves and --figures keep the precision-recall curves by distance and by ratio,
<descriptor>/<benchmark>_pr.csv and .svg: of each image pair the greatest
precision at a recall or beyond, recall being over its patches, and the mean of
that over the pairs, at recalls of 0, 0.01, .., 1.
` + exitHelp,
		Example: `  descbench patches match --benchmark test_easy_illum.benchmark --descriptors descriptors/sift
  descbench patches match --benchmark test_easy_illum.benchmark --benchmark test_hard_illum.benchmark --descriptors descriptors/sift`,
		Args: exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runPatchesMatch(cmd, flags, opt)
		},
	}
	fs := cmd.Flags()
	opt.patchFiles.register(fs, "im_a,im_b", "patch n matches patch n")
	opt.patchSource.register(fs)
	opt.patchDatabase.register(fs)
	opt.patchPR.register(fs)
	return cmd
}

func runPatchesMatch(cmd *cobra.Command, flags *commonFlags, opt patchesMatchOptions) error {
	if err := opt.patchFiles.check(); err != nil {
		return err
	}
	if err := checkFigureFormat(opt.format); err != nil {
		return err
	}
	folder, done, err := opt.describe(cmd, flags, opt.descriptors, len(opt.results) > 0)
	if err != nil {
		return err
	}
	defer done()
	opt.descriptors = folder
	if err := opt.patchSource.check(cmd); err != nil {
		return err
	}
	if (opt.descriptors != "") == (len(opt.results) > 0) {
		return usageError{errors.New("want either --results, or --descriptors or --strips")}
	}
	var all []matchedBenchmark
	for i := range opt.benchmarks {
		m, err := opt.match(cmd.Context(), flags, i)
		if err != nil {
			return err
		}
		all = append(all, m)
	}
	entries := make([]patchbench.Result, len(all))
	for i, m := range all {
		entries[i] = m.entry
	}
	entered, err := opt.enter(cmd.Context(), entries...)
	if err != nil {
		return err
	}
	return printMatched(cmd.OutOrStdout(), flags, all, entered)
}

// A matchedBenchmark is a benchmark whose matches have been rated.
type matchedBenchmark struct {
	patchesJSON
	*original.MatchingResult
	Warnings []patchWarning `json:"warnings"`

	warnings []eval.Warning
	written  []string
	entry    patchbench.Result
}

// match reads or computes the matches of benchmark i, and rates them.
func (o *patchesMatchOptions) match(ctx context.Context, flags *commonFlags, i int) (m matchedBenchmark, err error) {
	benchmark := o.benchmarks[i]
	m.Benchmark, m.Results, m.Distance = benchmark, at(o.results, i), o.used(o.descriptors != "")
	b, err := parseFile(benchmark, original.ReadMatchingBenchmark)
	if err != nil {
		return m, err
	}
	var labels *original.MatchingLabels
	if path := at(o.labels, i); path != "" {
		labels, err = parseFile(path, func(name string, r io.Reader) (*original.MatchingLabels, error) {
			return original.ReadMatchingLabels(name, r, b)
		})
		if err != nil {
			return m, err
		}
	}
	var matches []original.Matches
	var set *patches.Set
	if o.descriptors != "" {
		wanted := patches.Wanted{}
		b.Want(wanted)
		if set, err = o.load(ctx, wanted, flags.jobs); err != nil {
			return m, err
		}
		m.Descriptor, m.warnings = set.Name, set.Warnings()
		if matches, err = original.Match(ctx, set, b, patches.Distance(o.distance), flags.jobs); err != nil {
			return m, err
		}
		m.Results, err = o.save(flags, original.Matching, set.Name, benchmark, func(w io.Writer) error { return original.WriteMatches(w, matches) })
		if err != nil {
			return m, err
		}
		m.written = append(m.written, m.Results)
	} else {
		matches, err = parseFile(m.Results, func(name string, r io.Reader) ([]original.Matches, error) {
			return original.ReadMatches(name, r, b, labels)
		})
		if err != nil {
			return m, err
		}
	}
	if m.MatchingResult, err = original.EvaluateMatching(matches, labels); err != nil {
		return m, err
	}
	m.warnings = append(m.warnings, m.MatchingResult.Warnings...)
	m.Warnings = jsonWarnings(m.warnings)
	if set != nil {
		scores, err := o.saveScores(flags, original.Matching, set.Name, benchmark, patchScore{"matching_map", m.MAPOverCorrect})
		if err != nil {
			return m, err
		}
		m.written = append(m.written, scores...)
	}
	asked, answered := original.MatchingDigests(matches, labels)
	if m.entry, err = o.original2016("match", taskName(benchmark), m.Distance, asked, answered, set, m.Results); err != nil {
		return m, err
	}
	m.entry.Metrics, m.entry.Warnings = m.MatchingResult.Metrics(), m.warnings
	byDistance, byRatio := original.MatchingCurves(matches, labels)
	n := float64(len(m.Pairs))
	ratio := 0.0
	for _, pair := range m.Pairs {
		ratio += pair.AP2NNROverN / n
	}
	saved, err := o.keep(m.entry.Descriptor, benchmark,
		report.NamedCurve{Name: "by_distance", Curve: byDistance, MAP: m.MAPOverN}, report.NamedCurve{Name: "by_ratio", Curve: byRatio, MAP: ratio})
	m.written = append(m.written, saved...)
	return m, err
}

// printMatched prints the one benchmark that there is, or else all and their
// mean.
func printMatched(out io.Writer, flags *commonFlags, all []matchedBenchmark, entered []string) error {
	results := make([]*original.MatchingResult, len(all))
	for i, m := range all {
		results[i] = m.MatchingResult
	}
	mean := original.MeanMatching(results)
	if flags.json {
		if len(all) == 1 {
			return printJSON(out, all[0])
		}
		return printJSON(out, struct {
			Benchmarks []matchedBenchmark    `json:"benchmarks"`
			Mean       original.MatchingMean `json:"mean"`
		}{all, mean})
	}
	var written []string
	var warnings []eval.Warning
	for _, m := range all {
		if _, err := fmt.Fprintln(out, headline(taskName(m.Benchmark), m.Descriptor, m.Distance)); err != nil {
			return err
		}
		if err := report.WriteOriginalMatching(out, fmt.Sprintf("Matching of 2016, %d image pairs", len(m.Pairs)), m.MatchingMean); err != nil {
			return err
		}
		written = append(written, m.written...)
		warnings = append(warnings, named(m.warnings, m.Benchmark, len(all))...)
		if len(all) > 1 {
			fmt.Fprintln(out)
		}
	}
	if len(all) > 1 {
		if err := report.WriteOriginalMatching(out, fmt.Sprintf("Mean of %d benchmarks", len(all)), mean); err != nil {
			return err
		}
	}
	return printPatchNotes(out, append(written, entered...), warnings)
}
