package main

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/pflag"

	"descbench/eval"
)

// patchFiles are the files of benchmarks of 2016: as many of each kind, or none.
type patchFiles struct {
	benchmarks, labels, results []string
}

func (f *patchFiles) register(fs *pflag.FlagSet, content, unlabelled string) {
	fs.StringArrayVar(&f.benchmarks, "benchmark", nil, "the .benchmark file: "+content+" (repeatable)")
	fs.StringArrayVar(&f.labels, "labels", nil, "its .labels file (default: "+unlabelled+")")
	fs.StringArrayVar(&f.results, "results", nil, "evaluate this .results file")
}

func (f *patchFiles) check() error {
	n := len(f.benchmarks)
	if n == 0 {
		return usageError{errors.New("--benchmark is missing")}
	}
	for flag, files := range map[string][]string{"labels": f.labels, "results": f.results} {
		if len(files) > 0 && len(files) != n {
			return usageError{fmt.Errorf("--%s: found %d, want one for each of %d --benchmark, or none", flag, len(files), n)}
		}
	}
	for _, path := range slices.Concat(f.benchmarks, f.labels, f.results) {
		if _, err := os.Stat(path); err != nil { // before anything is described
			return err
		}
	}
	return differentNames("benchmark", f.benchmarks)
}

// differentNames makes sure that files do not go by one name, under which their
// results are.
func differentNames(flag string, paths []string) error {
	byName := make(map[string]string, len(paths))
	for _, path := range paths {
		name := taskName(path)
		if other, taken := byName[name]; taken {
			return usageError{fmt.Errorf("--%s: %s and %s go by one name, %s", flag, other, path, name)}
		}
		byName[name] = path
	}
	return nil
}

// at returns file i, empty if there are none.
func at(files []string, i int) string {
	if len(files) == 0 {
		return ""
	}
	return files[i]
}

// named returns warnings that say which benchmark they are about, if there are
// several.
func named(warnings []eval.Warning, benchmark string, benchmarks int) []eval.Warning {
	if benchmarks == 1 {
		return warnings
	}
	list := make([]eval.Warning, len(warnings))
	for i, w := range warnings {
		list[i] = eval.Warning{Kind: w.Kind, Text: taskName(benchmark) + ": " + w.Text}
	}
	return list
}
