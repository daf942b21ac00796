package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"descbench/pipeline/child"
	"descbench/pipeline/config"
)

func newBridgeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bridge",
		Short: "Print what your own programs need to compute descriptors",
		Long: `Bridge prints modules with which a program of your own computes descriptors,
keypoints or matches for descbench: type: command in a config runs it. See
docs/own-functions.md, and docs/protocol.md for other languages.`,
		Example: `  descbench bridge python > descbench.py`,
		Args:    exactArgs(0),
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(&cobra.Command{
		Use:     "python",
		Short:   "Print the Python module descbench.py",
		Long:    "Python prints the module descbench.py, to save next to your own program. It needs\nnumpy.",
		Example: `  descbench bridge python > descbench.py`,
		Args:    exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprint(cmd.OutOrStdout(), child.Python)
			return err
		},
	})
	return cmd
}

// newRelayCommand returns the command that descbench starts for config.Relay.
func newRelayCommand() *cobra.Command {
	return &cobra.Command{
		Use:    config.Relay[1],
		Hidden: true,
		Short:  "Join the protocol of programs to the socket that " + config.Socket + " names",
		Args:   exactArgs(0),
		RunE: func(*cobra.Command, []string) error {
			if err := child.Relay(os.Getenv(config.Socket)); err != nil {
				return usageError{err}
			}
			return nil
		},
	}
}
