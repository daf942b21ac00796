package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"descbench/eval/patches"
	"descbench/eval/spelling"
	"descbench/pipeline/config"
	"descbench/pipeline/notes"
	"descbench/pipeline/patchbench"
	"descbench/pipeline/report/table"
)

type patchesDescribeOptions struct {
	patchbench.Job
	config      string
	descriptors []string
	kind, name  string
	keypoint    string
}

func newPatchesDescribeCommand(flags *commonFlags) *cobra.Command {
	var opt patchesDescribeOptions
	cmd := &cobra.Command{
		Use:   "describe --strips DIR --out DIR {--type TYPE | --config FILE [--descriptor NAME...]}",
		Short: "Compute descriptors of the patches in strips",
		Long: `Describe computes the descriptors of every strip of patches
(<sequence>/<image>.png, 65 px wide). It writes a CSV file per strip to
<out>/<descriptor>/<sequence>/, where patches evaluate, classify, match and retrieve
read them.

--type selects a descriptor type, including command, and --set sets its config keys:
--type sift --set root=l1. --config takes the descriptors, including pooling, from a
config; --descriptor selects some of them. The values written are those
that are compared: --set normalize=none keeps SIFT's integers. Binary descriptors are
written as zeros and ones, patches that cannot be described as NaN.

The keypoint is upright and lies at the centre of the patch. Its size makes the
descriptor's window fit the patch. --keypoint opencv_script describes as the OpenCV script
in hpatches-benchmark does instead, which is the stronger baseline; see docs/patches.md.

Rerun the command to resume it. A folder with descriptors from other settings, or from
another program, is rejected; --overwrite replaces them.`,
		Example: `  descbench patches describe --strips hpatches-release --type sift --keypoint opencv_script --set root=l1 --name rootsift --out descriptors
  descbench patches describe --strips hpatches-release --config configs/descriptor_variants.yaml --descriptor dspsift --out descriptors`,
		Args: exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error { return runPatchesDescribe(cmd, flags, opt) },
	}
	fs := cmd.Flags()
	fs.StringVar(&opt.Strips, "strips", "", "folder of strips: <sequence>/<image>.png")
	fs.StringVar(&opt.kind, "type", "", "descriptor type; see descbench descriptors")
	fs.StringVar(&opt.name, "name", "", "name of the descriptor and of its folder (default: its type)")
	fs.StringVar(&opt.config, "config", "", "take descriptors from this config")
	fs.StringSliceVar(&opt.descriptors, "descriptor", nil, "names of descriptors in the config (default: all that are computed from pixels)")
	fs.StringVar(&opt.keypoint, "keypoint", "fit", "keypoint of a patch: fit or opencv_script")
	allows(fs, "keypoint", "fit", "opencv_script")
	fs.BoolVar(&opt.Overwrite, "overwrite", false, "replace existing descriptors")
	flags.addOut(fs, "folder for the descriptors")
	flags.addSet(fs, "change the descriptor, e.g. root=l1, or a value of --config")
	flags.addJobs(fs)
	requires(fs, "strips", "out")
	return cmd
}

func runPatchesDescribe(cmd *cobra.Command, flags *commonFlags, opt patchesDescribeOptions) error {
	opt.Out, opt.Jobs = flags.out, flags.jobs
	if (opt.kind == "") == (opt.config == "") {
		return usageError{errors.New("want --type or --config to select descriptors")}
	}
	chosen, err := opt.chosen(flags.set)
	if err != nil {
		return err
	}
	bar := newProgress(flags)
	defer bar.end()
	describers := make([]*patchbench.Describer, len(chosen))
	for i, d := range chosen {
		if describers[i], err = patchbench.NewDescriber(cmd.Context(), d, opt.keypoint == "opencv_script", flags.loggerTo(bar)); err != nil {
			return err
		}
		defer describers[i].Close()
	}
	var reports []*patchbench.Described
	for i, d := range chosen {
		report, err := describers[i].DescribeStrips(cmd.Context(), opt.Job, bar.items(d.Name+": ", "strips"))
		if err != nil {
			return err
		}
		reports = append(reports, report)
	}
	bar.end()
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	for i, r := range reports {
		for _, line := range notes.Texts(chosen[i].UnitPixels()) {
			add("warning: %s: %s", r.Descriptor, line)
		}
		add("%s: %d patches from %d strips, dimension %d: %s", r.Descriptor, r.Patches, r.Strips, r.Dimension, r.Folder)
		if r.Scripted {
			add("%s: --keypoint opencv_script, as in published results of OpenCV's SIFT, is a stronger baseline on HPatches", r.Descriptor)
		}
		if r.Gray {
			add("warning: %s: all patches are grey: without colours, it compares them as SIFT does", r.Descriptor)
		}
		if r.Normalized != "" {
			add("%s: rows divided by their %s norm (normalize: none keeps them)", r.Descriptor, strings.ToUpper(r.Normalized))
		}
		if r.Reused > 0 {
			add("%s: %d of %d strips reused", r.Descriptor, r.Reused, r.Strips)
		}
		if r.Unpinned {
			add("warning: %s: nothing pins its program: list all files that it reads under files", r.Descriptor)
		}
		if r.Unsteady {
			add("warning: %s: not reproducible: two calls of its program with the same strip differ", r.Descriptor)
		}
		if r.Invalid > 0 {
			add("warning: %s: %d of %d patches could not be described (NaN, count as not retrieved); sequences: %s", r.Descriptor, r.Invalid, r.Patches, strings.Join(r.Sequences, ", "))
		}
	}
	t := table.New(append(wordColumns("descriptor", "folder"), countColumns("dimension", "strips", "reused", "patches", "invalid")...)...)
	for _, r := range reports {
		addRow(t, r.Descriptor, r.Folder, r.Dimension, r.Strips, r.Reused, r.Patches, r.Invalid)
	}
	t.Notes = table.Notes(lines...)
	return flags.print(cmd, t, "%s\n", strings.Join(lines, "\n"))
}

// chosen returns the selected descriptors.
func (opt patchesDescribeOptions) chosen(set []string) ([]config.Descriptor, error) {
	if opt.config == "" {
		d, err := config.NewDescriptor(opt.kind, cmp.Or(opt.name, opt.kind), set)
		return []config.Descriptor{d}, err
	}
	cfg, err := config.Load(opt.config, config.Overrides{Set: set, Flags: []config.Override{{Key: "dataset.root", Value: ".", Origin: "--config"}}})
	if err != nil {
		return nil, err
	}
	return patchbench.Chosen(cfg, opt.config, opt.descriptors)
}

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
bytes that may be packed bits are not faults: it warns about them.`,
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
