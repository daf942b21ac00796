package main

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// commonFlags are the flags that every command understands.
type commonFlags struct {
	data      string   // --data: folder of scenes, instead of the config's dataset.root
	out       string   // --out: folder of run folders, instead of the config's output.root
	cache     string   // --cache: folder of cached features
	jobs      int      // --jobs: processor cores to use
	set       []string // --set key=value: changes to the config
	quiet     bool     // --quiet: no progress
	json      bool     // --json: machine-readable results on stdout
	logFormat string   // --log-format: text or json, for messages on stderr
}

func (f *commonFlags) register(fs *pflag.FlagSet) {
	fs.StringVar(&f.data, "data", "", "folder of scenes, instead of the config's dataset.root")
	fs.StringVar(&f.out, "out", "", "folder of run folders, instead of the config's output.root")
	fs.StringVar(&f.cache, "cache", "", "folder of cached features (default: descbench in the user's cache folder)")
	fs.IntVar(&f.jobs, "jobs", runtime.NumCPU(), "processor cores to use")
	fs.StringArrayVar(&f.set, "set", nil, "change a config value, e.g. 'descriptors[sift].root=l1' (repeatable)")
	fs.BoolVar(&f.quiet, "quiet", false, "no progress on stderr")
	fs.BoolVar(&f.json, "json", false, "print results as JSON")
	fs.StringVar(&f.logFormat, "log-format", "text", "format of messages on stderr: text or json")
}

// usageError is a mistake in how a command was called; it ends the program
// with status 2.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// exactArgs wants n arguments, which the command's Use names.
func exactArgs(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != n {
			_, wants, _ := strings.Cut(cmd.Use, " ")
			if n == 0 {
				wants = "no argument"
			}
			return usageError{fmt.Errorf("%s: want %s, found %d arguments", cmd.CommandPath(), wants, len(args))}
		}
		return nil
	}
}
