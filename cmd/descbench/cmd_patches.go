package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"descbench/eval"
	"descbench/eval/patches"
	"descbench/eval/patches/original"
	"descbench/pipeline/store"
)

func newPatchesCommand(flags *commonFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "patches",
		Short: "Evaluate descriptors on the HPatches patch benchmark",
		Long: `The HPatches patch benchmark (Balntas, Lenc, Vedaldi, Mikolajczyk, CVPR 2017)
rates descriptors of 65×65 px patches: <descriptor>/<sequence>/<image>.csv with
a line per patch, values separated by commas, semicolons, tabs or blanks.

extract and tasks make such a benchmark of any scenes; describe makes descriptors
of strips, check checks them. evaluate runs the three tasks of 2017. classify,
match and retrieve work on the formats of 2016: they compute results from
descriptors, evaluate results that there are, or both. compare says which
differences between results are real.
` + exitHelp,
	}
	cmd.AddCommand(
		newPatchesExtractCommand(flags),
		newPatchesTasksCommand(flags),
		newPatchesDescribeCommand(flags),
		newPatchesCheckCommand(flags),
		newPatchesEvaluateCommand(flags),
		newPatchesClassifyCommand(flags),
		newPatchesMatchCommand(flags),
		newPatchesRetrieveCommand(flags),
		newPatchesCompareCommand(flags),
	)
	return cmd
}

// patchSource is where results of 2016 come from and go to.
type patchSource struct {
	stripSource
	descriptors string
	distance    string
	packed      bool
	variant     string
}

func (s *patchSource) register(fs *pflag.FlagSet) {
	s.stripSource.register(fs)
	fs.StringVar(&s.descriptors, "descriptors", "", "compute results from the descriptors in this folder: <sequence>/<image>.csv")
	fs.StringVar(&s.distance, "distance", string(patches.L2Squared), "distance to compute: "+names(original.Distances()))
	fs.BoolVar(&s.packed, "packed", false, "each value of a descriptor holds eight bits")
	fs.StringVar(&s.variant, "variant", "v1", "generation of the results written: v1 (<task>/<descriptor>, labels in the results) or v2 (<descriptor>/<task>, none, with scores beside)")
}

// check checks the flags' values, and that those about descriptors come with
// descriptors.
func (s *patchSource) check(cmd *cobra.Command) error {
	if _, err := s.parse(); err != nil {
		return err
	}
	if s.descriptors != "" {
		return nil
	}
	for _, name := range []string{"distance", "packed", "variant", "out"} {
		if cmd.Flags().Changed(name) {
			return usageError{fmt.Errorf("--%s is about computing results, which wants --descriptors or --strips", name)}
		}
	}
	return nil
}

func (s *patchSource) parse() (original.Variant, error) {
	if _, err := patches.ParseDistance(s.distance, original.Distances()...); err != nil {
		return 0, usageError{fmt.Errorf("--distance: %w", err)}
	}
	switch s.variant {
	case "v1":
		return original.V1, nil
	case "v2":
		return original.V2, nil
	}
	return 0, usageError{fmt.Errorf("--variant: found %q, want v1 or v2", s.variant)}
}

// load reads the descriptors of the images wanted.
func (s *patchSource) load(ctx context.Context, wanted patches.Wanted, workers int) (*patches.Set, error) {
	dir, err := namedFolder(s.descriptors)
	if err != nil {
		return nil, err
	}
	return patches.Load(ctx, dir, wanted, patches.CSV{Packed: s.packed, Workers: workers})
}

// namedFolder returns dir with the name that a descriptor goes by: "." has none.
func namedFolder(dir string) (string, error) {
	if base := filepath.Base(dir); base == "." || base == ".." {
		return filepath.Abs(dir)
	}
	return dir, nil
}

// save writes the results for a benchmark or pairs file below --out.
func (s *patchSource) save(flags *commonFlags, task original.Task, descriptor, benchmark string, write func(io.Writer) error) (string, error) {
	variant, err := s.parse()
	if err != nil {
		return "", err
	}
	path := s.resultsPath(flags, variant, task, descriptor, benchmark)
	return path, store.WriteFile(path, write)
}

func (s *patchSource) resultsPath(flags *commonFlags, v original.Variant, task original.Task, descriptor, benchmark string) string {
	return original.ResultsPath(filepath.Join(flags.out, "results"), v, task, descriptor, benchmark)
}

// used returns the distance that results were computed with, if they were.
func (s *patchSource) used(computed bool) string {
	if computed {
		return s.distance
	}
	return ""
}

// headline says what figures are about.
func headline(name, descriptor, distance string) string {
	if distance == "" {
		distance = "as in the results"
	}
	line := "distance " + distance
	for _, part := range []string{descriptor, name} {
		if part != "" {
			line = part + ", " + line
		}
	}
	return line
}

// parseFile opens a file and has it parsed.
func parseFile[T any](path string, parse func(name string, r io.Reader) (T, error)) (T, error) {
	f, err := os.Open(path)
	if err != nil {
		var none T
		return none, err
	}
	defer f.Close()
	return parse(path, f)
}

// patchesJSON is what the figures of a benchmark are about.
type patchesJSON struct {
	Benchmark  string `json:"benchmark"`
	Results    string `json:"results"`
	Descriptor string `json:"descriptor,omitempty"`
	Distance   string `json:"distance,omitempty"` // empty if results were read
}

// A patchWarning is a warning as JSON has it.
type patchWarning struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
}

func jsonWarnings(list []eval.Warning) []patchWarning {
	warnings := make([]patchWarning, len(list))
	for i, w := range list {
		warnings[i] = patchWarning(w)
	}
	return warnings
}

// printPatchNotes prints what was written and every warning.
func printPatchNotes(out io.Writer, written []string, warnings []eval.Warning) error {
	for _, path := range written {
		if _, err := fmt.Fprintf(out, "file: %s\n", path); err != nil {
			return err
		}
	}
	for _, w := range warnings {
		if _, err := fmt.Fprintf(out, "warning: %s\n", w.Text); err != nil {
			return err
		}
	}
	return nil
}

// required fails if a flag's value is missing.
func required(flag, value string) error {
	if value == "" {
		return usageError{errors.New("--" + flag + " is missing")}
	}
	return nil
}

func names[T ~string](list []T) string {
	all := make([]string, len(list))
	for i, v := range list {
		all[i] = string(v)
	}
	return strings.Join(all, ", ")
}
