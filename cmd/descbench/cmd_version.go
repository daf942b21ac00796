package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"descbench/keypoints/detect"
)

func newVersionCommand(flags *commonFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the versions of the program and of what it is built with",
		Args:  exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			versions := struct {
				Descbench string `json:"descbench"`
				Go        string `json:"go"`
				GoCV      string `json:"gocv"`
				OpenCV    string `json:"opencv"`
			}{version, runtime.Version(), detect.GoCVVersion(), detect.OpenCVVersion()}
			if flags.json {
				return printJSON(cmd.OutOrStdout(), versions)
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "descbench %s (%s, gocv %s, OpenCV %s)\n",
				versions.Descbench, versions.Go, versions.GoCV, versions.OpenCV)
			return err
		},
	}
}
