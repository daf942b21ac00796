package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"descbench/eval/fact"
	"descbench/eval/patches"
	"descbench/eval/patches/y2017"
	"descbench/pipeline/charts"
	"descbench/pipeline/patchbench"
	"descbench/pipeline/report"
	"descbench/pipeline/report/figure"
	"descbench/pipeline/report/table"
)

type patchesEvaluateOptions struct {
	patchbench.Evaluation
	tasks     []string
	folders   []string // of descriptors
	figures   string   // --figures: folder
	formats   []string // of figures
	published bool
	table     tableChoice
}

func newPatchesEvaluateCommand(flags *commonFlags) *cobra.Command {
	var opt patchesEvaluateOptions
	cmd := &cobra.Command{
		Use:   "evaluate --descriptors DIR... --tasks-dir DIR [--split NAME]",
		Short: "Run patch verification, image matching and patch retrieval",
		Long: `Evaluate runs the tasks of 2017: verification (do two patches show the same place?),
matching (nearest neighbours between two images) and retrieval (finding the counterparts
of a query among distractors), over all sequences of a split and separately over its
illumination and viewpoint sequences. The table has a row per descriptor with the mean
average precision of each task and 95 % intervals by the bootstrap over sequences.

--tasks-dir contains verif_*_split-NAME.csv, retr_*_split-NAME.csv and
splits/splits.json. --protocol selects the definitions of the metrics: p17 follows
the public Python code, m17 the MATLAB code of 2017, hb2016 the first edition.
grouped is this program's own protocol, which treats equal distances as one group.
Do not compare metrics of different protocols.

--columns patch_matching_map_NOISE is a table by noise level; --wide adds a table of all
metrics. --published adds the results published on the same split of HPatches, full or a. --pca-power-law normalises descriptors with the statistics of the
split's training sequences, as the Python code does; see docs/patches.md. --database
stores the metrics for patches compare.`,
		Example: `  descbench patches evaluate --descriptors descriptors/sift --tasks-dir tasks --split a --protocol p17
  descbench patches evaluate --descriptors descriptors/sift --descriptors descriptors/orb --tasks-dir tasks --database results.sqlite`,
		Args: exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runPatchesEvaluate(cmd, flags, opt)
		},
	}
	fs := cmd.Flags()
	fs.StringSliceVar(&opt.folders, "descriptors", nil, "folder with the files of one descriptor: <sequence>/<image>.csv (repeatable)")
	fs.StringVar(&opt.TasksDir, "tasks-dir", "", "folder with the task files and splits/splits.json")
	fs.StringVar(&opt.Split, "split", "", "name of the split (default: a, or holdout of patches tasks, which also writes full, illum and view)")
	fs.StringVar((*string)(&opt.Protocol), "protocol", string(y2017.Grouped), "definitions of the metrics: "+names(y2017.Protocols()))
	fs.StringVar((*string)(&opt.Distance), "distance", string(patches.L2), "distance between descriptors: "+names(y2017.Distances()))
	fs.BoolVar(&opt.PCAPowerLaw, "pca-power-law", false, "whiten descriptors and take signed square roots first")
	fs.StringSliceVar(&opt.tasks, "tasks", nil, "tasks to run: "+names(y2017.Tasks())+" (default all)")
	fs.BoolVar(&opt.published, "published", false, "add the results published on the split, with their sources")
	fs.StringVar(&opt.figures, "figures", "", "draw charts in this folder, with captions")
	registerFormats(fs, "figure-format", &opt.formats)
	allows(fs, "protocol", wordsOf(y2017.Protocols())...)
	allows(fs, "distance", wordsOf(y2017.Distances())...)
	allows(fs, "tasks", wordsOf(y2017.Tasks())...)
	flags.addJobs(fs)
	requires(fs, "descriptors", "tasks-dir")
	opt.table.register(cmd, flags, "descriptor")
	fs.Lookup("columns").Usage += ", or metrics such as patch_matching_map_NOISE; descbench metrics lists them"
	registerDatabase(fs, &opt.Database)
	return cmd
}

func runPatchesEvaluate(cmd *cobra.Command, flags *commonFlags, opt patchesEvaluateOptions) error {
	for _, t := range opt.tasks {
		opt.Tasks = append(opt.Tasks, y2017.Task(t))
	}
	opt.Workers, opt.Version = flags.jobs, version
	sources, err := patchbench.Folders(opt.folders)
	if err != nil {
		return err
	}
	results, written, err := patchbench.Evaluate(cmd.Context(), sources, opt.Evaluation)
	if err != nil {
		return err
	}
	if opt.figures != "" {
		drawn := slices.DeleteFunc(slices.Clone(results), func(r *y2017.Result) bool { return !opt.table.chosen(r.Descriptor) })
		if len(drawn) == 0 {
			return usageError{errors.New("--figures draws your descriptors, of which --only names none")}
		}
		files, err := charts.OfPatches(drawn).Write(cmd.Context(), opt.figures, sortedFormats(opt.formats), figure.Column)
		if err != nil {
			return err
		}
		for i, file := range files {
			files[i] = filepath.Join(opt.figures, file)
		}
		written = append(files, written...)
	}
	for i, path := range written {
		written[i] = "file: " + path
	}
	published, none := patchbench.Published(results[0], opt.TasksDir)
	var lines, names []string
	for _, p := range published {
		names = append(names, p.Method)
	}
	switch {
	case opt.published && none != "":
		lines = []string{none}
	case !opt.published && none == "":
		lines = []string{fmt.Sprintf("published results of %d descriptors on split %s: --published", len(distinct(names)), results[0].Split)}
		published = nil
	case len(opt.table.only) > 0 && !slices.ContainsFunc(names, opt.table.chosen): // chooses among yours
		opt.table.only = append(opt.table.only, names...)
	}
	return opt.print(cmd, results, published, append(lines, written...))
}

// print prints a row per descriptor, with --wide all metrics of each.
func (opt *patchesEvaluateOptions) print(cmd *cobra.Command, results []*y2017.Result, published []report.PublishedRow, lines []string) error {
	t := report.PatchTasks(results, published, opt.table.forPrograms())
	all, columns := opt.table.wide && opt.table.forPrograms(), opt.table.columns
	if !all && columns == nil && opt.table.sort != "" { // the usual ones, and that to sort by
		if !opt.table.forPrograms() {
			t.DropEmpty()
		}
		for _, c := range t.Columns {
			columns = append(columns, c.Name)
		}
		columns = append(columns, opt.table.sort)
	} else if columns != nil && published != nil {
		columns = append(columns, "source")
	}
	if opt.table.columns = columns; all || columns != nil {
		report.AddPatchMetrics(t, results)
	}
	if err := opt.table.prepare(t); err != nil {
		return err
	}
	report.NotePatchTasks(t, results)
	if opt.table.is(table.JSON) { // each of its facts
		t.Facts = nil
		for _, r := range results {
			if opt.table.chosen(r.Descriptor) {
				t.Tell(fact.About(r.Descriptor, r.Facts)...)
			}
		}
	}
	for _, text := range lines {
		t.Notes = append(t.Notes, table.Note{Text: text, Aside: true})
	}
	t.Note("%s", report.ProtocolNote(opt.Protocol))
	if others := patchbench.OtherSplits(opt.TasksDir, results[0].Split); opt.Split == "" && others != nil {
		t.More = append(t.More, "other splits: --split "+strings.Join(others, ", "))
	}
	if err := opt.table.print(cmd, t); err != nil || opt.table.forPrograms() {
		return err
	}
	for _, r := range results {
		if !opt.table.wide || !opt.table.chosen(r.Descriptor) {
			continue
		}
		fmt.Fprintln(cmd.OutOrStdout())
		if err := opt.table.print(cmd, report.PatchDetails(r, !opt.table.is(table.AsText))); err != nil {
			return err
		}
	}
	return nil
}
