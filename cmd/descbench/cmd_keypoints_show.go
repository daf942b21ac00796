package main

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"descbench/keypoints"
	"descbench/pipeline/keypointfiles"
	"descbench/pipeline/plan"
)

type showOptions struct {
	scene        string
	image, limit int
}

func newKeypointsShowCommand(flags *commonFlags) *cobra.Command {
	var opts showOptions
	cmd := &cobra.Command{
		Use:   "show SET",
		Short: "Print the keypoints of a set",
		Example: `  descbench keypoints show configs/demo.yaml#sift_2k --limit 5
  descbench keypoints show configs/demo.yaml#sift_2k --scene v_synth_001 --image 2`,
		Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("image") && (opts.image < 1 || opts.image > 6) {
				return usageError{fmt.Errorf("--image: found %d, want 1 to 6", opts.image)}
			}
			if opts.limit < 0 {
				return usageError{fmt.Errorf("--limit: found %d, want at least 1, or 0 for all", opts.limit)}
			}
			if err := checkFileFlags(flags, false, args[0]); err != nil {
				return err
			}
			scene := allScenes
			set, err := openStored(cmd.Context(), flags, args[0], func(sets *keypointfiles.Sets) (err error) {
				if opts.scene != "" {
					scene, err = sets.FindScene(opts.scene)
				}
				return err
			})
			if err != nil {
				return err
			}
			defer set.Close()
			rows, total, err := set.find(scene, opts)
			if err != nil {
				return err
			}
			if flags.json {
				return printJSON(cmd.OutOrStdout(), rows)
			}
			return printShown(cmd.OutOrStdout(), rows, total)
		},
	}
	cmd.Flags().StringVar(&opts.scene, "scene", "", "this scene only")
	cmd.Flags().IntVar(&opts.image, "image", 0, "this image only, 1 to 6")
	cmd.Flags().IntVar(&opts.limit, "limit", 20, "print at most this many keypoints; 0: all")
	return cmd
}

// A shownKeypoint is a row of the table, and its JSON.
type shownKeypoint struct {
	Scene    string  `json:"scene"`
	Image    int     `json:"image"`
	Row      int     `json:"row"`
	X        float32 `json:"x"`
	Y        float32 `json:"y"`
	Size     float32 `json:"size"`
	Angle    float32 `json:"angle"`
	Response float32 `json:"response"`
	Octave   int     `json:"octave"`
	Layer    int     `json:"layer"`
	Packed   int32   `json:"packed_octave"`
	ClassID  int32   `json:"class_id"`
	Source   *int32  `json:"source,omitempty"`
}

const allScenes = -1

// find returns the keypoints to show of a scene, or of all, and how many there
// are without the limit.
func (s *storedSet) find(scene int, opts showOptions) (rows []shownKeypoint, total int, err error) {
	limit := opts.limit
	if limit == 0 {
		limit = math.MaxInt
	}
	rows = []shownKeypoint{} // [] in JSON, not null
	for i := range s.Scenes {
		if scene != allScenes && scene != i {
			continue
		}
		for j, img := range s.Scenes[i].Images {
			if opts.image == 0 || opts.image == j+1 {
				total += img.Keypoints
			}
		}
		if len(rows) == limit {
			continue
		}
		sets, err := s.Read(i)
		if err != nil {
			return nil, 0, &plan.DataError{Err: err}
		}
		for j, set := range sets {
			if opts.image == 0 || opts.image == j+1 {
				rows = appendShown(rows, s.Scenes[i].Name, j+1, set, limit)
			}
		}
	}
	return rows, total, nil
}

// appendShown appends the keypoints of an image, up to limit in all.
func appendShown(rows []shownKeypoint, scene string, image int, set keypoints.Set, limit int) []shownKeypoint {
	for row, k := range set.Keypoints[:min(set.Len(), limit-len(rows))] {
		octave, layer := keypoints.UnpackOctave(k.Octave)
		r := shownKeypoint{
			Scene: scene, Image: image, Row: row, X: k.X, Y: k.Y, Size: k.Size, Angle: k.Angle, Response: k.Response,
			Octave: octave, Layer: layer, Packed: k.Octave, ClassID: k.ClassID,
		}
		if set.Source != nil {
			r.Source = &set.Source[row]
		}
		rows = append(rows, r)
	}
	return rows
}

func printShown(out io.Writer, rows []shownKeypoint, total int) error {
	buffered := bufio.NewWriter(out)
	w := tabwriter.NewWriter(buffered, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "SCENE\tIMAGE\tROW\tX\tY\tSIZE\tANGLE\tRESPONSE\tOCTAVE\tLAYER\tCLASS\tSOURCE\t")
	for _, r := range rows {
		source := "-"
		if r.Source != nil {
			source = fmt.Sprint(*r.Source)
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%.2f\t%.2f\t%.2f\t%.1f\t%.4g\t%d\t%d\t%d\t%s\t\n",
			r.Scene, r.Image, r.Row, r.X, r.Y, r.Size, r.Angle, r.Response, r.Octave, r.Layer, r.ClassID, source)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(buffered, "%d of %d keypoints\n", len(rows), total); err != nil {
		return err
	}
	return buffered.Flush()
}
