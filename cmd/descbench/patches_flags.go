package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"descbench/eval/patches"
	"descbench/eval/patches/original"
	"descbench/pipeline/config"
	"descbench/pipeline/patchbench"
	"descbench/pipeline/report"
)

// sourceFlags say where the descriptors of patches come from, besides
// --descriptors.
type sourceFlags struct {
	strips, kind, name string
	packed             bool
}

func (s *sourceFlags) register(flags *commonFlags, fs *pflag.FlagSet) {
	flags.addOut(fs, "folder for the results")
	flags.addSet(fs, "with --strips, change the descriptor, e.g. root=l1")
	flags.addJobs(fs)
	fs.StringVar(&s.strips, "strips", "", "in place of --descriptors: describe the strips in this folder first, by --type and --set")
	fs.StringVar(&s.kind, "type", "", "kind of descriptor, with --strips; see descbench patches describe")
	fs.StringVar(&s.name, "name", "", "name of the descriptor: of strips (default: its type), or of results (default: that of their folder)")
	fs.BoolVar(&s.packed, "packed", false, "each value of a descriptor holds eight bits")
}

// check says which flags do not go together. given says that there are
// --descriptors, named that there are results that --name can be about.
func (s *sourceFlags) check(flags *commonFlags, given, named bool) error {
	switch {
	case s.strips == "" && (s.kind != "" || len(flags.set) > 0 || s.name != "" && !named):
		return usageError{errors.New("--type, --name and --set are about describing, which wants --strips")}
	case s.strips == "":
		return nil
	case given:
		return usageError{errors.New("want either --descriptors or --strips")}
	}
	return required("type", s.kind)
}

// open returns the sources of the descriptors in folders, or that of the strips.
func (s *sourceFlags) open(flags *commonFlags, folders ...string) ([]*patchbench.Source, error) {
	if s.strips != "" {
		d, err := config.NewDescriptor(s.kind, cmp.Or(s.name, s.kind), flags.set)
		if err != nil {
			return nil, err
		}
		source, err := patchbench.NewStrips(s.strips, d, flags.jobs, flags.logger())
		return []*patchbench.Source{source}, err
	}
	var sources []*patchbench.Source
	for _, folder := range folders {
		source, err := patchbench.NewFolder(folder, patches.CSV{Packed: s.packed, Workers: flags.jobs})
		if err != nil {
			return nil, err
		}
		sources = append(sources, source)
	}
	return sources, nil
}

// originalFlags are those that match, retrieve and classify share.
type originalFlags struct {
	sourceFlags
	descriptors, distance, variant string
	curves, figures, format        string
	database                       string
}

func (o *originalFlags) register(flags *commonFlags, fs *pflag.FlagSet, curves, figures string) {
	o.sourceFlags.register(flags, fs)
	fs.StringVar(&o.descriptors, "descriptors", "", "compute results from the descriptors in this folder: <sequence>/<image>.csv")
	fs.StringVar(&o.distance, "distance", string(patches.L2Squared), "distance to compute: "+names(original.Distances()))
	fs.StringVar(&o.variant, "variant", "v1", "generation of the results written: v1 (<task>/<descriptor>, labels in the results) or v2 (<descriptor>/<task>, none, with scores beside)")
	fs.StringVar(&o.curves, "curves", "", "write "+curves+" into a folder per descriptor in this one")
	fs.StringVar(&o.figures, "figures", "", "draw "+figures+" into a folder per descriptor in this one")
	fs.StringVar(&o.format, "format", "svg", "kind of --figures: svg, png or pdf")
	registerDatabase(fs, &o.database)
}

func registerDatabase(fs *pflag.FlagSet, path *string) {
	fs.StringVar(path, "database", "", "enter every figure into this SQLite file too, for patches compare")
}

// describes reports whether there is a source of descriptors.
func (o *originalFlags) describes() bool { return o.descriptors != "" || o.strips != "" }

// check checks values, and that flags about descriptors come with descriptors.
func (o *originalFlags) check(cmd *cobra.Command, flags *commonFlags, named bool) error {
	if err := report.CheckFigure("x." + o.format); err != nil {
		return usageError{fmt.Errorf("--format: found %q, want svg, png or pdf", o.format)}
	}
	if err := o.sourceFlags.check(flags, o.descriptors != "", named); err != nil {
		return err
	}
	if _, err := patches.ParseDistance(o.distance, original.Distances()...); err != nil {
		return usageError{fmt.Errorf("--distance: %w", err)}
	}
	if o.variant != "v1" && o.variant != "v2" {
		return usageError{fmt.Errorf("--variant: found %q, want v1 or v2", o.variant)}
	}
	for _, name := range []string{"distance", "packed", "variant", "out"} {
		if !o.describes() && cmd.Flags().Changed(name) {
			return usageError{fmt.Errorf("--%s is about computing results, which wants --descriptors or --strips", name)}
		}
	}
	return nil
}

// open returns what the flags say. The caller closes the source, if there is one.
func (o *originalFlags) open(flags *commonFlags) (patchbench.Original, error) {
	out := patchbench.Original{
		Distance: patches.Distance(o.distance), Variant: original.V1, Name: o.name, Out: flags.out, Jobs: flags.jobs,
		Curves: o.curves, Figures: o.figures, Format: o.format, Database: o.database, Version: version,
	}
	if o.variant == "v2" {
		out.Variant = original.V2
	}
	if !o.describes() {
		return out, nil
	}
	sources, err := o.sourceFlags.open(flags, o.descriptors)
	if err != nil {
		return out, err
	}
	out.Source = sources[0]
	return out, nil
}

// benchmarkFlags are the files of match and retrieve.
type benchmarkFlags struct{ patchbench.Files }

func (f *benchmarkFlags) register(fs *pflag.FlagSet, content, unlabelled string) {
	fs.StringArrayVar(&f.Benchmarks, "benchmark", nil, "the .benchmark file: "+content+" (repeatable)")
	fs.StringArrayVar(&f.Labels, "labels", nil, "its .labels file (default: "+unlabelled+")")
	fs.StringArrayVar(&f.Results, "results", nil, "evaluate this .results file")
}

func (f *benchmarkFlags) check() error {
	n := len(f.Benchmarks)
	if n == 0 {
		return usageError{errors.New("--benchmark is missing")}
	}
	for flag, files := range map[string][]string{"labels": f.Labels, "results": f.Results} {
		if len(files) > 0 && len(files) != n {
			return usageError{fmt.Errorf("--%s: found %d, want one for each of %d --benchmark, or none", flag, len(files), n)}
		}
	}
	for _, path := range slices.Concat(f.Benchmarks, f.Labels, f.Results) {
		if _, err := os.Stat(path); err != nil { // before anything is described
			return err
		}
	}
	return differentNames("benchmark", f.Benchmarks)
}

// differentNames makes sure that files do not go by one name, under which their
// results are.
func differentNames(flag string, paths []string) error {
	byName := make(map[string]string, len(paths))
	for _, path := range paths {
		name := original.TaskName(path)
		if other, taken := byName[name]; taken {
			return usageError{fmt.Errorf("--%s: %s and %s go by one name, %s", flag, other, path, name)}
		}
		byName[name] = path
	}
	return nil
}

// progressLines returns a function that prints how many of what are done, at most
// every few seconds and in the end.
func progressLines(out io.Writer, flags *commonFlags, about, what string) func(done, all int) {
	shown := time.Now()
	return func(done, all int) {
		if !flags.quiet && (done == all || time.Since(shown) > plainInterval) {
			shown = time.Now()
			fmt.Fprintf(out, "%s%d of %d %s\n", about, done, all, what)
		}
	}
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
