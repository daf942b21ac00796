package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"descbench/pipeline/config"
	"descbench/pipeline/patchbench"
	"descbench/pipeline/plan"
)

// A stripSource stands in for a folder of descriptors: strips that are
// described first, as patches describe does, into a folder that goes when the
// command ends.
type stripSource struct {
	strips, kind, name string
}

func (s *stripSource) register(fs *pflag.FlagSet) {
	fs.StringVar(&s.strips, "strips", "", "in place of --descriptors: describe the strips in this folder first, by --type and --set")
	fs.StringVar(&s.kind, "type", "", "kind of descriptor, with --strips; see descbench patches describe")
	fs.StringVar(&s.name, "name", "", "name of the descriptor: of strips (default: its type), or of results (default: that of their folder)")
}

// describe describes the strips, if any are given, and returns the folder of
// their descriptors; else the one given. named says that there is something else
// that --name can be the descriptor of. The caller calls done in the end.
func (s *stripSource) describe(cmd *cobra.Command, flags *commonFlags, folder string, named bool) (descriptors string, done func(), err error) {
	done = func() {}
	if s.strips == "" {
		if s.kind != "" || len(flags.set) > 0 || s.name != "" && !named {
			return "", done, usageError{errors.New("--type, --name and --set are about describing, which wants --strips")}
		}
		return folder, done, nil
	}
	if folder != "" {
		return "", done, usageError{errors.New("want either --descriptors or --strips")}
	}
	if err := required("type", s.kind); err != nil {
		return "", done, err
	}
	d, err := config.NewDescriptor(s.kind, cmp.Or(s.name, s.kind), flags.set)
	if err != nil {
		return "", done, err
	}
	describer, err := patchbench.NewDescriber(d, patchbench.DescriberOptions{Jobs: flags.jobs})
	if err != nil {
		return "", done, err
	}
	defer describer.Close()
	temporary, err := os.MkdirTemp("", "descbench")
	if err != nil {
		return "", done, plan.Fault(err)
	}
	done = func() { _ = os.RemoveAll(temporary) } // a folder of ours in the system's for such
	report, err := describer.DescribeStrips(cmd.Context(), patchbench.Job{Strips: s.strips, Out: temporary}, func(int, int) {})
	if err != nil {
		done()
		return "", func() {}, err
	}
	if report.Invalid > 0 {
		flags.logger().Warn(fmt.Sprintf("%d of %d patches could not be described and are zeros", report.Invalid, report.Patches))
	}
	return filepath.Join(temporary, filepath.FromSlash(d.Name)), done, nil
}
