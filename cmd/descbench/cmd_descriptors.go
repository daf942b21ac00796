package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"descbench/descriptors"
	"descbench/keypoints"
)

func newDescriptorsCommand(flags *commonFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "descriptors",
		Short: "List the descriptors and detectors that a config may name",
		Args:  exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if flags.json {
				return printJSON(cmd.OutOrStdout(), kindsJSON())
			}
			return printKinds(cmd.OutOrStdout())
		},
	}
}

func printKinds(out io.Writer) error {
	var b strings.Builder
	b.WriteString("Descriptors (descriptors: - type: ...)\n")
	for _, k := range descriptors.Kinds() {
		fmt.Fprintf(&b, "\n  %s: %s\n", k.Name, k.Doc)
		fmt.Fprintf(&b, "    elements     %d of %s, %s\n", k.Dim, k.Type, k.Range)
		fmt.Fprintf(&b, "    invariances  %s\n", k.Invariances)
		fmt.Fprintf(&b, "    source       %s\n", k.Source)
		writeParams(&b, k.Params)
	}
	b.WriteString("\nDetectors (keypoint_sets: - detect: {type: ...})\n")
	for _, d := range keypoints.Detectors() {
		fmt.Fprintf(&b, "\n  %s: %s\n", d.Name, d.Doc)
		fmt.Fprintf(&b, "    source       %s\n", d.Source)
		writeParams(&b, d.Params)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func writeParams(b *strings.Builder, params []keypoints.Param) {
	for _, p := range params {
		fmt.Fprintf(b, "    %s = %v  %s\n", p.Name, p.Default, p.Doc)
	}
}

type paramJSON struct {
	Name    string   `json:"name"`
	Default any      `json:"default"`
	Choices []string `json:"choices,omitempty"`
	Doc     string   `json:"doc"`
}

type kindJSON struct {
	Name        string      `json:"name"`
	Doc         string      `json:"doc"`
	Dimension   int         `json:"dimension,omitempty"`
	Type        string      `json:"type,omitempty"`
	Range       string      `json:"range,omitempty"`
	Invariances string      `json:"invariances,omitempty"`
	Source      string      `json:"source"`
	Params      []paramJSON `json:"params"`
}

func kindsJSON() any {
	var out struct {
		Descriptors []kindJSON `json:"descriptors"`
		Detectors   []kindJSON `json:"detectors"`
	}
	for _, k := range descriptors.Kinds() {
		out.Descriptors = append(out.Descriptors, kindJSON{k.Name, k.Doc, k.Dim, k.Type.String(), k.Range, k.Invariances, k.Source, paramsJSON(k.Params)})
	}
	for _, d := range keypoints.Detectors() {
		out.Detectors = append(out.Detectors, kindJSON{Name: d.Name, Doc: d.Doc, Source: d.Source, Params: paramsJSON(d.Params)})
	}
	return out
}

func paramsJSON(params []keypoints.Param) []paramJSON {
	out := make([]paramJSON, len(params))
	for i, p := range params {
		out[i] = paramJSON{p.Name, p.Default, p.Choices, p.Doc}
	}
	return out
}
