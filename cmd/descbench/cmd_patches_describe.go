package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

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

Rerun the command to resume it. A folder with descriptors from other settings, of other
strips or from another program is rejected; --overwrite replaces them.`,
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
	fs.StringVar(&opt.keypoint, "keypoint", patchbench.Fit, "keypoint of a patch: "+patchbench.Fit+" or "+patchbench.OpenCVScript)
	allows(fs, "keypoint", patchbench.Fit, patchbench.OpenCVScript)
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
		if describers[i], err = patchbench.NewDescriber(cmd.Context(), d, opt.keypoint, flags.loggerTo(bar)); err != nil {
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
