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
	"descbench/pipeline/report"
)

type patchesRetrieveOptions struct {
	patchSource
	patchDatabase
	benchmark, labels, results string
}

func newPatchesRetrieveCommand(flags *commonFlags) *cobra.Command {
	var opt patchesRetrieveOptions
	cmd := &cobra.Command{
		Use:   "retrieve --benchmark F [--labels F] [--results F] [--descriptors DIR]",
		Short: "Retrieve patches and images, or evaluate what was retrieved (2016)",
		Long: `Retrieve evaluates the results of a retrieval benchmark of 2016: per query the
query itself and its 50 nearest patches of the pool. With --descriptors and
without --results it computes them first and writes them to
results/retrieval/<descriptor>/<benchmark>.results below --out (default: the
current folder); where another patch has the descriptor of the query, the query
is put first all the same, and a warning says so. With both, descriptors tell
how many patches the images have: indexes are checked and chance levels known.
Without descriptors the labels of the matching benchmark tell it, where that
lies beside the folder of this one (matching/ next to retrieval/, as in the
benchmark's own layout).
Without --labels, patch n of a sequence's images is taken to show one place.
` + exitHelp,
		Example: "  descbench patches retrieve --benchmark test_easy_5s_00.benchmark --descriptors descriptors/sift",
		Args:    exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runPatchesRetrieve(cmd, flags, opt)
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&opt.benchmark, "benchmark", "", "the .benchmark file: images of the pool, then a query per line")
	fs.StringVar(&opt.labels, "labels", "", "its .labels file (default: patch n of a sequence's images)")
	fs.StringVar(&opt.results, "results", "", "evaluate this .results file")
	opt.patchSource.register(fs)
	opt.patchDatabase.register(fs)
	return cmd
}

func runPatchesRetrieve(cmd *cobra.Command, flags *commonFlags, opt patchesRetrieveOptions) error {
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
	if opt.descriptors == "" && opt.results == "" {
		return usageError{errors.New("want --results, --descriptors or both")}
	}
	b, err := parseFile(opt.benchmark, original.ReadRetrievalBenchmark)
	if err != nil {
		return err
	}
	set, err := opt.loadPool(cmd.Context(), b, flags.jobs)
	if err != nil {
		return err
	}
	counts, err := countsFor(b, set)
	if err != nil {
		return err
	}
	clusters := b.SamePlace()
	if opt.labels != "" {
		clusters, err = parseFile(opt.labels, func(name string, r io.Reader) ([][]patches.Signature, error) {
			return original.ReadClusters(name, r, b, counts)
		})
		if err != nil {
			return err
		}
	}
	rankings, results, warnings, err := opt.rankings(cmd.Context(), flags, b, set, counts)
	if err != nil {
		return err
	}
	figures, err := original.EvaluateRetrieval(b, clusters, rankings, counts)
	if err != nil {
		return err
	}
	warnings = append(warnings, figures.Warnings...)
	written := []string{results}
	if opt.results == "" {
		scores, err := opt.saveScores(flags, original.Retrieval, set.Name, opt.benchmark,
			patchScore{"retrieval_im_map", figures.ImageMAP}, patchScore{"retrieval_patch_map", figures.PatchMAP})
		if err != nil {
			return err
		}
		written = append(written, scores...)
	}
	asked, answered := original.RetrievalDigests(b, clusters, rankings)
	entry, err := original2016("retrieve", taskName(opt.benchmark), opt.used(opt.results == ""), asked, answered, set, results)
	if err != nil {
		return err
	}
	entry.Metrics, entry.Warnings = figures.Metrics(), warnings
	entered, err := opt.enter(cmd.Context(), entry)
	if err != nil {
		return err
	}
	descriptor, distance := "", opt.used(opt.results == "")
	if set != nil {
		descriptor = set.Name
	}
	out := cmd.OutOrStdout()
	if flags.json {
		return printJSON(out, struct {
			patchesJSON
			*original.RetrievalResult
			Warnings []patchWarning `json:"warnings"`
		}{patchesJSON{opt.benchmark, results, descriptor, distance}, figures, jsonWarnings(warnings)})
	}
	if _, err := fmt.Fprintln(out, headline(taskName(opt.benchmark), descriptor, distance)); err != nil {
		return err
	}
	if err := report.WriteOriginalRetrieval(out, figures); err != nil {
		return err
	}
	return printPatchNotes(out, append(written, entered...), warnings)
}

// countsFor returns what is known of the numbers of patches.
func countsFor(b *original.RetrievalBenchmark, set *patches.Set) (*original.Counts, error) {
	if set != nil {
		return original.CountsOf(set), nil
	}
	return original.CountsBeside(b.File)
}

// loadPool reads the descriptors of the pool, if any are given.
func (o *patchesRetrieveOptions) loadPool(ctx context.Context, b *original.RetrievalBenchmark, workers int) (*patches.Set, error) {
	if o.descriptors == "" {
		return nil, nil
	}
	wanted := patches.Wanted{}
	b.Want(wanted)
	return o.load(ctx, wanted, workers)
}

// rankings reads or computes what the queries retrieve. results is their file.
func (o *patchesRetrieveOptions) rankings(ctx context.Context, flags *commonFlags, b *original.RetrievalBenchmark, set *patches.Set, counts *original.Counts) (lists [][]patches.Signature, results string, warnings []eval.Warning, err error) {
	if o.results != "" {
		lists, err = parseFile(o.results, func(name string, r io.Reader) ([][]patches.Signature, error) {
			return original.ReadRankings(name, r, b, counts)
		})
		return lists, o.results, nil, err
	}
	rankings, err := original.Retrieve(ctx, set, b, patches.Distance(o.distance), flags.jobs)
	if err != nil {
		return nil, "", nil, err
	}
	results, err = o.save(flags, original.Retrieval, set.Name, o.benchmark, func(w io.Writer) error {
		return original.WriteRankings(w, b, rankings.Lists)
	})
	return rankings.Lists, results, append(set.Warnings(), rankings.Warnings...), err
}
