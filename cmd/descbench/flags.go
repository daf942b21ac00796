package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"descbench/eval/spelling"
)

// commonFlags are the flags that several commands have. A command registers
// those that it uses; the others keep their zero values.
type commonFlags struct {
	data       string   // --data: folder of scenes
	outputRoot string   // --out of commands that work with run folders: the folder of those
	out        string   // --out of other commands: where they write
	cache      string   // --cache: folder of cached features; "": the user's cache folder
	jobs       int      // --jobs: processor cores to use
	set        []string // --set key=value: changes to the config
	quiet      bool     // --quiet: no progress

	// Of every command.
	json      bool   // --json: machine-readable results on stdout
	logFormat string // --log-format: text or json, for messages on stderr

	settings *settings // what data, outputRoot, cache and jobs are taken from, if the command has one of these flags
}

// addOutput adds the flags of every command.
func (f *commonFlags) addOutput(fs *pflag.FlagSet) {
	fs.BoolVar(&f.json, "json", false, "print results as JSON")
	fs.StringVar(&f.logFormat, "log-format", "text", "format of messages on stderr: text or json")
}

func (f *commonFlags) addData(fs *pflag.FlagSet) {
	fs.StringVar(&f.data, "data", "", "folder of scenes; replaces the config's dataset.root")
	isSetting(fs, "data")
}

func (f *commonFlags) addOutputRoot(fs *pflag.FlagSet) {
	fs.StringVar(&f.outputRoot, "out", "", "folder of run folders; replaces the config's output.root")
	isSetting(fs, "out")
}

func (f *commonFlags) addCache(fs *pflag.FlagSet) {
	fs.StringVar(&f.cache, "cache", "", "folder of cached features (default: descbench in the user's cache folder)")
	isSetting(fs, "cache")
}

func (f *commonFlags) addJobs(fs *pflag.FlagSet) {
	fs.IntVar(&f.jobs, "jobs", runtime.NumCPU(), "processor cores to use")
	isSetting(fs, "jobs")
}

// addOut adds an --out that is not the folder of run folders.
func (f *commonFlags) addOut(fs *pflag.FlagSet, doc string) { fs.StringVar(&f.out, "out", "", doc) }

func (f *commonFlags) addSet(fs *pflag.FlagSet, doc string) {
	fs.StringArrayVar(&f.set, "set", nil, doc+" (repeatable)")
}

func (f *commonFlags) addQuiet(fs *pflag.FlagSet) {
	fs.BoolVar(&f.quiet, "quiet", false, "no progress on stderr")
}

// addConfig adds the flags that change the config that a command loads.
func (f *commonFlags) addConfig(fs *pflag.FlagSet) {
	f.addData(fs)
	f.addSet(fs, "change a config value, e.g. 'descriptors[sift].root=l1'")
}

// resolve completes the flags of a command, once they are parsed, by what
// variables and the user's own file say.
func (f *commonFlags) resolve(fs *pflag.FlagSet) (err error) {
	if f.logFormat != "text" && f.logFormat != "json" {
		return usageError{fmt.Errorf("--log-format: found %q, want text or json", f.logFormat)}
	}
	if !hasSettings(fs) {
		return nil
	}
	if f.settings, err = readSettings(fs); err != nil {
		return usageError{err}
	}
	f.data, f.outputRoot, f.cache = f.settings.text("data"), f.settings.text("out"), f.settings.text("cache")
	if f.jobs, err = f.settings.jobs(); err != nil {
		return usageError{err}
	}
	return nil
}

// logger writes messages to stderr in the format asked for.
func (f *commonFlags) logger() *slog.Logger {
	if f.logFormat == "json" {
		return slog.New(slog.NewJSONHandler(os.Stderr, nil))
	}
	return slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{
		ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey && len(groups) == 0 {
				return slog.Attr{}
			}
			return a
		},
	}))
}

// usageError is a mistake in how a command was called; it ends the program
// with status 2.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// flagError is the error of a command whose flags cannot be parsed. For an
// unknown flag it names the one that was probably meant.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return usageError{err}
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if near := spelling.Nearest(unknown.GetSpecifiedName(), names); near != "" {
		return usageError{fmt.Errorf("%w (did you mean --%s?)", err, near)}
	}
	return usageError{fmt.Errorf("%w; see %s --help", err, cmd.CommandPath())}
}

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
