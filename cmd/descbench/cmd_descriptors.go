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
	cmd := &cobra.Command{
		Use:   "descriptors",
		Short: "List the descriptors and detectors that a config may name",
		Long: `Lists the kinds of descriptors: dimension, element type, invariances, and which
detectors' keypoints they accept, with the reason for any limit. Then lists the
detectors. Each entry has its source and its parameters with defaults.`,
		Example: "  descbench descriptors\n  descbench descriptors --json",
		Args:    exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if flags.json {
				return printJSON(cmd.OutOrStdout(), kindsJSON())
			}
			return printKinds(cmd.OutOrStdout())
		},
	}
	cmd.AddCommand(newDescriptorsExportCommand(flags))
	return cmd
}

func printKinds(out io.Writer) error {
	var b strings.Builder
	b.WriteString("Descriptors (descriptors: - type: ...)\n")
	for _, k := range descriptors.Kinds() {
		fmt.Fprintf(&b, "\n  %s: %s\n", k.Name, k.Doc)
		fmt.Fprintf(&b, "    elements     %d of %s, %s\n", k.Dim, k.Type, k.Range)
		fmt.Fprintf(&b, "    invariances  %s\n", k.Invariances)
		fmt.Fprintf(&b, "    keypoints    %s\n", accepted(k))
		if why := k.AcceptsAltered(keypoints.Defaults(k.Params)); why != nil {
			fmt.Fprintf(&b, "    altered      %v\n", why)
		}
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

// accepted names the detectors whose keypoints a kind can describe.
func accepted(k descriptors.Kind) string {
	if k.Detectors == nil {
		return "of every detector"
	}
	return "of " + strings.Join(k.Detectors, ", ") + " only: " + k.Because
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
	Keypoints   *acceptJSON `json:"keypoints,omitempty"`
	Source      string      `json:"source"`
	Params      []paramJSON `json:"params"`
}

// acceptJSON lists the keypoints that a descriptor can describe.
type acceptJSON struct {
	Detectors []string `json:"detectors"`         // all accepted detectors
	Because   string   `json:"because,omitempty"` // reason for the limit
	Altered   string   `json:"altered,omitempty"` // reason against moved or resized keypoints, with default parameters
}

func acceptsJSON(k descriptors.Kind) *acceptJSON {
	out := &acceptJSON{Because: k.Because}
	for _, d := range keypoints.Detectors() {
		if k.Accepts(d.Name) == nil {
			out.Detectors = append(out.Detectors, d.Name)
		}
	}
	if why := k.AcceptsAltered(keypoints.Defaults(k.Params)); why != nil {
		out.Altered = why.Error()
	}
	return out
}

func kindsJSON() any {
	var out struct {
		Descriptors []kindJSON `json:"descriptors"`
		Detectors   []kindJSON `json:"detectors"`
	}
	for _, k := range descriptors.Kinds() {
		out.Descriptors = append(out.Descriptors, kindJSON{
			k.Name, k.Doc, k.Dim, k.Type.String(), k.Range, k.Invariances, acceptsJSON(k), k.Source, paramsJSON(k.Params),
		})
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
