package main

import (
	"cmp"
	"errors"

	"github.com/spf13/cobra"

	"descbench/eval/fact"
	"descbench/pipeline/config"
	"descbench/pipeline/patchbench"
	"descbench/pipeline/report/table"
)

type patchesDescribeOptions struct {
	patchbench.Job
	tableChoice
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
	opt.register(cmd, flags, "descriptor")
	return cmd
}

func runPatchesDescribe(cmd *cobra.Command, flags *commonFlags, opt patchesDescribeOptions) error {
	opt.Out, opt.Jobs = flags.out, flags.jobs
	if (opt.kind == "") == (opt.config == "") {
		return usageError{errors.New("want --type or --config to select descriptors")}
	}
	chosen, err := opt.selected(flags.set)
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
	t := table.New(append(wordColumns("descriptor", "folder"), countColumns("dimension", "strips", "reused", "patches", "invalid")...)...)
	for i, d := range chosen {
		r, err := describers[i].DescribeStrips(cmd.Context(), opt.Job, bar.items(d.Name+": ", "strips"))
		if err != nil {
			return err
		}
		addRow(t, r.Descriptor, r.Folder, r.Dimension, r.Strips, r.Reused, r.Patches, r.Invalid)
		t.Tell(fact.About(r.Descriptor, r.Facts)...)
	}
	bar.end()
	return opt.show(cmd, t)
}

// selected returns the selected descriptors.
func (opt patchesDescribeOptions) selected(set []string) ([]config.Descriptor, error) {
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
