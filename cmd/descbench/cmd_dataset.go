package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"descbench/pipeline/dataset"
	"descbench/pipeline/dataset/synth"
)

func newDatasetCommand(flags *commonFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "dataset",
		Short: "List, check and render scenes",
		Long: `A data set is a folder of scenes in the layout of HPatches: for each scene a
folder with the images 1 to 6 (ppm, png, jpg or jpeg) and the homographies
H_1_2 to H_1_6, three lines of three numbers, that map the pixels of image 1 to
those of the others. Names that begin with v_ stand for changes of viewpoint,
i_ for changes of illumination.
` + exitHelp,
	}
	cmd.AddCommand(newDatasetListCommand(flags), newDatasetVerifyCommand(flags), newDatasetSynthCommand(flags))
	return cmd
}

func newDatasetListCommand(flags *commonFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list --data DIR",
		Short: "List the scenes of a folder",
		Long: `Lists the scenes of a folder with the sizes of their images, whether they are
genuine HPatches scenes, and what they lack. Files are read but not decoded;
see verify for that.`,
		Args: exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			report, err := inspectScenes(cmd.Context(), flags, func(ctx context.Context, root, name string) (*dataset.Scene, []float64, error) {
				scene, err := dataset.Open(ctx, root, name)
				return scene, nil, err
			})
			if err != nil {
				return err
			}
			if flags.json {
				return printJSON(cmd.OutOrStdout(), report)
			}
			return report.printList(cmd.OutOrStdout())
		},
	}
	flags.addData(cmd.Flags())
	flags.addJobs(cmd.Flags())
	return cmd
}

func newDatasetVerifyCommand(flags *commonFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "verify --data DIR",
		Short: "Check that every scene can be used",
		Long: `Reads and decodes every image and homography of a folder of scenes. A line per
scene gives the sizes of its images, the share of image 1 that is visible in
images 2 to 6, and its digest, or what is wrong with it. Ends with status 3 if
something is.`,
		Args: exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			report, err := inspectScenes(cmd.Context(), flags, func(ctx context.Context, root, name string) (*dataset.Scene, []float64, error) {
				scene, overlap, err := dataset.Verify(ctx, root, name)
				return scene, overlap[:], err
			})
			if err != nil {
				return err
			}
			if flags.json {
				err = printJSON(cmd.OutOrStdout(), report)
			} else {
				err = report.printVerdict(cmd.OutOrStdout())
			}
			if err != nil || report.Broken == 0 {
				return err
			}
			return &dataset.Error{Where: flags.data, Err: fmt.Errorf("%d of %d scenes broken", report.Broken, len(report.Scenes))}
		},
	}
	flags.addData(cmd.Flags())
	flags.addJobs(cmd.Flags())
	return cmd
}

// A datasetReport is what list and verify found, and their JSON.
type datasetReport struct {
	Root      string        `json:"root"`
	Scenes    []sceneReport `json:"scenes"`
	NotScenes []string      `json:"not_scenes"` // folders without any of a scene's files
	Broken    int           `json:"broken"`
}

type sceneReport struct {
	Name     string        `json:"name"`
	Category string        `json:"category"`
	HPatches bool          `json:"hpatches"`
	Digest   string        `json:"digest,omitempty"`
	Images   []imageReport `json:"images,omitempty"`
	Overlap  []float64     `json:"overlap,omitempty"` // share of image 1 visible in image k, at index k-1
	Fault    string        `json:"fault,omitempty"`
}

type imageReport struct {
	File   string `json:"file"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
	Digest string `json:"digest"`
}

// inspectScenes reads every scene of the folder, several at a time. A broken
// scene is part of the report.
func inspectScenes(ctx context.Context, flags *commonFlags, read func(ctx context.Context, root, name string) (*dataset.Scene, []float64, error)) (*datasetReport, error) {
	if flags.data == "" {
		return nil, usageError{errors.New("--data is missing, want a folder of scenes")}
	}
	found, err := dataset.Find(flags.data, nil, "all")
	if err != nil {
		return nil, err
	}
	report := &datasetReport{Root: flags.data, Scenes: make([]sceneReport, len(found))}
	others, err := dataset.NotScenes(flags.data)
	if err != nil {
		return nil, err
	}
	report.NotScenes = append([]string{}, others...) // [] in JSON, not null
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(flags.jobs)
	for i, ref := range found {
		g.Go(func() error {
			r := &report.Scenes[i]
			*r = sceneReport{Name: ref.Name, Category: ref.Category, HPatches: dataset.IsHPatches(ref.Name)}
			scene, overlap, err := read(ctx, flags.data, ref.Name)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				r.Fault = err.Error()
				return nil
			}
			r.Digest, r.Overlap = scene.Digest, overlap
			for _, img := range scene.Images {
				r.Images = append(r.Images, imageReport(img))
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	for _, r := range report.Scenes {
		if r.Fault != "" {
			report.Broken++
		}
	}
	return report, nil
}

func (r *datasetReport) printList(out io.Writer) error {
	var b strings.Builder
	b.WriteString("SCENE\tCATEGORY\tHPATCHES\tIMAGES\n")
	for _, s := range r.Scenes {
		images := s.sizes()
		if s.Fault != "" {
			images = "broken: " + s.Fault
		}
		fmt.Fprintf(&b, "%s\t%s\t%s\t%s\n", s.Name, s.Category, yesOrNo(s.HPatches), images)
	}
	return r.print(out, b.String())
}

func (r *datasetReport) printVerdict(out io.Writer) error {
	var b strings.Builder
	b.WriteString("SCENE\tVERDICT\tIMAGES\tIMAGE 1 VISIBLE IN 2 TO 6\tDIGEST\n")
	for _, s := range r.Scenes {
		if s.Fault != "" {
			fmt.Fprintf(&b, "%s\tbroken\t%s\n", s.Name, s.Fault)
			continue
		}
		var shares []string
		for _, o := range s.Overlap[1:] {
			shares = append(shares, fmt.Sprintf("%3.0f%%", 100*o))
		}
		fmt.Fprintf(&b, "%s\tgood\t%s\t%s\t%.16s\n", s.Name, s.sizes(), strings.Join(shares, " "), s.Digest)
	}
	return r.print(out, b.String())
}

// print aligns the rows of a table and counts below them.
func (r *datasetReport) print(out io.Writer, rows string) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if _, err := io.WriteString(t, rows); err != nil {
		return err
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if len(r.NotScenes) > 0 {
		if _, err := fmt.Fprintf(out, "not scenes: %s\n", strings.Join(r.NotScenes, ", ")); err != nil {
			return err
		}
	}
	genuine := 0
	for _, s := range r.Scenes {
		if s.HPatches {
			genuine++
		}
	}
	_, err := fmt.Fprintf(out, "%d scenes, %d of them of HPatches, %d broken\n", len(r.Scenes), genuine, r.Broken)
	return err
}

// sizes returns the size of the images, or of each if they differ.
func (s *sceneReport) sizes() string {
	var sizes []string
	for _, img := range s.Images {
		sizes = append(sizes, fmt.Sprintf("%dx%d", img.Width, img.Height))
	}
	if same := slices.Compact(slices.Clone(sizes)); len(same) == 1 {
		return fmt.Sprintf("%d of %s", len(sizes), same[0])
	}
	return strings.Join(sizes, " ")
}

func yesOrNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

func newDatasetSynthCommand(flags *commonFlags) *cobra.Command {
	opt := synth.Options{}
	var size string
	cmd := &cobra.Command{
		Use:   "synth --scenes N --seed S --out DIR",
		Short: "Render synthetic scenes with exactly known homographies",
		Long: `Renders textured planes as scenes: v_synth_001 and so on seen from six
viewpoints, i_synth_001 and so on in six kinds of light, in equal numbers. The
same seed gives the same pixels and homographies on every machine. Folders of
scenes that exist already are not touched.`,
		Args: exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if flags.out == "" {
				return usageError{errors.New("--out is missing, want a folder for the scenes")}
			}
			var err error
			if opt.Width, opt.Height, err = parseImageSize(size); err != nil {
				return usageError{err}
			}
			if opt.Scenes < 1 || opt.Scenes > synth.MaxScenes {
				return usageError{fmt.Errorf("--scenes: found %d, want 1 to %d", opt.Scenes, synth.MaxScenes)}
			}
			opt.Jobs = flags.jobs
			names, err := synth.Render(cmd.Context(), flags.out, opt)
			if err != nil {
				return err
			}
			if flags.json {
				return printJSON(cmd.OutOrStdout(), map[string]any{"root": flags.out, "scenes": names})
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d scenes in %s: %s\n", len(names), flags.out, strings.Join(names, " "))
			return err
		},
	}
	cmd.Flags().IntVar(&opt.Scenes, "scenes", 4, "scenes to render, viewpoint and illumination in turn")
	cmd.Flags().Uint64Var(&opt.Seed, "seed", 1, "another seed gives other pictures")
	cmd.Flags().StringVar(&size, "size", "640x480", "width and height of every image, px")
	flags.addOut(cmd.Flags(), "folder for the scenes")
	flags.addJobs(cmd.Flags())
	return cmd
}

func parseImageSize(s string) (width, height int, err error) {
	w, h, found := strings.Cut(s, "x")
	width, errW := strconv.Atoi(w)
	height, errH := strconv.Atoi(h)
	if !found || errW != nil || errH != nil || min(width, height) < synth.MinSide || max(width, height) > synth.MaxSide {
		return 0, 0, fmt.Errorf("--size: found %q, want WIDTHxHEIGHT, %d to %d px each", s, synth.MinSide, synth.MaxSide)
	}
	return width, height, nil
}
