package main

import (
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

func newRootCommand() *cobra.Command {
	flags := &commonFlags{}
	root := &cobra.Command{
		Use:   "descbench",
		Short: "Measure local image descriptors",
		Long: `descbench measures local image descriptors: it runs a whole experiment from
one YAML file, stores what is needed to derive every number it prints, and
says how much each number is worth.

Start with: descbench run configs/demo.yaml
` + exitHelp,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.NoArgs,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if err := flags.check(); err != nil {
				return err
			}
			return applies(cmd)
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.CompletionOptions.HiddenDefaultCmd = true
	flags.register(root.PersistentFlags())
	root.AddCommand(
		newRunCommand(flags),
		newPlanCommand(flags),
		newStatusCommand(flags),
		newFoldCommand(flags),
		newEvalCommand(flags),
		newResultsCommand(flags),
		newCompareCommand(flags),
		newClassifyCommand(flags),
		newMetricsCommand(flags),
		newDatasetCommand(flags),
		newPatchesCommand(flags),
		newKeypointsCommand(flags),
		newDescriptorsCommand(flags),
		newConfigCommand(flags),
		newCacheCommand(flags),
		newDoctorCommand(flags),
		newVersionCommand(flags),
	)
	for _, c := range root.Commands() {
		unknownCommandsAreUsageErrors(c)
	}
	unknownCommandsAreUsageErrors(root)
	return root
}

// unknownCommandsAreUsageErrors makes a mistyped subcommand end with the
// status of a wrong input. Cobra reports it as a plain error.
func unknownCommandsAreUsageErrors(c *cobra.Command) {
	if !c.HasSubCommands() {
		return
	}
	c.SuggestionsMinimumDistance = 2
	c.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		hint := ""
		if s := cmd.SuggestionsFor(args[0]); len(s) > 0 {
			hint = fmt.Sprintf(" (did you mean %s?)", s[0])
		}
		return usageError{fmt.Errorf("%s has no command %q%s; see %s --help", cmd.CommandPath(), args[0], hint, cmd.CommandPath())}
	}
	if c.RunE == nil && c.Run == nil {
		c.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	}
}

// noConfig are the commands that load no config and write no results: a flag
// that would change either is a mistake there.
var noConfig = []string{"results", "status", "fold", "cache", "descriptors", "metrics", "version"}

// onlySet are the commands that heed --set of those three flags: they compute
// from records.
var onlySet = []string{"compare", "classify"}

// applies refuses flags that the command would not heed.
func applies(cmd *cobra.Command) error {
	words := strings.Fields(cmd.CommandPath())
	var ignored []string
	switch {
	case len(words) < 2:
	case words[1] == "descriptors" && len(words) > 2: // export
		ignored = []string{"set", "data"}
	case slices.Contains(noConfig, words[1]):
		ignored = []string{"set", "data", "out"}
	case slices.Contains(onlySet, words[1]):
		ignored = []string{"data", "out"}
	}
	for _, name := range ignored {
		if cmd.Flags().Changed(name) {
			return usageError{fmt.Errorf("--%s does not apply to %s", name, cmd.CommandPath())}
		}
	}
	return nil
}

func (f *commonFlags) check() error {
	const most = 1024 // each job may hold a scene in memory
	if f.jobs < 1 || f.jobs > most {
		return usageError{fmt.Errorf("--jobs: found %d, want at least 1 and at most %d", f.jobs, most)}
	}
	if f.logFormat != "text" && f.logFormat != "json" {
		return usageError{fmt.Errorf("--log-format: found %q, want text or json", f.logFormat)}
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
