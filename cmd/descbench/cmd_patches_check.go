package main

import (
	"fmt"
	"io"
	"strings"

	"descbench/eval/fact"
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
have one descriptor per patch in its strip, and folders of patches describe, which
records the strips, must describe the same pixels; other folders are compared by the
numbers of patches alone. Rows with NaN, rows of zeros, images with
equal descriptors and bytes that may be packed bits are not faults: it warns about them.
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
	out := new(strings.Builder)
	if c.Images > 0 {
		fmt.Fprintf(out, "%s: %d descriptors from %d images in %d sequences, dimension %d, %s\n",
			c.Descriptor, c.Patches, c.Images, c.Sequences, c.Dimension, c.Elements)
	}
	if c.NotFinite > 0 {
		fmt.Fprintf(out, "warning: descriptors with NaN or infinite values: %d, the first is %s; their distance to every other descriptor is infinite\n", c.NotFinite, c.FirstNotFinite)
	}
	if c.Packed != "" {
		fmt.Fprintf(out, "warning: %s\n", c.Packed)
	}
	if c.Zeros > 0 {
		fmt.Fprintf(out, "descriptors with only zeros: %d\n", c.Zeros)
	}
	printAlike(out, "warning", c.Copies)
	printAlike(out, "fault", c.Faults)
	if err := flags.print(cmd, checkTable(c), "%s", out); err != nil {
		return err
	}
	if n := len(c.Faults); n > 0 {
		return &patches.Fault{File: c.Descriptor, Reason: spelling.Count(n, "fault") + ", listed above"}
	}
	return nil
}

// checkTable returns what was found for programs.
func checkTable(c *patches.Check) *table.Table {
	t := table.New(table.Titled("descriptor", table.Words, 0), table.Titled("elements", table.Words, 0))
	cells := []table.Cell{table.Text(c.Descriptor), table.Text(c.Elements)}
	for _, n := range []struct {
		name  string
		count int
	}{{"dimension", c.Dimension}, {"sequences", c.Sequences}, {"images", c.Images}, {"patches", c.Patches}, {"not_finite", c.NotFinite}, {"zeros", c.Zeros}, {"faults", len(c.Faults)}} {
		t.Columns, cells = append(t.Columns, table.Titled(n.name, table.Count, 0)), append(cells, table.Integer(n.count))
	}
	t.Add(cells...)
	for _, list := range []struct {
		kind  fact.Kind
		texts []string
	}{{"fault", c.Faults}, {"copies", c.Copies}, {"packed", []string{c.Packed}}, {"not-finite", []string{c.FirstNotFinite}}} {
		for _, text := range list.texts {
			if text != "" {
				t.Notes = append(t.Notes, table.Note{Fact: fact.Fact{Kind: list.kind}, Text: text})
			}
		}
	}
	return t
}

// printAlike prints lines "file: what". Of those with the same what, it prints the first.
func printAlike(out io.Writer, kind string, lines []string) {
	others, firsts := make(map[string]int), []string{}
	what := func(line string) string { _, w, _ := strings.Cut(line, ": "); return w }
	for _, line := range lines {
		if _, seen := others[what(line)]; seen {
			others[what(line)]++
			continue
		}
		others[what(line)], firsts = 0, append(firsts, line)
	}
	for _, line := range firsts {
		if n := others[what(line)]; n > 0 {
			line += fmt.Sprintf(" (and %d more such)", n)
		}
		fmt.Fprintf(out, "%s: %s\n", kind, line)
	}
}
