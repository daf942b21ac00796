package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"descbench/keypoints/detect"
)

func newVersionCommand(flags *commonFlags) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the versions of the program, Go, gocv and OpenCV",
		Example: "  descbench version --json",
		Args:    exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return flags.print(cmd, struct {
				Descbench string `json:"descbench"`
				Go        string `json:"go"`
				GoCV      string `json:"gocv"`
				OpenCV    string `json:"opencv"`
			}{version, runtime.Version(), detect.GoCVVersion(), detect.OpenCVVersion()}, "%s\n", versionLine())
		},
	}
}

// versionLine is what version and --version print.
func versionLine() string {
	return fmt.Sprintf("descbench %s (%s, gocv %s, OpenCV %s)", version, runtime.Version(), detect.GoCVVersion(), detect.OpenCVVersion())
}
