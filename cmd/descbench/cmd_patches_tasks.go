package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"descbench/pipeline/patchbench"
	"descbench/pipeline/report/table"

	"github.com/spf13/cobra"
)

func newPatchesTasksCommand(flags *commonFlags) *cobra.Command {
	var t patchbench.Tasks
	var choice tableChoice
	cmd := &cobra.Command{
		Use:   "tasks --strips DIR --out DIR",
		Short: "Draw the tasks of 2017 from strips",
		Long: `Tasks draws patch pairs for verification, and queries and distractors for
retrieval, from strips such as those of patches extract. It writes the files that
patches evaluate reads from --tasks-dir: verif_pos, verif_neg_intra,
verif_neg_inter, retr_queries and retr_distractors for every split, and
splits/splits.json.

The splits are full, with all sequences, and illum and view, each if there are at
least two sequences of its kind. --splits uses the splits of another splits.json
instead. A split is skipped if strips are missing for any of its test sequences.

A positive pair shows the same patch in two images of its sequence. In a negative
pair, the second patch is a different patch of the same sequence (intra) or a patch
of another sequence (inter). Queries and distractors are patches of reference
images with a standard deviation of pixel values above 10. Positive pairs, queries
and distractors are drawn without repetition. With too few patches, fewer pairs are
drawn, and the numbers of queries and distractors are reduced in proportion.

If the command is interrupted, repeat it. tasks.json records the settings; a folder
with tasks drawn with other settings, or from other strips, is rejected, and
--overwrite replaces them. tasks.parts.json, with the digests of all files, marks a
complete folder.
` + exitHelp,
		Example: `  descbench patches tasks --strips strips --out tasks
  descbench patches evaluate --descriptors descriptors/sift --tasks-dir tasks --split full`,
		Args: exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error { return runPatchesTasks(cmd, flags, &choice, t) },
	}
	fs := cmd.Flags()
	fs.StringVar(&t.Strips, "strips", "", "folder of strips: <sequence>/<image>.png")
	fs.StringVar(&t.Splits, "splits", "", "use the splits in this splits.json file")
	fs.IntVar(&t.Pairs, "pairs", 1_000_000, "maximum number of pairs of each kind")
	fs.IntVar(&t.Queries, "queries", 10_000, "maximum number of queries")
	fs.IntVar(&t.Distractors, "distractors", 20_000, "maximum number of distractors")
	fs.Uint64Var(&t.Seed, "seed", 1, "random seed for drawing")
	fs.BoolVar(&t.Overwrite, "overwrite", false, "replace existing tasks")
	flags.addOut(fs, "folder for the tasks")
	flags.addJobs(fs)
	for _, number := range []string{"pairs", "queries", "distractors"} {
		limits(fs, number, 1, 0)
	}
	choice.registerFor(fs, "splits", drawnTable(nil))
	return cmd
}

func runPatchesTasks(cmd *cobra.Command, flags *commonFlags, choice *tableChoice, t patchbench.Tasks) error {
	if err := cmp.Or(choice.checkWhole(cmd, flags), required("strips", t.Strips), required("out", flags.out)); err != nil {
		return err
	}
	t.Out = flags.out
	drawn, leftOut, err := patchbench.Draw(cmd.Context(), t, flags.jobs)
	if err != nil {
		return err
	}
	if choice.is(table.JSON) {
		return printJSON(cmd.OutOrStdout(), struct {
			Folder  string                  `json:"folder"`
			Seed    uint64                  `json:"seed"`
			Splits  []patchbench.DrawnSplit `json:"splits"`
			LeftOut map[string]string       `json:"left_out,omitempty"`
		}{t.Out, t.Seed, drawn, leftOut})
	}
	if err := choice.show(cmd, drawnTable(drawn)); err != nil {
		return err
	}
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(leftOut)) {
		lines = append(lines, fmt.Sprintf("split %s skipped: no strips of %s", name, leftOut[name]))
	}
	return choice.printRemarks(cmd, append(lines, "tasks: "+t.Out))
}

func drawnTable(drawn []patchbench.DrawnSplit) *table.Table {
	t := table.New(
		table.Titled("split", table.Words, 0), table.Titled("sequences", table.Count, 0), table.Titled("patches", table.Count, 0),
		table.Titled("textured", table.Count, 0), table.Titled("pairs", table.Count, 0), table.Titled("queries", table.Count, 0),
		table.Titled("distractors", table.Count, 0),
	)
	for _, d := range drawn {
		t.Add(
			table.Text(d.Split), table.Integer(d.Sequences), table.Integer(d.Patches), table.Integer(d.Textured),
			table.Integer(d.Pairs), table.Integer(d.Queries), table.Integer(d.Distractors),
		)
	}
	return t
}
