package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"descbench/eval/patches"
	"descbench/eval/patches/y2016"
	"descbench/pipeline/patchbench"
)

// originalFlags are the flags shared by match, retrieve and classify.
type originalFlags struct {
	patchbench.Original
	descriptors []string
}

func (o *originalFlags) register(flags *commonFlags, fs *pflag.FlagSet, curves, figures string) {
	flags.addOut(fs, "folder for the results")
	flags.addJobs(fs)
	fs.StringVar(&o.Name, "name", "", "name of the descriptor of the results (default: name of their folder)")
	fs.StringArrayVar(&o.descriptors, "descriptors", nil, "compute results from the descriptors in this folder: <sequence>/<image>.csv (repeatable)")
	fs.StringVar((*string)(&o.Distance), "distance", string(patches.L2Squared), "distance to compute results with: "+names(y2016.Distances()))
	fs.StringVar((*string)(&o.Variant), "variant", string(y2016.V1), "layout of the results written: v1 (<task>/<descriptor>, with labels) or v2 (<descriptor>/<task>, without labels, with a file of scores)")
	fs.StringVar(&o.Curves, "curves", "", "write "+curves+" to this folder, in a subfolder per descriptor")
	fs.StringVar(&o.Figures, "figures", "", "draw "+figures+" in this folder, in a subfolder per descriptor, and those of several descriptors together")
	registerFormats(fs, "figure-format", &o.Formats)
	allows(fs, "variant", "v1", "v2")
	allows(fs, "distance", wordsOf(y2016.Distances())...)
	needs(fs, []string{"distance", "variant", "out"}, "descriptors")
	registerDatabase(fs, &o.Database)
}

func registerDatabase(fs *pflag.FlagSet, path *string) {
	fs.StringVar(path, "database", "", "also store all metrics in this SQLite file, for patches compare")
}

// describes reports whether the flags name descriptors.
func (o *originalFlags) describes() bool { return len(o.descriptors) > 0 }

// check checks the values. named reports whether there are results that --name can
// apply to.
func (o *originalFlags) check(named bool) error {
	if o.Name != "" && !named {
		return usageError{errors.New("--name needs results")}
	}
	return differentFolders(o.descriptors)
}

// open completes the options.
func (o *originalFlags) open(flags *commonFlags) (patchbench.Original, error) {
	o.Out, o.Jobs, o.Formats, o.Version = flags.out, flags.jobs, sortedFormats(o.Formats), version
	var err error
	o.Sources, err = patchbench.Folders(o.descriptors, flags.jobs)
	return o.Original, err
}

// benchmarkFlags are the flags for the files of match and retrieve.
type benchmarkFlags struct{ patchbench.Files }

func (f *benchmarkFlags) register(fs *pflag.FlagSet, content, unlabelled string) {
	fs.StringArrayVar(&f.Benchmarks, "benchmark", nil, ".benchmark file: "+content+" (repeatable)")
	fs.StringArrayVar(&f.Labels, "labels", nil, ".labels file of the benchmark (default: "+unlabelled+")")
	fs.StringArrayVar(&f.Results, "results", nil, "evaluate this .results file (repeatable: those of one descriptor, then those of the next)")
}

// check checks the numbers of files, given that of --descriptors.
func (f *benchmarkFlags) check(descriptors int) error {
	n := len(f.Benchmarks)
	if n == 0 {
		return usageError{errors.New("--benchmark is missing, want a .benchmark file")}
	}
	if found := len(f.Labels); found > 0 && found != n {
		return usageError{fmt.Errorf("--labels: found %d, want one for each of the %d --benchmark files, or none", found, n)}
	}
	if found := len(f.Results); found%n != 0 || found > 0 && descriptors > 0 && found != descriptors*n {
		return usageError{fmt.Errorf("--results: found %d, want one for each of the %d --benchmark files, or none", found, n)}
	}
	for _, path := range slices.Concat(f.Benchmarks, f.Labels, f.Results) {
		if _, err := os.Stat(path); err != nil { // before anything is described
			return patches.Missing(err, path, "a file of the benchmark")
		}
	}
	return differentNames("benchmark", f.Benchmarks)
}

// differentNames returns an error if two files have the same name, because results
// are stored under this name.
func differentNames(flag string, paths []string) error {
	name := func(path string) (string, error) { return y2016.TaskName(path), nil }
	return distinctNames(paths, name, "--"+flag+": %s and %s have the same name, %s")
}

// differentFolders returns an error if two folders of descriptors have the same
// name, which is that of the descriptor.
func differentFolders(folders []string) error {
	name := func(folder string) (string, error) {
		full, err := patches.NamedFolder(folder)
		return filepath.Base(full), err
	}
	return distinctNames(folders, name, "--descriptors: %s and %s are both called %s, want folders with different names")
}

// distinctNames returns an error if two paths have the same name: fault, which formats
// both and the name.
func distinctNames(paths []string, nameOf func(path string) (string, error), fault string) error {
	named := make(map[string]string)
	for _, path := range paths {
		name, err := nameOf(path)
		if err != nil {
			return err
		}
		if other, twice := named[name]; twice {
			return usageError{fmt.Errorf(fault, other, path, name)}
		}
		named[name] = path
	}
	return nil
}

// progressLines returns a function that prints the number of items done, at most
// every few seconds and at the end.
func progressLines(out io.Writer, flags *commonFlags, about, what string) func(done, all int) {
	shown := time.Now()
	return func(done, all int) {
		if !flags.quiet && (done == all || time.Since(shown) > plainInterval) {
			shown = time.Now()
			fmt.Fprintf(out, "%s%d of %d %s\n", about, done, all, what)
		}
	}
}

func wordsOf[T ~string](list []T) []string {
	all := make([]string, len(list))
	for i, v := range list {
		all[i] = string(v)
	}
	return all
}

func names[T ~string](list []T) string { return strings.Join(wordsOf(list), ", ") }
