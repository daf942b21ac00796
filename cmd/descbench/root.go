package main

import (
	"fmt"
	"log/slog"
	"os"

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
		PersistentPreRunE: func(*cobra.Command, []string) error {
			return flags.check()
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
		newDatasetCommand(flags),
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

func (f *commonFlags) check() error {
	if f.jobs < 1 {
		return usageError{fmt.Errorf("--jobs: found %d, want at least 1", f.jobs)}
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
