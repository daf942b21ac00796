package main

import (
	"fmt"
	"maps"
	"slices"

	"descbench/eval/patches/y2017"
	"descbench/pipeline/patchbench"
	"descbench/pipeline/report/table"

	"github.com/spf13/cobra"
)

func newPatchesTasksCommand(flags *commonFlags) *cobra.Command {
	var t patchbench.Tasks
	var choice tableChoice
	var edition, split string
	cmd := &cobra.Command{
		Use:   "tasks --strips DIR --out DIR",
		Short: "Draw the tasks of 2017 or of 2016 from strips",
		Long: `Tasks draws patch pairs for verification, and queries and distractors for retrieval, from
strips such as those of patches extract. It writes the files that patches evaluate reads
from --tasks-dir, for the splits full, illum, view and holdout, or those of another
splits.json (--splits). A split is skipped if strips are missing for any of its test
sequences. docs/patches.md says how pairs, queries and distractors are drawn.

--edition 2016 writes the definition files of the first edition instead, for patches
classify, match and retrieve, in the folders classification, matching and retrieval. The
test set, and the training set if there is one, are those of --split.

A folder with tasks drawn with other settings, or from
other strips, is rejected; --overwrite replaces them.`,
		Example: `  descbench patches tasks --strips strips --out tasks
  descbench patches evaluate --descriptors descriptors/sift --tasks-dir tasks --split full
  descbench patches tasks --strips strips --edition 2016 --out benchmarks
  descbench patches match --benchmark benchmarks/matching/test_easy_illum.benchmark --descriptors descriptors/sift`,
		Args: exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			for flag, of := range map[string]string{"queries": "2017", "distractors": "2017", "split": "2016"} {
				if edition != of && cmd.Flags().Changed(flag) {
					return usageError{fmt.Errorf("--%s applies to --edition %s, found %s", flag, of, edition)}
				}
			}
			if t.Out = flags.out; edition == "2016" {
				return runOriginalTasks(cmd, flags, &choice, t, split)
			}
			return runPatchesTasks(cmd, flags, &choice, t)
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&t.Strips, "strips", "", "folder of strips: <sequence>/<image>.png")
	fs.StringVar(&t.Splits, "splits", "", "use the splits in this splits.json file")
	fs.StringVar(&edition, "edition", "2017", "edition of the benchmark: 2017 or 2016")
	fs.StringVar(&split, "split", "", "with --edition 2016, the split of test and training sequences (default: holdout, or a with --splits)")
	fs.IntVar(&t.Pairs, "pairs", 1_000_000, "maximum number of pairs of each kind")
	fs.IntVar(&t.Queries, "queries", 10_000, "maximum number of queries")
	fs.IntVar(&t.Distractors, "distractors", 20_000, "maximum number of distractors")
	fs.Uint64Var(&t.Seed, "seed", 1, "random seed for drawing")
	fs.BoolVar(&t.Overwrite, "overwrite", false, "replace existing tasks")
	flags.addOut(fs, "folder for the tasks")
	flags.addJobs(fs)
	requires(fs, "strips", "out")
	for _, number := range []string{"pairs", "queries", "distractors"} {
		limits(fs, number, 1, 0)
	}
	allows(fs, "edition", "2017", "2016")
	choice.register(cmd, flags, "split")
	return cmd
}

func runPatchesTasks(cmd *cobra.Command, flags *commonFlags, choice *tableChoice, t patchbench.Tasks) error {
	drawn, leftOut, err := patchbench.Draw(cmd.Context(), t, flags.jobs)
	if err != nil {
		return err
	}
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(leftOut)) {
		lines = append(lines, fmt.Sprintf("split %s skipped: no strips of %s", name, leftOut[name]))
	}
	return choice.show(cmd, drawnTable(drawn), table.Notes(append(lines, "tasks: "+t.Out)...)...)
}

func runOriginalTasks(cmd *cobra.Command, flags *commonFlags, choice *tableChoice, t patchbench.Tasks, split string) error {
	drawn, err := patchbench.DrawOriginal(cmd.Context(), t, split, flags.jobs)
	if err != nil {
		return err
	}
	rows := table.New(append(wordColumns("set"), countColumns("sequences", "patches", "textured", "positives", "negatives", "image_pairs", "pools", "queries")...)...)
	for _, d := range drawn {
		addRow(rows, d.Set, d.Sequences, d.Patches, d.Textured, d.Positives, d.Negatives, d.ImagePairs, d.Pools, d.Queries)
	}
	return choice.show(cmd, rows, table.Note{Text: "benchmarks: " + t.Out})
}

func drawnTable(drawn []*y2017.Drawn) *table.Table {
	t := table.New(append(wordColumns("split"), countColumns("sequences", "patches", "textured", "pairs", "queries", "distractors")...)...)
	for _, d := range drawn {
		patches := 0
		for _, s := range d.Sequences {
			patches += s.Patches
		}
		addRow(t, d.Split, len(d.Sequences), patches, d.Textured, len(d.Positive), len(d.Queries), len(d.Distractors))
	}
	return t
}
