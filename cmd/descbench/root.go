package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"descbench/eval/spelling"
	"descbench/pipeline/report/table"
)

func newRootCommand() *cobra.Command {
	flags := &commonFlags{}
	root := &cobra.Command{
		Use:   "descbench",
		Short: "Benchmark local image descriptors",
		Long: `descbench benchmarks local image descriptors. It runs a whole experiment from
one YAML file, stores the records behind every number it prints, and reports
confidence intervals, significance and coverage.

Start with: descbench run configs/demo.yaml
Completion in the shell: descbench completion --help`,
		Version:       versionLine(),
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.NoArgs,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if err := cmp.Or(checkRules(cmd.Flags()), checkRequired(cmd.Flags())); err != nil {
				return err
			}
			return flags.resolve(cmd.Flags())
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(flagError)
	root.SetHelpTemplate("{{trimTrailingWhitespaces (or .Long .Short)}}\n\n{{.UsageString}}{{if not .HasParent}}" + settingsHelp + "{{end}}" + exitHelp)
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages", fmt.Sprint(".FlagUsagesWrapped ", table.PageWidth)))
	root.SetVersionTemplate("{{.Version}}\n")
	root.CompletionOptions.HiddenDefaultCmd = true
	flags.addOutput(root.PersistentFlags())
	addGroup(root, "Run an experiment:", newRunCommand(flags), newPlanCommand(flags), newStatusCommand(flags), newVerifyCommand(flags), newFoldCommand(flags))
	addGroup(root, "See, compare and publish results:", newResultsCommand(flags), newCompareCommand(flags), newReportCommand(flags), newEvalCommand(flags), newClassifyCommand(flags))
	addGroup(root, "Prepare data and descriptors:", newDatasetCommand(flags), newKeypointsCommand(flags), newDescriptorsCommand(flags), newPatchesCommand(flags), newBridgeCommand())
	addGroup(root, "Look something up:", newMetricsCommand(flags), newConfigCommand(flags), newDoctorCommand(flags), newCacheCommand(flags), newVersionCommand(flags))
	root.AddCommand(newRelayCommand())
	cobra.EnableCommandSorting = false
	root.SetHelpCommandGroupID("Look something up:")
	root.SetCompletionCommandGroupID("Look something up:")
	for _, c := range append(root.Commands(), root) {
		unknownCommandsAreUsageErrors(c)
	}
	root.InitDefaultHelpCmd()
	help, _, _ := root.Find([]string{"help"})
	help.Example = "  descbench help dataset verify"
	help.Args = func(_ *cobra.Command, args []string) error {
		of, rest, err := root.Find(args)
		if err == nil && of.HasSubCommands() {
			err = of.ValidateArgs(rest)
		}
		return err
	}
	complete(root)
	return root
}

// addGroup adds commands under a title of the help.
func addGroup(to *cobra.Command, title string, commands ...*cobra.Command) {
	to.AddGroup(&cobra.Group{ID: title, Title: title})
	for _, c := range commands {
		c.GroupID = title
	}
	to.AddCommand(commands...)
}

// unknownCommandsAreUsageErrors makes a mistyped subcommand a usage error. Cobra
// reports it as a plain error.
func unknownCommandsAreUsageErrors(c *cobra.Command) {
	if !c.HasSubCommands() || strings.Contains(c.Use, " [") { // the latter checks its argument itself
		return
	}
	c.SuggestionsMinimumDistance = 2
	c.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		hint := ""
		if s := cmd.SuggestionsFor(args[0]); len(s) > 0 {
			hint = spelling.Meant(s[0])
		} else if cmd.HasParent() {
			names := spelling.Words(cmd.Commands(), func(c *cobra.Command) string { return c.Name() })
			hint = ", want one of " + strings.Join(names, ", ")
		}
		return usageError{fmt.Errorf("%s has no command %q%s; see %s --help", cmd.CommandPath(), args[0], hint, cmd.CommandPath())}
	}
	if c.RunE == nil && c.Run == nil {
		c.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	}
}

// complete lets the shell complete the declared words of the flags of a command and of all its
// subcommands, and the config files that they take.
func complete(c *cobra.Command) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if words := f.Annotations[allowedWords]; words != nil {
			_ = c.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)) // the flag exists
		}
	})
	if strings.HasPrefix(arguments(c), "CONFIG") {
		c.ValidArgsFunction = cobra.FixedCompletions([]string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt)
	}
	for _, sub := range c.Commands() {
		complete(sub)
	}
}
