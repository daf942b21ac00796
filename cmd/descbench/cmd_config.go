package main

import (
	"fmt"
	"os"

	"descbench/eval/spelling"
	"descbench/pipeline/config"
	"descbench/pipeline/notes"
	"descbench/pipeline/plan"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"
)

func newConfigCommand(flags *commonFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Show and check configs",
		Long: `Show and check the YAML files that describe experiments.

These override a value in the file, in ascending order of precedence: an
environment variable (DESCBENCH_EVALUATION_TIES=strict); DESCBENCH_DATA,
DESCBENCH_OUT and DESCBENCH_DATABASE; --set key=value
('descriptors[sift].root=l1'); --data and --out. --set replaces the whole value.
Lists are words separated by commas, or YAML: 'evaluation.cutoffs=[1, 5]',
'evaluation.fixed_gallery={n: 100}'.

Relative paths in the file, in environment variables and in --set are relative
to the file's folder. Relative paths in --data, --out and the three variables
are relative to the current folder.

Every error is one line: file, line, key, what was found, what is allowed.`,
	}
	show := &cobra.Command{
		Use:     "show CONFIG",
		Short:   "Print the effective config with all defaults",
		Example: "  descbench config show configs/demo.yaml --set 'descriptors[sift].root=l1'",
		Long: `Print the effective config with all defaults and absolute paths. The output is
a valid config.`,
		Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runConfigShow(cmd, flags, args[0])
		},
	}
	check := &cobra.Command{
		Use:     "check CONFIG",
		Short:   "Check a config without running it",
		Example: "  descbench config check configs/demo.yaml --set 'evaluation.cutoffs=[1, 10]'",
		Args:    exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runConfigCheck(cmd, flags, args[0])
		},
	}
	for _, c := range []*cobra.Command{show, check} {
		flags.addConfig(c.Flags())
		flags.addOutputRoot(c.Flags())
	}
	cmd.AddCommand(show, check, &cobra.Command{
		Use:     "schema",
		Short:   "Print the JSON Schema of configs, for editors",
		Example: "  descbench config schema > schema.json",
		Args:    exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := cmd.OutOrStdout().Write(config.Schema())
			return err
		},
	})
	return cmd
}

// loadConfig loads the config at path. Flags and the environment override it.
func loadConfig(flags *commonFlags, path string) (*config.Config, error) {
	overrides, err := flags.overrides()
	if err != nil {
		return nil, err
	}
	overrides.Set, overrides.Env = flags.set, os.Environ()
	overrides.Note = func(text string) { flags.logger().Info(text) }
	c, err := config.Load(path, overrides)
	if run := plan.Folder(path); err != nil && run.IsRun() {
		return nil, usageError{fmt.Errorf("%s is a run folder, want a config; its config is %s, and descbench results %[3]s prints its results", path, run.Config(), spelling.Shell(path))}
	}
	if err != nil {
		return nil, usageError{err}
	}
	return c, nil
}

func runConfigShow(cmd *cobra.Command, flags *commonFlags, path string) error {
	c, err := loadConfig(flags, path)
	if err != nil {
		return err
	}
	text := c.YAML()
	var tree any
	if err := yaml.Unmarshal(text, &tree); err != nil {
		return fmt.Errorf("read the effective config back: %w", err)
	}
	return flags.print(cmd, tree, "%s", text)
}

func runConfigCheck(cmd *cobra.Command, flags *commonFlags, path string) error {
	c, err := loadConfig(flags, path)
	if err != nil {
		return err
	}
	warnings, text := notes.Strings(notes.Lines(c.Facts())), ""
	for _, warning := range warnings {
		text += "warning: " + warning + "\n"
	}
	return flags.print(cmd, struct {
		Descriptors  int      `json:"descriptors"`
		KeypointSets int      `json:"keypoint_sets"`
		Warnings     []string `json:"warnings,omitempty"`
	}{len(c.Descriptors), len(c.KeypointSets), warnings},
		"ok: %s on %s\n%s", spelling.Count(len(c.Descriptors), "descriptor"), spelling.Count(len(c.KeypointSets), "keypoint set"), text)
}
