package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"descbench/eval/patches"
	"descbench/eval/patches/y2016"
	"descbench/pipeline/patchbench"
	"descbench/pipeline/report/table"
)

// originalFlags are the flags shared by match, retrieve and classify.
type originalFlags struct {
	patchbench.Original
	descriptors []string
	table       tableChoice
}

// register registers the flags. example is a table without rows.
func (o *originalFlags) register(cmd *cobra.Command, flags *commonFlags, figures string, example *table.Table) {
	fs := cmd.Flags()
	flags.addOut(fs, "folder for the results")
	flags.addJobs(fs)
	fs.StringVar(&o.Name, "name", "", "name of the descriptor of the results (default: name of their folder)")
	fs.StringArrayVar(&o.descriptors, "descriptors", nil, "compute results from the descriptors in this folder: <sequence>/<image>.csv (repeatable)")
	fs.StringVar((*string)(&o.Distance), "distance", string(patches.L2Squared), "distance to compute results with: "+names(y2016.Distances()))
	fs.StringVar(&o.Figures, "figures", "", "draw "+figures+" in this folder, in a subfolder per descriptor, and those of several descriptors together")
	registerFormats(fs, "figure-format", &o.Formats)
	allows(fs, "distance", wordsOf(y2016.Distances())...)
	needs(fs, []string{"distance", "out"}, "descriptors")
	registerDatabase(fs, &o.Database)
	o.table.registerFor(cmd, flags, "descriptors", example)
}

func registerDatabase(fs *pflag.FlagSet, path *string) {
	fs.StringVar(path, "database", "", "also store all metrics in this SQLite file, for patches compare")
}

// describes reports whether the flags name descriptors.
func (o *originalFlags) describes() bool { return len(o.descriptors) > 0 }

// run evaluates descriptors or results, and prints what was found, the files written and all
// warnings. named reports whether there are results that --name can apply to.
func (o *originalFlags) run(cmd *cobra.Command, flags *commonFlags, named bool, rate func(context.Context, patchbench.Original) (*patchbench.Ratings, error)) (err error) {
	if o.Name != "" && !named {
		return usageError{errors.New("--name needs results")}
	}
	o.Out, o.Jobs, o.Formats, o.Version = flags.out, flags.jobs, sortedFormats(o.Formats), version
	if o.Sources, err = patchbench.Folders(o.descriptors); err != nil {
		return err
	}
	r, err := rate(cmd.Context(), o.Original)
	if err != nil {
		return err
	}
	for _, path := range r.Written {
		r.Table.Note("file: %s", path)
	}
	r.Table.Tell(r.Facts...)
	if len(r.Table.Rows) == 0 && !o.table.forPrograms() {
		r.Table.Columns, r.Table.Title, r.Table.Caption = nil, "", nil
	}
	return o.table.show(cmd, r.Table)
}

// differentNames returns an error if two files have the same name, because results
// are stored under this name.
func differentNames(flag string, paths []string) error {
	named := make(map[string]string)
	for _, path := range paths {
		name := y2016.TaskName(path)
		if other, twice := named[name]; twice {
			return usageError{fmt.Errorf("--%s: %s and %s have the same name, %s", flag, other, path, name)}
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
