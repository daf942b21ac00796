package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"descbench/descriptors"
	"descbench/eval/fact"
	"descbench/pipeline/keypointsets"
	"descbench/pipeline/patchbench"
	"descbench/pipeline/plan"
	"descbench/pipeline/report/table"
)

type patchesExtractOptions struct {
	patchbench.Extraction
	tableChoice
	keypoints, scenes []string
}

func newPatchesExtractCommand(flags *commonFlags) *cobra.Command {
	var opt patchesExtractOptions
	cmd := &cobra.Command{
		Use:   "extract --keypoints CONFIG#NAME... --out DIR",
		Short: "Cut strips of patches out of scenes",
		Long: `Extract converts scenes to sequences of the patch benchmark: strips of 65×65 px patches
around the keypoints of image 1, in the format that patches describe reads. ref.png
contains the patches of image 1. The strips e1, h1 and t1 to e5, h5 and t5 contain the
patches of images 2 to 6, located by the homographies and jittered more and more.

A region is a square with a side of --side keypoint sizes, rotated by the keypoint's
angle. A keypoint is rejected if a region of it is not completely inside its image, or
overlaps the region of one accepted before by more than --overlap, the intersection over
union of their inscribed circles; keypoints are visited in random order. docs/patches.md
describes the jitter and the files.

Rerun the command to resume it. Sequences cut with other settings, or from other scenes
or keypoints, are rejected; --overwrite replaces them.`,
		Example: `  descbench patches extract --keypoints configs/sift_baseline.yaml#sift --out strips
  descbench patches extract --keypoints configs/demo.yaml#sift_2k --color --side 7.5 --out strips`,
		Args: exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error { return runPatchesExtract(cmd, flags, opt) },
	}
	fs := cmd.Flags()
	fs.StringSliceVar(&opt.keypoints, "keypoints", nil, "keypoint sets, CONFIG#NAME")
	fs.StringSliceVar(&opt.scenes, "scenes", nil, "names of scenes (default: all)")
	fs.Float64Var(&opt.Side, "side", descriptors.BaselinePatch, "side of a region in keypoint sizes")
	fs.Float64Var(&opt.Overlap, "overlap", 0.5, "maximum overlap of two regions, 0 to 1")
	fs.IntVar(&opt.Limit, "limit", 2000, "maximum number of patches per sequence, a random sample; 0: as many as fit in a strip, 15384")
	fs.Uint64Var(&opt.Seed, "seed", 1, "random seed for the jitter and the sample")
	fs.BoolVar(&opt.Color, "color", false, "extract patches in colour")
	fs.BoolVar(&opt.Overwrite, "overwrite", false, "replace existing sequences")
	limits(fs, "side", 0.1, 1000)
	limits(fs, "overlap", 0, 1)
	limits(fs, "limit", 0, 0)
	flags.addOut(fs, "folder for the strips")
	flags.addConfig(fs)
	flags.addCache(fs)
	flags.addJobs(fs)
	requires(fs, "out", "keypoints")
	opt.register(cmd, flags, "sequence")
	return cmd
}

func runPatchesExtract(cmd *cobra.Command, flags *commonFlags, opt patchesExtractOptions) (err error) {
	if opt.Of, err = opt.sets(flags); err != nil {
		return err
	}
	opt.Out = flags.out
	bar := newProgress(flags)
	options := flags.options()
	options.Progress = bar.show
	done, err := patchbench.Extract(cmd.Context(), opt.Extraction, options, bar.items("", "scenes"))
	bar.end()
	failed, some := errors.AsType[*plan.FailedScenesError](err)
	if err != nil && !some {
		return err
	}
	t := table.New(append(wordColumns("sequence"), countColumns("keypoints", "sizeless", "outside", "overlapping", "beyond_limit", "patches", "upright")...)...)
	t.Columns[2].Title = "no size"
	total := 0
	for _, s := range done {
		addRow(t, s.Sequence, s.Keypoints, s.Sizeless, s.Outside, s.Overlapping, s.BeyondLimit, s.Patches, s.Upright)
		total += s.Patches
	}
	if some {
		for _, name := range slices.Sorted(maps.Keys(failed.Failed)) {
			t.Notes = append(t.Notes, table.Note{Fact: fact.Fact{Kind: "failed", Part: name}, Text: fmt.Sprintf("%s failed: %s", name, failed.Failed[name])})
		}
	}
	t.Note("%d patches in %d sequences: %s", total, len(done), opt.Out)
	return cmp.Or(err, opt.show(cmd, t))
}

// sets returns the keypoint sets over the selected scenes.
func (opt *patchesExtractOptions) sets(flags *commonFlags) (sets []keypointsets.Source, err error) {
	of := *flags
	of.set = append(slices.Clone(flags.set), "dataset.groups=") // sequences have the names of files
	if len(opt.scenes) > 0 {
		of.set = append(of.set, "dataset.scenes="+strings.Join(opt.scenes, ","))
	}
	for _, address := range opt.keypoints {
		set, err := addressed(&of, address)
		if err != nil {
			return nil, err
		}
		sets = append(sets, set)
	}
	return sets, nil
}
