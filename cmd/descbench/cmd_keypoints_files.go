package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"descbench/descriptors/importer"
	"descbench/pipeline/config"
	"descbench/pipeline/keypointsets"
	"descbench/pipeline/plan"
	"descbench/pipeline/report/table"
)

// checkFormat checks the format of keypoint files.
func checkFormat(format string) error {
	if !slices.Contains(keypointsets.Formats, format) {
		return usageError{fmt.Errorf("--format: found %q, want %s", format, strings.Join(keypointsets.Formats, " or "))}
	}
	return nil
}

func newKeypointsExportCommand(flags *commonFlags) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "export SET --out DIR",
		Short: "Write the keypoints of a set, one file per image",
		Long: `Writes one file per image, DIR/<scene>/<image>.npz or .csv.

An .npz file (see numpy.load) holds the arrays keypoints (N×2: x, y in px,
pixel centres at integers), size (px), angle (degrees), scores (all float32),
octave and class_id (int32). A CSV has the columns x, y, size, angle, response,
octave and class_id. Rows are in the order of the set.`,
		Example: "  descbench keypoints export configs/demo.yaml#sift_2k --out exported --format csv",
		Args:    exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if flags.out == "" {
				return usageError{errors.New("--out is missing, want a folder for the files")}
			}
			if err := checkFormat(format); err != nil {
				return err
			}
			if err := checkFileFlags(flags, false, args[0]); err != nil {
				return err
			}
			set, err := openStored(cmd.Context(), flags, args[0], nil)
			if err != nil {
				return err
			}
			defer set.Close()
			files, err := keypointsets.Export(cmd.Context(), set.KeypointFile, flags.out, format)
			if err != nil {
				return err
			}
			if flags.json {
				return printJSON(cmd.OutOrStdout(), map[string]any{"folder": flags.out, "files": files, "keypoints": set.Keypoints()})
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d keypoints in %d files: %s\n",
				set.Keypoints(), files, filepath.Join(flags.out, "<scene>", "<image>."+format))
			return err
		},
	}
	cmd.Flags().StringVar(&format, "format", "npz", "npz or csv")
	flags.addOut(cmd.Flags(), "folder for the files")
	return cmd
}

type importOptions struct{ config, name, origin, format string }

func newKeypointsImportCommand(flags *commonFlags) *cobra.Command {
	var opts importOptions
	cmd := &cobra.Command{
		Use:   "import PATH --config CONFIG --name NAME",
		Short: "Check and store keypoints from another program",
		Long: `Reads one file per image of the config's scenes, lists their contents, and stores
the set if all files are valid. PATH is a folder with the files
<scene>/<image>.npz (or .csv, see --format), or a path with placeholders, such as
'{root}/{scene}/{image}.d2-net': {root} is the folder of scenes, {scene} the
scene's name, {image} the image's file name, with or without its extension.

It prints the config lines that define a keypoint set from these files. The
format is that of export; an .npz needs only the array keypoints. A keypoint
outside its image is an error. The class_id of a keypoint becomes its row in the
file.`,
		Example: "  descbench keypoints import d2net --config configs/demo.yaml --name d2net --origin corner",
		Args:    exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runKeypointsImport(cmd.Context(), cmd.OutOrStdout(), flags, opts, args[0])
		},
	}
	cmd.Flags().StringVar(&opts.config, "config", "", "config that names the scenes of the keypoints")
	cmd.Flags().StringVar(&opts.name, "name", "", "name for the set")
	cmd.Flags().StringVar(&opts.origin, "origin", "center", "which point of the first pixel has coordinates (0, 0) in the files: center or corner")
	cmd.Flags().StringVar(&opts.format, "format", "npz", "format of the files in a folder: npz or csv")
	return cmd
}

func runKeypointsImport(ctx context.Context, out io.Writer, flags *commonFlags, opts importOptions, path string) error {
	if opts.config == "" || opts.name == "" {
		return usageError{errors.New("want --config CONFIG, which names the scenes of the keypoints, and --name NAME for the set")}
	}
	if opts.origin != "center" && opts.origin != "corner" {
		return usageError{fmt.Errorf("--origin: found %q, want center or corner", opts.origin)}
	}
	if err := checkFormat(opts.format); err != nil {
		return err
	}
	template, err := keypointsets.ImportTemplate(path, opts.name, opts.format)
	if err != nil {
		return usageError{err}
	}
	cfg, err := loadConfig(flags, opts.config)
	if err != nil {
		return err
	}
	for _, s := range cfg.KeypointSets {
		if s.Name == opts.name {
			return usageError{fmt.Errorf("--name: %s already has a keypoint set %s (%s), want another name", opts.config, opts.name, s)}
		}
	}
	cfg.KeypointSets = append(cfg.KeypointSets, config.KeypointSet{
		Name: opts.name, Import: &config.Import{Path: template, Origin: importer.Origin(opts.origin)},
	})
	sets, err := openSets(ctx, flags, cfg, nil)
	if err != nil {
		return err
	}
	files := []keypointsets.ImportedFile{}
	faults, err := sets.Import(ctx, opts.name, func(f keypointsets.ImportedFile) error {
		files = append(files, f)
		return nil
	})
	if err != nil {
		return err
	}
	if flags.json {
		err = printJSON(out, files)
	} else {
		err = importTable(files).Write(out, table.AsText, 0)
	}
	if err != nil {
		return err
	}
	if faults > 0 {
		return &plan.DataError{Err: fmt.Errorf("%d of %d files are unusable (listed above); nothing stored", faults, len(files))}
	}
	if flags.json {
		return nil
	}
	entries := sets.List()
	_, err = fmt.Fprintf(out, "stored: %s\nadd to a config to use it as CONFIG#%s:\n  - {name: %[2]s, import: {path: %q, origin: %s}}\n",
		entries[len(entries)-1].Path, opts.name, template, opts.origin)
	return err
}

// importTable lists the files of an import, and below it what is wrong with them.
func importTable(files []keypointsets.ImportedFile) *table.Table {
	t := table.New(
		table.Titled("scene", table.Words, 0), table.Titled("image", table.Count, 0),
		table.Titled("keypoints", table.Count, 0), table.Titled("not_read", table.Words, 0),
	)
	for _, f := range files {
		found, ignored := table.Integer(f.Keypoints), table.Cell{}
		if f.Fault != "" {
			found = table.Text("unusable")
			t.Note("%s/%d unusable: %s", f.Scene, f.Image, f.Fault)
		}
		if len(f.Ignored) > 0 {
			ignored = table.Text(strings.Join(f.Ignored, ", "))
		}
		t.Add(table.Text(f.Scene), table.Integer(f.Image), found, ignored)
	}
	t.DropEmpty()
	return t
}

func newKeypointsDrawCommand(flags *commonFlags) *cobra.Command {
	var with string
	var top int
	cmd := &cobra.Command{
		Use:   "draw SET SCENE/IMAGE --out FILE.png",
		Short: "Draw the keypoints of an image",
		Long: `Writes a PNG of the image in its original size. Each keypoint is a circle of the
keypoint's size with a line from the centre in the direction of its angle.
Keypoints of unknown size are small circles. --with IMAGE draws a second image beside
it; keypoints with a keypoint of the other image within 3 px are blue, others orange.
One of the two must be image 1. IMAGE is 1, 2, …, or the name of the
image file. A stored FILE.parquet needs --data to find the images.`,
		Example: `  descbench keypoints draw configs/demo.yaml#sift_2k v_synth_001/2 --out keypoints.png
  descbench keypoints draw configs/demo.yaml#sift_2k v_synth_001/1 --with 4 --top 100 --out repeated.png`,
		Args: exactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			sceneName, imageName, ok := strings.Cut(args[1], "/")
			if !ok || sceneName == "" || imageName == "" {
				return usageError{fmt.Errorf("found %q, want SCENE/IMAGE, such as v_dogman/1", args[1])}
			}
			if !strings.EqualFold(filepath.Ext(flags.out), ".png") {
				return usageError{fmt.Errorf("--out: found %q, want the name of a .png file", flags.out)}
			}
			if err := checkFileFlags(flags, true, args[0]); err != nil {
				return err
			}
			if top < 0 {
				return usageError{fmt.Errorf("--top: found %d, want at least 1, or 0 for all", top)}
			}
			drawing := keypointsets.Drawing{With: -1, Top: top}
			set, err := openStored(cmd.Context(), flags, args[0], func(sets *keypointsets.Sets) (err error) {
				if drawing.Scene, drawing.Image, err = sets.FindImage(sceneName, imageName); err != nil || with == "" {
					return err
				}
				if _, drawing.With, err = sets.FindImage(sceneName, with); err != nil {
					return err
				}
				if drawing.With == drawing.Image || drawing.With != 0 && drawing.Image != 0 {
					return usageError{fmt.Errorf("--with %s: want two images, one of them image 1, from which the homographies start", with)}
				}
				return nil
			})
			if err != nil {
				return err
			}
			defer set.Close()
			found, err := set.Read(drawing.Scene)
			if err != nil {
				return &plan.DataError{Err: err}
			}
			drawn, err := set.sets.Draw(cmd.Context(), flags.out, drawing, found)
			if err != nil {
				return err
			}
			file := func(image int) string { return set.Scenes[drawing.Scene].Images[image].File }
			name, total := sceneName+"/"+file(drawing.Image), found[drawing.Image].Len()
			if drawing.With >= 0 {
				name, total = name+" and "+file(drawing.With), total+found[drawing.With].Len()
			}
			if flags.json {
				return printJSON(cmd.OutOrStdout(), map[string]any{"file": flags.out, "keypoints": total, "drawn": drawn})
			}
			count := fmt.Sprint(total)
			if drawn < total {
				count = fmt.Sprintf("%d of %d", drawn, total)
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s keypoints of %s: %s\n", count, name, flags.out)
			return err
		},
	}
	flags.addOut(cmd.Flags(), "output file, .png")
	cmd.Flags().StringVar(&with, "with", "", "a second image to draw beside the first")
	cmd.Flags().IntVar(&top, "top", 150, "keypoints of an image to draw, those with the strongest responses; 0: all")
	return cmd
}
