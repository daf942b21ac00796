package main

import (
	"context"
	"path/filepath"

	"github.com/spf13/pflag"

	"descbench/eval/patches"
	"descbench/eval/patches/original"
	"descbench/pipeline/patchbench"
)

// patchDatabase is the SQLite file that figures of the patch benchmark go to.
type patchDatabase struct {
	path string
}

func (d *patchDatabase) register(fs *pflag.FlagSet) {
	fs.StringVar(&d.path, "database", "", "enter every figure into this SQLite file too, for patches compare")
}

// enter enters results, if a database was named, and returns the files that were
// written.
func (d *patchDatabase) enter(ctx context.Context, results ...patchbench.Result) (written []string, err error) {
	if d.path == "" {
		return nil, nil
	}
	for _, r := range results {
		if err := patchbench.Enter(ctx, d.path, version, r); err != nil {
			return nil, err
		}
	}
	return []string{d.path}, nil
}

// original2016 is a result in the formats of 2016, yet without figures. Its
// descriptor is that of the set or, without one, that of the results. asked and
// answered are digests of what a benchmark holds and of its results.
func (s *patchSource) original2016(task, benchmark, distance, asked, answered string, set *patches.Set, results string) (patchbench.Result, error) {
	r := patchbench.Result{Protocol: patchbench.Protocol{
		Task: task, Benchmark: benchmark, Protocol: "2016", Distance: distance,
		Definitions: map[string]string{"": asked}, Data: answered,
	}}
	if set != nil {
		r.Descriptor, r.Dimension, r.Type = set.Name, set.Dim, set.Type.String()
		return r, nil
	}
	var err error
	r.Descriptor, err = s.descriptorOf(results)
	return r, err
}

// descriptorOf returns the descriptor of a file of results: --name, or what
// its place tells.
func (s *patchSource) descriptorOf(results string) (string, error) {
	if s.name != "" {
		return s.name, nil
	}
	path, err := filepath.Abs(results)
	return original.DescriptorOf(path), err
}
