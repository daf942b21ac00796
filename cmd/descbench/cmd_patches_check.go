package main

import (
	"fmt"
	"strings"

	"descbench/eval/patches"
	"descbench/eval/spelling"
	"descbench/pipeline/patchbench"
	"descbench/pipeline/report/table"

	"github.com/spf13/cobra"
)

func newPatchesCheckCommand(flags *commonFlags) *cobra.Command {
	var dir, strips string
	cmd := &cobra.Command{
		Use:   "check --descriptors DIR [--strips DIR]",
		Short: "Check a folder of descriptors, optionally against strips",
		Long: `Check reads every file in a folder of descriptors and lists all faults: files that
are not tables of numbers, different dimensions, images of a sequence with
different numbers of patches, and missing images. With --strips, every image must
have one descriptor per patch in its strip, and folders of patches describe must
describe the same pixels. Rows with NaN, rows of zeros, images with equal descriptors and
bytes that may be packed bits are not faults: it warns about them.
` + exitHelp,
		Example: `  descbench patches check --descriptors descriptors/sift --strips hpatches-release`,
		Args:    exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := patchbench.Check(cmd.Context(), dir, strips, flags.jobs)
			if err != nil {
				return err
			}
			return printPatchCheck(cmd, flags, c)
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&dir, "descriptors", "", "folder of descriptors: <sequence>/<image>.csv")
	fs.StringVar(&strips, "strips", "", "folder of strips: <sequence>/<image>.png")
	flags.addJobs(fs)
	requires(fs, "descriptors")
	return cmd
}

// printPatchCheck prints the result of the check and returns an error if there are
// faults.
func printPatchCheck(cmd *cobra.Command, flags *commonFlags, c *patches.Check) error {
	var found listing
	if c.NotFinite > 0 {
		found.add("warning", "descriptors with NaN or infinite values: %d, the first is %s; their distance to every other descriptor is infinite", c.NotFinite, c.FirstNotFinite)
	}
	if c.Packed != "" {
		found.add("warning", "%s", c.Packed)
	}
	if c.Zeros > 0 {
		found.add("warning", "descriptors with only zeros: %d", c.Zeros)
	}
	for _, text := range c.Copies {
		found.add("warning", "%s", text)
	}
	for _, text := range c.Faults {
		found.add("fault", "%s", text)
	}
	out := new(strings.Builder)
	if c.Images > 0 {
		fmt.Fprintf(out, "%s: %d descriptors from %d images in %d sequences, dimension %d, %s\n",
			c.Descriptor, c.Patches, c.Images, c.Sequences, c.Dimension, c.Elements)
	}
	for _, line := range found.shortened("warning", "fault") {
		fmt.Fprintf(out, "%s: %s\n", line.Kind, line.Text)
	}
	t := table.New(append(wordColumns("descriptor", "elements"), countColumns("dimension", "sequences", "images", "patches", "not_finite", "zeros", "faults")...)...)
	addRow(t, c.Descriptor, c.Elements, c.Dimension, c.Sequences, c.Images, c.Patches, c.NotFinite, c.Zeros, len(c.Faults))
	t.Notes = found
	if err := flags.print(cmd, t, "%s", out); err != nil {
		return err
	}
	if n := len(c.Faults); n > 0 {
		return &patches.Fault{File: c.Descriptor, Reason: spelling.Count(n, "fault") + ", listed above"}
	}
	return nil
}
