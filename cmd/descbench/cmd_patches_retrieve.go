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

type patchesRetrieveOptions struct {
	patchSource
	patchDatabase
	patchFiles
	patchPR
}

func newPatchesRetrieveCommand(flags *commonFlags) *cobra.Command {
	var opt patchesRetrieveOptions
	cmd := &cobra.Command{
		Use:   "retrieve --benchmark F... [--labels F...] [--results F...] [--descriptors DIR | --strips DIR --type KIND]",
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
Without --labels, patch n of a sequence's images is taken to show one place. The
pool has to hold at least 51 patches. Of several benchmarks the mean is printed
too; --labels and --results are then repeated in the same order.

--curves and --figures keep the precision-recall curves of images and of patches,
<descriptor>/<benchmark>_pr.csv and .svg: of each query the greatest precision at
a recall or beyond, recall being over the cluster for patches and over what was
found for images, and the mean of that over the queries, at recalls of 0, 0.01,
.., 1.
` + exitHelp,
		Example: "  descbench patches retrieve --benchmark test_easy_5s_00.benchmark --descriptors descriptors/sift",
		Args:    exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runPatchesRetrieve(cmd, flags, opt)
		},
	}
	fs := cmd.Flags()
	opt.patchFiles.register(fs, "images of the pool, then a query per line", "patch n of a sequence's images")
	opt.patchSource.register(fs)
	opt.patchDatabase.register(fs)
	opt.patchPR.register(fs)
	return cmd
}

func runPatchesRetrieve(cmd *cobra.Command, flags *commonFlags, opt patchesRetrieveOptions) error {
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
	if opt.descriptors == "" && len(opt.results) == 0 {
		return usageError{errors.New("want --results, or --descriptors or --strips, or both")}
	}
	var all []retrievedBenchmark
	for i := range opt.benchmarks {
		r, err := opt.retrieve(cmd.Context(), flags, i)
		if err != nil {
			return err
		}
		all = append(all, r)
	}
	entries := make([]patchbench.Result, len(all))
	for i, r := range all {
		entries[i] = r.entry
	}
	entered, err := opt.enter(cmd.Context(), entries...)
	if err != nil {
		return err
	}
	return printRetrieved(cmd.OutOrStdout(), flags, all, entered)
}

// A retrievedBenchmark is a benchmark whose rankings have been rated.
type retrievedBenchmark struct {
	patchesJSON
	*original.RetrievalResult
	Warnings []patchWarning `json:"warnings"`

	warnings []eval.Warning
	written  []string
	entry    patchbench.Result
}

// retrieve reads or computes what the queries of benchmark i retrieve, and
// rates it.
func (o *patchesRetrieveOptions) retrieve(ctx context.Context, flags *commonFlags, i int) (r retrievedBenchmark, err error) {
	benchmark, computed := o.benchmarks[i], len(o.results) == 0
	r.Benchmark, r.Distance = benchmark, o.used(computed)
	b, err := parseFile(benchmark, original.ReadRetrievalBenchmark)
	if err != nil {
		return r, err
	}
	set, err := o.loadPool(ctx, b, flags.jobs)
	if err != nil {
		return r, err
	}
	counts, err := countsFor(b, set)
	if err != nil {
		return r, err
	}
	clusters := b.SamePlace()
	if path := at(o.labels, i); path != "" {
		clusters, err = parseFile(path, func(name string, r io.Reader) ([][]patches.Signature, error) {
			return original.ReadClusters(name, r, b, counts)
		})
		if err != nil {
			return r, err
		}
	}
	rankings, err := o.rankings(ctx, flags, i, b, set, counts, &r)
	if err != nil {
		return r, err
	}
	if r.RetrievalResult, err = original.EvaluateRetrieval(b, clusters, rankings, counts); err != nil {
		return r, err
	}
	r.warnings = append(r.warnings, r.RetrievalResult.Warnings...)
	r.Warnings = jsonWarnings(r.warnings)
	if computed {
		scores, err := o.saveScores(flags, original.Retrieval, set.Name, benchmark,
			patchScore{"retrieval_im_map", r.ImageMAP}, patchScore{"retrieval_patch_map", r.PatchMAP})
		if err != nil {
			return r, err
		}
		r.written = append(r.written, scores...)
	}
	if set != nil {
		r.Descriptor = set.Name
	}
	asked, answered := original.RetrievalDigests(b, clusters, rankings)
	if r.entry, err = o.original2016("retrieve", taskName(benchmark), r.Distance, asked, answered, set, r.Results); err != nil {
		return r, err
	}
	r.entry.Metrics, r.entry.Warnings = r.RetrievalResult.Metrics(), r.warnings
	images, places := original.RetrievalCurves(clusters, rankings)
	saved, err := o.keep(r.entry.Descriptor, benchmark,
		report.NamedCurve{Name: "images", Curve: images, MAP: r.ImageMAP}, report.NamedCurve{Name: "patches", Curve: places, MAP: r.PatchMAPOverCluster})
	r.written = append(r.written, saved...)
	return r, err
}

// printRetrieved prints the one benchmark that there is, or else all and their
// mean.
func printRetrieved(out io.Writer, flags *commonFlags, all []retrievedBenchmark, entered []string) error {
	results := make([]*original.RetrievalResult, len(all))
	for i, r := range all {
		results[i] = r.RetrievalResult
	}
	mean := original.MeanRetrieval(results)
	if flags.json {
		if len(all) == 1 {
			return printJSON(out, all[0])
		}
		return printJSON(out, struct {
			Benchmarks []retrievedBenchmark   `json:"benchmarks"`
			Mean       original.RetrievalMean `json:"mean"`
		}{all, mean})
	}
	var written []string
	var warnings []eval.Warning
	for _, r := range all {
		if _, err := fmt.Fprintln(out, headline(taskName(r.Benchmark), r.Descriptor, r.Distance)); err != nil {
			return err
		}
		title := fmt.Sprintf("Retrieval of 2016, %d queries, 50 nearest each", r.Queries)
		if err := report.WriteOriginalRetrieval(out, title, r.RetrievalMean, r.ChanceImage, r.ChancePatch); err != nil {
			return err
		}
		written = append(written, r.written...)
		warnings = append(warnings, named(r.warnings, r.Benchmark, len(all))...)
		if len(all) > 1 {
			fmt.Fprintln(out)
		}
	}
	if len(all) > 1 {
		if err := report.WriteOriginalRetrieval(out, fmt.Sprintf("Mean of %d benchmarks", len(all)), mean, nil, nil); err != nil {
			return err
		}
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

// rankings reads or computes what the queries retrieve, and tells r of the file.
func (o *patchesRetrieveOptions) rankings(ctx context.Context, flags *commonFlags, i int, b *original.RetrievalBenchmark, set *patches.Set, counts *original.Counts, r *retrievedBenchmark) ([][]patches.Signature, error) {
	if r.Results = at(o.results, i); r.Results != "" {
		return parseFile(r.Results, func(name string, r io.Reader) ([][]patches.Signature, error) {
			return original.ReadRankings(name, r, b, counts)
		})
	}
	rankings, err := original.Retrieve(ctx, set, b, patches.Distance(o.distance), flags.jobs)
	if err != nil {
		return nil, err
	}
	r.Results, err = o.save(flags, original.Retrieval, set.Name, o.benchmarks[i], func(w io.Writer) error {
		return original.WriteRankings(w, b, rankings.Lists)
	})
	r.written = append(r.written, r.Results)
	r.warnings = append(set.Warnings(), rankings.Warnings...)
	return rankings.Lists, err
}
