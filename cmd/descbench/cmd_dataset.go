package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"descbench/eval/fact"
	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/dataset/fit"
	"descbench/pipeline/dataset/synth"
	"descbench/pipeline/notes"
	"descbench/pipeline/report/table"
	"descbench/pipeline/store"
)

func newDatasetCommand(flags *commonFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "dataset",
		Short: "List, check, render and download scenes",
		Long: `A data set is a folder of scenes in HPatches layout. Each scene is a folder with
the images 1, 2, … and the homographies H_1_2, H_1_3, …, which map pixels of image 1
to the other images. A homography is nine decimal numbers. Scene names begin with v_ for
viewpoint changes, with i_ for illumination changes. 'list' reads headers, 'verify'
decodes. docs/data.md has the other layouts and the rules for images.`,
	}
	cmd.AddCommand(newDatasetListCommand(flags), newDatasetVerifyCommand(flags), newDatasetSynthCommand(flags), newDatasetFetchCommand(flags))
	return cmd
}

func newDatasetListCommand(flags *commonFlags) *cobra.Command {
	var choice tableChoice
	var s survey
	cmd := &cobra.Command{
		Use:     "list --data DIR",
		Short:   "List the scenes of a folder",
		Example: "  descbench dataset list --data testdata/scenes",
		Long: `Lists the scenes of a folder: image sizes, whether they are scenes of HPatches,
by their names, and missing files. Reads files without decoding them; verify decodes
them.`,
		Args: exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			found, err := s.list(cmd.Context(), flags, false)
			if err != nil {
				return err
			}
			return choice.show(cmd, sceneTable(found.Scenes, false), surveyNotes(found)...)
		},
	}
	s.register(cmd.Flags(), flags)
	choice.register(cmd, flags, "scene")
	return cmd
}

func newDatasetVerifyCommand(flags *commonFlags) *cobra.Command {
	var choice tableChoice
	var deep bool
	var s survey
	cmd := &cobra.Command{
		Use:     "verify --data DIR",
		Short:   "Check that every scene can be used",
		Example: "  descbench dataset verify --data testdata/scenes\n  descbench dataset verify --data testdata/scenes --deep",
		Long: `Reads and decodes every image and homography of a folder of scenes. Prints one line per
scene: image sizes, the least share of image 1 that is visible in another, and, with --wide,
the digest; or the error. Files must be those that SHA256SUMS lists, if the folder has one.

With --deep it also checks, by SIFT matches, whether each homography or pair of cameras
fits its images, as a run does, and names the reading of a camera's numbers that fits
instead, or of depth: its unit, z or distance, and the focal lengths that it was made
with. A homography fits if it explains at least half as many matches as the one
estimated from them; nothing is decided if both explain too few.

Exits with status 3 if a scene is broken or a homography or pair of cameras does not fit.`,
		Args: exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			found, err := s.list(cmd.Context(), flags, true)
			if err != nil {
				return err
			}
			shown, notes := sceneTable(found.Scenes, true), surveyNotes(found)
			var pairs []fit.Pair
			if deep {
				if pairs, err = fit.All(cmd.Context(), found, s.maxMegapixels, flags.jobs); err != nil {
					return err
				}
				if notes = append(notes, fitNotes(pairs)...); pairs != nil {
					shown = fitTable(pairs) // else the table that says that all scenes are broken
				}
			} else {
				notes = append(notes, table.Note{Text: "homographies and cameras not compared with images: --deep compares them"})
			}
			err = choice.show(cmd, shown, notes...)
			if differ, _ := fit.Count(pairs); err == nil && differ > 0 {
				err = store.Faultf(found.Source.Root, "the images of %d of %d pairs contradict their homographies or cameras", differ, len(pairs))
			}
			if err != nil || found.Broken == 0 {
				return err
			}
			return store.Faultf(flags.data, "%d of %d scenes broken", found.Broken, len(found.Scenes))
		},
	}
	cmd.Flags().BoolVar(&deep, "deep", false, "also check whether each homography or pair of cameras fits its images")
	s.register(cmd.Flags(), flags)
	choice.register(cmd, flags, "scene")
	return cmd
}

// A survey holds the flags that say where scenes are.
type survey struct {
	dataset.Source
	maxMegapixels int
}

func (s *survey) register(fs *pflag.FlagSet, flags *commonFlags) {
	flags.addData(fs)
	flags.addJobs(fs)
	fs.StringVar(&s.Pairs, "pairs", "", "list of pairs of images in --data with cameras, as dataset.pairs of a config")
	fs.StringVar(&s.Groups, "groups", "", "file with lines SCENE GROUP, as dataset.groups of a config")
	fs.BoolVar(&s.Corner, "corner", false, "principal points are measured from the corner of the first pixel, as with dataset.origin: corner")
	fs.IntVar(&s.maxMegapixels, "max-megapixels", config.DefaultMaxMegapixels, "largest image, in 10^6 pixels, as dataset.max_megapixels of a config")
	limits(fs, "max-megapixels", 1, config.MaxMegapixels)
}

// list lists the scenes, and decodes their files if that is wanted.
func (s *survey) list(ctx context.Context, flags *commonFlags, decode bool) (*dataset.Survey, error) {
	if s.Root = flags.data; s.Root == "" {
		return nil, usageError{errors.New("--data is missing, want a folder of scenes")}
	}
	return s.List(ctx, s.maxMegapixels, flags.jobs, decode)
}

// sceneTable lists scenes; if their files have been decoded, with what only that shows.
func sceneTable(scenes []dataset.SurveyedScene, decoded bool) *table.Table {
	t := table.New(slices.Concat(wordColumns("scene", "category", "hpatches", "verdict"), countColumns("images"), wordColumns("sizes"))...)
	good := ""
	if decoded {
		overlap := table.Column{Name: "overlap", Title: "visible", Full: "least share of image 1 visible in another", Unit: table.Share}
		good, t.Columns = "good", append(t.Columns, overlap, table.Titled("digest", table.Words, 2))
	}
	for _, s := range scenes {
		row := []any{s.Name, scope.Category(s.Name), map[bool]string{false: "no", true: "yes"}[dataset.IsHPatches(s.Name)], good, len(s.Images), sizes(s.Images)}
		switch {
		case s.Fault != "":
			row = append(row[:3], "broken")
		case decoded:
			row = append(row, slices.Min(s.Overlap[1:]), s.Digest)
		}
		addRow(t, append(row, make([]any, len(t.Columns)-len(row))...)...)
	}
	return t
}

// surveyNotes are the notes below a table of scenes: what is wrong with them, and the totals.
func surveyNotes(found *dataset.Survey) []table.Note {
	var broken, warnings []table.Note
	genuine := 0
	for _, s := range found.Scenes {
		if s.Fault != "" {
			broken = append(broken, table.Note{Fact: fact.Fact{Kind: "broken", Part: s.Name}, Text: "broken: " + s.Fault})
		}
		for _, f := range s.Facts {
			warnings = append(warnings, table.Note{Fact: f, Text: "warning: " + notes.Text(f)})
		}
		if dataset.IsHPatches(s.Name) {
			genuine++
		}
	}
	all := append(broken, warnings...)
	if text := depthText(found); text != "" {
		all = append(all, table.Note{Text: text})
	}
	if len(found.NotScenes) > 0 {
		all = append(all, table.Note{Text: "not scenes: " + strings.Join(found.NotScenes, ", ")})
	}
	return append(all, table.Note{Text: fmt.Sprintf("%s, %d with names of HPatches, %d broken", spelling.Count(len(found.Scenes), "scene"), genuine, found.Broken)})
}

// depthText says what depth the images have, "" if none has any.
func depthText(found *dataset.Survey) string {
	images, with, least, largest, nearest, farthest := 0, 0, 1., 0., math.Inf(1), 0.
	for _, s := range found.Scenes {
		for _, img := range s.Images {
			images++
			if k, ok := img.Known(); ok {
				with++
				least, largest = min(least, k.Share), max(largest, k.Share)
				nearest, farthest = min(nearest, k.Least), max(farthest, k.Most)
			}
		}
	}
	if with == 0 {
		return ""
	}
	if largest == 0 {
		return fmt.Sprintf("%d of %d images have depth files, without depth of any pixel", with, images)
	}
	return fmt.Sprintf("%d of %d images have depth: %.0f to %.0f %% of their pixels, from %.3g to %.3g in the unit of t", with, images, 100*least, 100*largest, nearest, farthest)
}

// sizes formats the common size of the images, or every size if they differ.
func sizes(images []dataset.ImageFile) string {
	sizes := spelling.Words(images, func(img dataset.ImageFile) string { return fmt.Sprintf("%dx%d", img.Width, img.Height) })
	if same := slices.Compact(slices.Clone(sizes)); len(same) == 1 {
		return same[0]
	}
	return strings.Join(sizes, " ")
}

func newDatasetSynthCommand(flags *commonFlags) *cobra.Command {
	opt := synth.Options{}
	var size string
	cmd := &cobra.Command{
		Use:     "synth --out DIR",
		Short:   "Render synthetic scenes with exactly known homographies",
		Example: "  descbench dataset synth --scenes 8 --size 800x600 --out scenes",
		Long: `Renders textured planes as scenes, half of them viewpoint scenes (v_synth_001,
..., six viewpoints), half illumination scenes (i_synth_001, ..., six lightings).
The same seed gives the same pixels and homographies on every machine.

If the command is interrupted, repeat it: complete scenes are kept. synth.json
records the settings. Scenes with another seed or size, and scene folders from
elsewhere, are rejected; --overwrite replaces those that the command made.`,
		Args: exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			var err error
			if opt.Width, opt.Height, err = parseImageSize(size); err != nil {
				return usageError{err}
			}
			opt.Jobs = flags.jobs
			names, err := synth.Render(cmd.Context(), flags.out, opt)
			if err != nil {
				return err
			}
			return flags.print(cmd, map[string]any{"root": flags.out, "scenes": names}, "%d scenes in %s: %s\n", len(names), flags.out, strings.Join(names, " "))
		},
	}
	cmd.Flags().IntVar(&opt.Scenes, "scenes", 4, "number of scenes, alternately viewpoint and illumination")
	limits(cmd.Flags(), "scenes", 1, synth.MaxScenes)
	cmd.Flags().Uint64Var(&opt.Seed, "seed", 1, "seed of the random textures, viewpoints and lightings")
	cmd.Flags().StringVar(&size, "size", "640x480", "width and height of every image, px")
	cmd.Flags().BoolVar(&opt.Overwrite, "overwrite", false, "replace existing scenes")
	flags.addOut(cmd.Flags(), "folder for the scenes")
	requires(cmd.Flags(), "out")
	flags.addJobs(cmd.Flags())
	return cmd
}

func parseImageSize(s string) (width, height int, err error) {
	_, err = fmt.Sscanf(s, "%dx%d", &width, &height)
	if err != nil || s != fmt.Sprintf("%dx%d", width, height) || min(width, height) < synth.MinSide || max(width, height) > synth.MaxSide {
		return 0, 0, fmt.Errorf("--size: found %q, want WIDTHxHEIGHT, %d to %d px each", s, synth.MinSide, synth.MaxSide)
	}
	return width, height, nil
}

// fitTable returns the table of the verdicts on homographies.
func fitTable(pairs []fit.Pair) *table.Table {
	t := table.New(slices.Concat(wordColumns("scene"), countColumns("k", "matches", "fitting", "inliers"),
		[]table.Column{{Name: "corner_error_px", Title: "corner error", Unit: table.Pixels}, {Name: "known", Title: "known", Unit: table.Count},
			{Name: "by_depth", Title: "by depth", Unit: table.Count}, {Name: "median_px", Title: "median", Unit: table.Pixels}}, wordColumns("verdict", "instead"))...)
	t.Keys = 2
	cameras, depth := true, false // all scenes have the same
	for _, p := range pairs {
		px, known, byDepth, median := table.Cell{}, table.Cell{}, table.Cell{}, table.Cell{}
		if p.Known > 0 {
			depth, known, byDepth, median = true, table.Number(float64(p.Known)), table.Number(float64(p.ByDepth)), table.Number(math.NaN())
			if p.Median != nil {
				median = table.Number(*p.Median)
			}
		}
		switch cameras = p.Cameras; {
		case p.CornerError != nil:
			px = table.Number(*p.CornerError)
		case !cameras:
			px = table.Number(math.NaN())
		}
		addRow(t, p.Scene, p.K, p.Matches, p.Fitting, p.Inliers, px, known, byDepth, median, string(p.Verdict), p.Instead)
	}
	if cameras {
		t.Note("fitting: SIFT matches within %d px of the epipolar lines of the cameras; inliers: the same for the pose estimated from the matches", fit.TolerancePx)
		if depth {
			t.Note("known: fitting matches of which depth says whether they are correct; by depth: those within %d px of where it shows them; median: of all their distances", fit.TolerancePx)
		}
		return t
	}
	t.Note("fitting: SIFT matches that H_1_k maps to within %d px; inliers: the same for the homography estimated from the matches", fit.TolerancePx)
	t.Note("corner error: mean distance between the corners of image 1 mapped by the two, px of image k")
	return t
}

// fitNotes are the notes below it: the number of homographies with each verdict, and doubts.
func fitNotes(pairs []fit.Pair) []table.Note {
	differ, undecided := fit.Count(pairs)
	all := table.Notes(fmt.Sprintf("%d pairs, %d do not fit, %d undecided", len(pairs), differ, undecided))
	for _, p := range pairs {
		for _, f := range p.Doubt {
			all = append(all, table.Note{Fact: f, Text: "warning: " + notes.Text(f)})
		}
	}
	if found := fit.Shifted(pairs); found != "" {
		all = append(all, table.Note{Fact: fact.Fact{Kind: "warning"}, Text: "warning: " + found})
	}
	return all
}
