package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"descbench/pipeline/patchbench"

	"github.com/spf13/cobra"
)

func newPatchesTasksCommand(flags *commonFlags) *cobra.Command {
	var t patchbench.Tasks
	cmd := &cobra.Command{
		Use:   "tasks --strips DIR --out DIR",
		Short: "Draw the tasks of 2017 over strips",
		Long: `Tasks draws pairs for verification, and queries and distractors for retrieval,
from strips, those of patches extract for example, and writes the files that
patches evaluate takes as --tasks-dir: verif_pos, verif_neg_intra,
verif_neg_inter, retr_queries and retr_distractors of every split, and
splits/splits.json.

The splits are full, with all sequences, and illum and view, if there are two
sequences of either kind. --splits takes those of another splits.json instead, as
far as there are strips of all their test sequences.

A positive pair is a patch in two images of its sequence, a negative one has
another patch of the same sequence (intra) or one of another sequence (inter) in
the place of the second. Queries and distractors are patches of reference images
whose pixels have a standard deviation above 10. No positive pair, query or
distractor is drawn twice. Where there are too few patches, fewer pairs are drawn,
and fewer queries and distractors in the same proportion.
` + exitHelp,
		Example: `  descbench patches tasks --strips strips --out tasks
  descbench patches evaluate --descriptors descriptors/sift --tasks-dir tasks --split full`,
		Args: exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error { return runPatchesTasks(cmd, flags, t) },
	}
	fs := cmd.Flags()
	fs.StringVar(&t.Strips, "strips", "", "folder of strips: <sequence>/<image>.png")
	fs.StringVar(&t.Splits, "splits", "", "draw for the splits of this file")
	fs.IntVar(&t.Pairs, "pairs", 1_000_000, "most pairs of each kind")
	fs.IntVar(&t.Queries, "queries", 10_000, "most queries")
	fs.IntVar(&t.Distractors, "distractors", 20_000, "most distractors")
	fs.Uint64Var(&t.Seed, "seed", 1, "seed of what is drawn")
	flags.addOut(fs, "folder for the tasks")
	flags.addJobs(fs)
	return cmd
}

func runPatchesTasks(cmd *cobra.Command, flags *commonFlags, t patchbench.Tasks) error {
	if err := required("strips", t.Strips); err != nil {
		return err
	}
	if err := required("out", flags.out); err != nil {
		return err
	}
	for _, n := range []struct {
		flag  string
		value int
	}{{"pairs", t.Pairs}, {"queries", t.Queries}, {"distractors", t.Distractors}} {
		if n.value < 1 {
			return usageError{fmt.Errorf("--%s: found %d, want at least 1", n.flag, n.value)}
		}
	}
	t.Out = flags.out
	drawn, leftOut, err := patchbench.Draw(cmd.Context(), t, flags.jobs)
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	if flags.json {
		return printJSON(out, struct {
			Folder  string                  `json:"folder"`
			Seed    uint64                  `json:"seed"`
			Splits  []patchbench.DrawnSplit `json:"splits"`
			LeftOut map[string]string       `json:"left_out,omitempty"`
		}{t.Out, t.Seed, drawn, leftOut})
	}
	return printDrawn(out, t, drawn, leftOut)
}

func printDrawn(out io.Writer, t patchbench.Tasks, drawn []patchbench.DrawnSplit, leftOut map[string]string) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "SPLIT\tSEQUENCES\tPATCHES\tTEXTURED\tPAIRS\tQUERIES\tDISTRACTORS\t")
	for _, d := range drawn {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t\n", d.Split, d.Sequences, d.Patches, d.Textured, d.Pairs, d.Queries, d.Distractors)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(leftOut)) {
		fmt.Fprintf(out, "split %s is left out: there are no strips of %s\n", name, leftOut[name])
	}
	_, err := fmt.Fprintf(out, "tasks: %s\n", t.Out)
	return err
}
