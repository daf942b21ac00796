package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"descbench/keypoints"
	"descbench/pipeline/dataset"
	"descbench/pipeline/keypointsets"
)

func newKeypointsDrawCommand(flags *commonFlags) *cobra.Command {
	var with string
	var top int
	cmd := &cobra.Command{
		Use:   "draw CONFIG#NAME SCENE/IMAGE --out FILE.png",
		Short: "Draw the keypoints of an image",
		Long: `Writes a PNG of the image in its original size. Each keypoint is a circle of the
keypoint's size with a line from the centre in the direction of its angle.
Keypoints of unknown size are small circles. --with IMAGE draws a second image beside
it; keypoints whose projection has any keypoint of the other image within 3 px are blue,
others orange. One of the two must be image 1. IMAGE is 1, 2, …, or the name of the image
file. An existing FILE is replaced only if it is a picture that descbench wrote.`,
		Example: `  descbench keypoints draw configs/demo.yaml#sift_2k v_synth_001/2 --out keypoints.png
  descbench keypoints draw configs/demo.yaml#sift_2k v_synth_001/1 --with 4 --top 100 --out repeated.png`,
		Args: exactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			at := strings.LastIndexByte(args[1], '/') // a scene's name can have one, too
			sceneName, imageName := args[1][:max(at, 0)], args[1][at+1:]
			if sceneName == "" || imageName == "" {
				return usageError{fmt.Errorf("found %q, want SCENE/IMAGE, such as v_dogman/1", args[1])}
			}
			if !strings.EqualFold(filepath.Ext(flags.out), ".png") {
				return usageError{fmt.Errorf("--out: found %q, want the name of a .png file", flags.out)}
			}
			if top < 0 {
				return usageError{fmt.Errorf("--top: found %d, want at least 1, or 0 for all", top)}
			}
			set, err := addressed(flags, args[0])
			if err != nil {
				return err
			}
			scene, err := set.OpenScene(cmd.Context(), sceneName)
			if err != nil {
				return err
			}
			drawing, err := drawingOf(scene, imageName, with)
			if err != nil {
				return err
			}
			drawing.Top = top
			total, drawn := 0, 0
			var blue []string
			err = eachScene(cmd.Context(), flags, set, []string{sceneName}, func(scene *dataset.Scene, sets []keypoints.Set) error {
				if total = sets[drawing.Image].Len(); drawing.With >= 0 {
					total += sets[drawing.With].Len()
				}
				drawn, blue, err = keypointsets.Draw(flags.out, drawing, scene, sets)
				return err
			})
			if err != nil {
				return err
			}
			name, count := scene.Where(drawing.Image), fmt.Sprint(total)
			if drawing.With >= 0 {
				name += " and " + scene.Images[drawing.With].File
			}
			if drawn < total {
				count = fmt.Sprintf("%d of %d", drawn, total)
			}
			for i := range blue {
				blue[i] = "blue: " + blue[i] + "\n"
			}
			return flags.print(cmd, map[string]any{"file": flags.out, "keypoints": total, "drawn": drawn},
				"%s keypoints of %s: %s\n%s", count, name, flags.out, strings.Join(blue, ""))
		},
	}
	flags.addOut(cmd.Flags(), "output file, .png")
	cmd.Flags().StringVar(&with, "with", "", "a second image to draw beside the first")
	cmd.Flags().IntVar(&top, "top", 150, "keypoints of an image to draw, those with the strongest responses; 0: all")
	return cmd
}

// drawingOf finds the images to draw. with is "" for none.
func drawingOf(scene *dataset.Scene, imageName, with string) (d keypointsets.Drawing, err error) {
	d.With = -1
	if d.Image, err = keypointsets.FindImage(scene, imageName); err != nil || with == "" {
		return d, err
	}
	if d.With, err = keypointsets.FindImage(scene, with); err != nil {
		return d, err
	}
	if d.With == d.Image || d.With != 0 && d.Image != 0 {
		return d, usageError{fmt.Errorf("--with %s: want two images, one of them image 1, from which the homographies start", with)}
	}
	return d, nil
}
