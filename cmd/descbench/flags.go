package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"descbench/eval/spelling"
	"descbench/pipeline/config"
	"descbench/pipeline/fold"
	"descbench/pipeline/plan"
)

// commonFlags are the flags that several commands share. A command registers
// the flags that it uses; the others keep their zero values.
type commonFlags struct {
	data       string   // --data: folder of scenes
	outputRoot string   // --out of commands that work with run folders: their parent folder
	out        string   // --out of all other commands: where they write
	cache      string   // --cache: folder of cached features
	jobs       int      // --jobs: processor cores to use
	set        []string // --set key=value: changes to the config
	notes      bool     // --notes: say each fact about results

	// Flags of every command.
	quiet     bool   // --quiet: no progress
	json      bool   // --json: machine-readable results on stdout
	logFormat string // --log-format: text or json, for messages on stderr

	given    map[string]bool // settings that the command has, by name: whether the command line gives them
	database string          // DESCBENCH_DATABASE: SQLite file that collects the results of all runs
}

// addOutput adds the flags of every command.
func (f *commonFlags) addOutput(fs *pflag.FlagSet) {
	fs.BoolVar(&f.quiet, "quiet", false, "print no progress on stderr")
	fs.BoolVar(&f.json, "json", false, "print results as JSON")
	fs.StringVar(&f.logFormat, "log-format", "text", "format of messages on stderr: text or json")
	allows(fs, "log-format", "text", "json")
}

func (f *commonFlags) addData(fs *pflag.FlagSet) {
	fs.StringVar(&f.data, "data", "", "folder of scenes; overrides the config's dataset.root")
	isSetting(fs, "data")
}

func (f *commonFlags) addOutputRoot(fs *pflag.FlagSet) {
	fs.StringVar(&f.outputRoot, "out", "", "parent of the run folders; overrides the config's output.root")
	isSetting(fs, "out")
}

// addMoved adds --data to a command that works on a run.
func (f *commonFlags) addMoved(fs *pflag.FlagSet) {
	fs.StringVar(&f.data, "data", "", "folder of the scenes, if it is no longer where the run found it")
	isSetting(fs, "data")
}

func (f *commonFlags) addCache(fs *pflag.FlagSet) {
	fs.StringVar(&f.cache, "cache", "", "folder of cached features (default: descbench in the user's cache folder)")
	isSetting(fs, "cache")
}

func (f *commonFlags) addJobs(fs *pflag.FlagSet) {
	// A container may have fewer cores than the machine, which NumCPU would count.
	fs.IntVar(&f.jobs, "jobs", runtime.GOMAXPROCS(0), "processor cores to use")
	limits(fs, "jobs", 1, 1024) // each may hold a scene in memory
	isSetting(fs, "jobs")
}

// addOut adds an --out that is not the parent of the run folders.
func (f *commonFlags) addOut(fs *pflag.FlagSet, doc string) { fs.StringVar(&f.out, "out", "", doc) }

func (f *commonFlags) addSet(fs *pflag.FlagSet, doc string) {
	fs.StringArrayVar(&f.set, "set", nil, doc+" (repeatable)")
}

// addLabels adds --set for a command that shows results as they are.
func (f *commonFlags) addLabels(fs *pflag.FlagSet) {
	f.addSet(fs, "show another name, e.g. 'descriptors[sift].label=SIFT', also of keypoint_sets")
}

// onlyLabels returns an error if --set changes something else.
func (f *commonFlags) onlyLabels() error {
	if _, others := config.Labels(f.set); others != nil {
		return usageError{fmt.Errorf("--set %s: only labels can change here, as in 'descriptors[sift].label=SIFT'; descbench eval takes other changes", others[0])}
	}
	return nil
}

// addConfig adds the flags that change the config that a command loads.
func (f *commonFlags) addConfig(fs *pflag.FlagSet) {
	f.addData(fs)
	f.addSet(fs, "change a config value, e.g. 'descriptors[sift].root=l1'")
}

// options returns how features are computed.
func (f *commonFlags) options() plan.Options {
	return plan.Options{Jobs: f.jobs, CacheDir: f.cache, Version: version, Log: f.logger()}
}

// optionsOfRun returns the same for a finished run, whose scenes may have moved.
func (f *commonFlags) optionsOfRun() plan.Options {
	options := f.options()
	options.Data = f.data
	return options
}

// logger writes messages to stderr in the requested format.
func (f *commonFlags) logger() *slog.Logger { return f.loggerTo(os.Stderr) }

func (f *commonFlags) loggerTo(out io.Writer) *slog.Logger {
	if f.logFormat == "json" {
		return slog.New(slog.NewJSONHandler(out, nil))
	}
	return slog.New(lineHandler{out})
}

// usageError is a mistake in a command line. The program exits with status 2.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// flagError turns a flag parsing error into a usage error. For an unknown flag
// it suggests the flag with the nearest spelling.
func flagError(cmd *cobra.Command, err error) error {
	var (
		unknown *pflag.NotExistError
		invalid *pflag.InvalidValueError
		bare    *pflag.ValueRequiredError
	)
	switch {
	case errors.As(err, &invalid) && errors.Is(err, strconv.ErrRange):
		return usageError{fmt.Errorf("--%s: found %q, which is out of range", invalid.GetFlag().Name, invalid.GetValue())}
	case errors.As(err, &invalid):
		f := invalid.GetFlag()
		return usageError{fmt.Errorf("--%s: found %q, want %s", f.Name, invalid.GetValue(), flagTypes[f.Value.Type()])}
	case errors.As(err, &bare):
		return usageError{fmt.Errorf("--%s needs a value; see %s --help", bare.GetFlag().Name, cmd.CommandPath())}
	case !errors.As(err, &unknown):
		return usageError{err}
	}
	name := cmp.Or(unknown.GetSpecifiedShortnames(), unknown.GetSpecifiedName()) // also of -set
	if args := cmd.Flags().Args(); cmd.HasSubCommands() && len(args) > 0 && cmd.Args != nil {
		return cmd.Args(cmd, args) // the command is unknown, too
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if meant := cmp.Or(spelling.Alias(name), config.KeyNamed(name)); strings.Contains(meant, ".") && !strings.Contains(meant, " ") && cmd.Flags().Lookup("set") != nil {
		return usageError{fmt.Errorf("%w%s", err, spelling.Meant("--set "+meant+"=VALUE"))}
	}
	if near := spelling.Nearest(name, names); near != "" {
		return usageError{fmt.Errorf("%w%s", err, spelling.Meant("--"+near))}
	}
	return usageError{fmt.Errorf("%w; see %s --help", err, cmd.CommandPath())}
}

// flagTypes says what a flag of each pflag type takes, for those types whose
// parsing can fail.
var flagTypes = map[string]string{
	"int":         "a whole number",
	"uint64":      "a whole number of at least 0",
	"float64":     "a number with a decimal point, such as 0.5",
	"bool":        "true or false",
	"stringSlice": "a list separated by commas",
}

// exactArgs accepts exactly n arguments. The command's Use line names them.
func exactArgs(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != n {
			if err := checkRules(cmd.Flags()); err != nil {
				return err // because of which there may be too many
			}
			wants := "no argument"
			if n > 0 {
				wants = arguments(cmd)
			}
			more, found := "see "+cmd.CommandPath()+" --help", spelling.Few(spelling.Words(args, strconv.Quote), 3)
			if lists := listsGiven(cmd.Flags()); n == 0 && lists != nil {
				more = fmt.Sprintf("to give --%s several values, repeat the flag or separate them by commas", strings.Join(lists, " or --"))
			}
			return usageError{fmt.Errorf("%s takes %s, found %s; %s", commandName(cmd), wants, cmp.Or(found, "nothing"), more)}
		}
		return noneEmpty(args)
	}
}

// listsGiven returns the flags given that take a list.
func listsGiven(fs *pflag.FlagSet) (names []string) {
	fs.Visit(func(f *pflag.Flag) {
		if f.Value.Type() == "stringSlice" {
			names = append(names, f.Name)
		}
	})
	return names
}

// someArgs accepts one argument or more.
func someArgs(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usageError{fmt.Errorf("%s: want at least one %s", commandName(cmd), what)}
		}
		return noneEmpty(args)
	}
}

// ofReadable runs a command on the run folders whose results can be read, and returns an error
// about the others, too.
func ofReadable(run func(cmd *cobra.Command, args []string, given int) error) func(cmd *cobra.Command, args []string) error {
	return func(cmd *cobra.Command, args []string) error {
		var faults []error
		readable := slices.DeleteFunc(slices.Clone(args), func(path string) bool {
			_, err := fold.Open([]string{path}, nil)
			faults = append(faults, err)
			return err != nil
		})
		if len(readable) > 0 {
			faults = slices.Insert(faults, 0, run(cmd, readable, len(args)))
		}
		return errors.Join(faults...)
	}
}

// noneEmpty returns an error about an empty argument.
func noneEmpty(args []string) error {
	if i := slices.Index(args, ""); i >= 0 {
		return usageError{fmt.Errorf("argument %d: %s", i+1, emptyValue)}
	}
	return nil
}

// commandName returns the words of a command without those of the program.
func commandName(cmd *cobra.Command) string {
	if !cmd.HasParent() {
		return ""
	}
	return cmd.CommandPath()[len(cmd.Root().Name())+1:]
}

// arguments returns what the Use line of a command says after its name.
func arguments(cmd *cobra.Command) string {
	return cmd.Use[min(len(cmd.Name())+1, len(cmd.Use)):]
}
