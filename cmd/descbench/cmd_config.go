package main

import (
	"fmt"
	"io"
	"os"

	"descbench/pipeline/config"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"
)

func newConfigCommand(flags *commonFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Show and check configs",
		Long: `Show and check the YAML files that describe experiments.

A value that the file gives can be changed, in ascending order of precedence,
by the environment (DESCBENCH_EVALUATION_TIES=strict), by DESCBENCH_DATA,
DESCBENCH_OUT and DESCBENCH_DATABASE, by --set key=value
('descriptors[sift].root=l1'; lists take commas), and by --data and --out.

Relative paths in the file, in the environment and in --set start at the file's
folder, those of --data, --out and the three variables at the current one. See
descbench --help for the defaults of your own, which apply where the file is
silent.

Every fault is one line: file, line, key, what was found, what is allowed.
` + exitHelp,
	}
	show := &cobra.Command{
		Use:   "show CONFIG",
		Short: "Print the effective config, every default filled in",
		Long: `Print the effective config, every default filled in and all paths absolute.
It is itself a config.`,
		Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runConfigShow(cmd.OutOrStdout(), flags, args[0])
		},
	}
	check := &cobra.Command{
		Use:   "check CONFIG",
		Short: "Check a config without running it",
		Args:  exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runConfigCheck(cmd.OutOrStdout(), flags, args[0])
		},
	}
	for _, c := range []*cobra.Command{show, check} {
		flags.addConfig(c.Flags())
		flags.addOutputRoot(c.Flags())
	}
	cmd.AddCommand(show, check, &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of configs, for editors",
		Args:  exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := cmd.OutOrStdout().Write(config.Schema())
			return err
		},
	})
	return cmd
}

// loadConfig loads the config at path with the flags and the environment above
// it, and the user's own file below.
func loadConfig(flags *commonFlags, path string) (*config.Config, error) {
	overrides, err := flags.settings.overrides()
	if err != nil {
		return nil, err
	}
	overrides.Set, overrides.Env = flags.set, os.Environ()
	c, err := config.Load(path, overrides)
	if err != nil {
		return nil, usageError{err}
	}
	return c, nil
}

func runConfigShow(w io.Writer, flags *commonFlags, path string) error {
	c, err := loadConfig(flags, path)
	if err != nil {
		return err
	}
	text := c.YAML()
	if !flags.json {
		_, err = w.Write(text)
		return err
	}
	var tree any
	if err := yaml.Unmarshal(text, &tree); err != nil {
		return fmt.Errorf("read the effective config back: %w", err)
	}
	return printJSON(w, tree)
}

func runConfigCheck(w io.Writer, flags *commonFlags, path string) error {
	c, err := loadConfig(flags, path)
	if err != nil {
		return err
	}
	used := map[string]bool{}
	for _, d := range c.Descriptors {
		used[d.Keypoints] = true
	}
	if flags.json {
		return printJSON(w, map[string]int{"descriptors": len(c.Descriptors), "keypoint_sets": len(used)})
	}
	_, err = fmt.Fprintf(w, "ok: %s on %s\n", counted(len(c.Descriptors), "descriptor"), counted(len(used), "keypoint set"))
	return err
}

// counted returns "1 thing" or "n things".
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
