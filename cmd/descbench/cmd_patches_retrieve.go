package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"descbench/eval/patches/original"
	"descbench/pipeline/patchbench"
	"descbench/pipeline/report"
)

type patchesRetrieveOptions struct {
	originalFlags
	benchmarkFlags
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
	opt.benchmarkFlags.register(fs, "images of the pool, then a query per line", "patch n of a sequence's images")
	opt.originalFlags.register(flags, fs, "the mean precision-recall curves as CSV", "the mean precision-recall curves")
	return cmd
}

func runPatchesRetrieve(cmd *cobra.Command, flags *commonFlags, opt patchesRetrieveOptions) error {
	if err := opt.benchmarkFlags.check(); err != nil {
		return err
	}
	if err := opt.originalFlags.check(cmd, flags, len(opt.Results) > 0); err != nil {
		return err
	}
	if !opt.describes() && len(opt.Results) == 0 {
		return usageError{errors.New("want --results, or --descriptors or --strips, or both")}
	}
	o, err := opt.open(flags)
	if err != nil {
		return err
	}
	defer o.Close()
	r, err := patchbench.Retrieve(cmd.Context(), o, opt.Files)
	if err != nil {
		return err
	}
	return printRated(cmd.OutOrStdout(), flags, r, ratedFormat[*original.RetrievalResult, original.RetrievalMean]{
		json: func(about ratedJSON, figures *original.RetrievalResult, warnings []patchWarning) any {
			return struct {
				ratedJSON
				*original.RetrievalResult
				Warnings []patchWarning `json:"warnings"`
			}{about, figures, warnings}
		},
		write: func(out io.Writer, f *original.RetrievalResult) error {
			title := fmt.Sprintf("Retrieval of 2016, %d queries, 50 nearest each", f.Queries)
			return report.WriteOriginalRetrieval(out, title, f.RetrievalMean, f.ChanceImage, f.ChancePatch)
		},
		mean: original.MeanRetrieval,
		writeMean: func(out io.Writer, title string, m original.RetrievalMean) error {
			return report.WriteOriginalRetrieval(out, title, m, nil, nil)
		},
	})
}
