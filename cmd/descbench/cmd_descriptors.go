package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"descbench/descriptors"
	"descbench/eval/spelling"
	"descbench/keypoints"
	"descbench/pipeline/config"
	"descbench/pipeline/features"
	"descbench/pipeline/plan"
	"descbench/pipeline/report/table"
)

func newDescriptorsCommand(flags *commonFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "descriptors [NAME]",
		Short: "List the descriptors and detectors that a config may name",
		Long: `Lists the types of descriptors and the detectors: file reads the descriptors of your
own program, command runs a function or network of yours, fusion combines others,
and the rest are computed here.

With NAME, prints everything about one: of a descriptor its config keys, elements,
invariances, the detectors whose keypoints it accepts, with the reason for any limit,
and a config to start from; of a detector its source and parameters.`,
		Example: "  descbench descriptors\n  descbench descriptors file",
		Args:    func(cmd *cobra.Command, args []string) error { return exactArgs(min(len(args), 1))(cmd, args) },
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return flags.print(cmd, kindsTable(config.DescriptorTypes(), keypoints.Detectors()), "%s", kindsText())
			}
			detectors := slices.DeleteFunc(keypoints.Detectors(), func(d keypoints.Detector) bool { return d.Name != args[0] })
			t, err := config.FindDescriptorType(args[0])
			if err != nil && len(detectors) == 0 {
				return usageError{err}
			}
			var types []config.DescriptorType
			var text strings.Builder
			if err == nil {
				types = append(types, t)
				writeType(&text, t)
			}
			for _, d := range detectors {
				if text.Len() > 0 {
					text.WriteString("\n")
				}
				writeDetector(&text, d)
			}
			return flags.print(cmd, kindsTable(types, detectors), "%s", text.String())
		},
	}
	cmd.AddCommand(newDescriptorsExportCommand(flags))
	return cmd
}

// kindsText lists the descriptors and detectors, a line each.
func kindsText() string {
	var b strings.Builder
	b.WriteString("DESCRIPTORS (descriptors: - type: ...)\n")
	for _, t := range config.DescriptorTypes() {
		fmt.Fprintf(&b, "  %-12s  %s\n", t.Name, t.Elements)
	}
	b.WriteString("DETECTORS (keypoint_sets: - detect: {type: ...})\n")
	for _, d := range keypoints.Detectors() {
		b.WriteString(table.WrapIndented(fmt.Sprintf("  %-12s  %s", d.Name, d.Doc), table.PageWidth, strings.Repeat(" ", 16)) + "\n")
	}
	return b.String() + "all about one, and a config: descbench descriptors NAME\n"
}

// writeDetector describes a detector.
func writeDetector(b *strings.Builder, d keypoints.Detector) {
	about := [][2]string{{"source", d.Source}}
	for _, p := range d.Params {
		about = append(about, [2]string{fmt.Sprintf("%s = %v", p.Name, p.Default), p.Doc})
	}
	writeEntry(b, "detector "+d.Name, d.Doc, about)
}

// writeType describes a type of descriptors: what it is, its own keys, those that it shares with
// other types, and a config.
func writeType(b *strings.Builder, t config.DescriptorType) {
	kind, builtin := descriptors.FindKind(t.Name)
	about := [][2]string{
		{"elements", t.Elements}, {"invariances", kind.Invariances}, {"computed", t.Computed}, {"keypoints", t.Keypoints}, {"altered", altered(kind)},
	}
	if builtin {
		patch := fmt.Sprintf("by a keypoint of %.2f px: %s", kind.Patch.Size, kind.Patch.Why)
		about = append(about, [2]string{"of patches", patch}, [2]string{"source", kind.Source})
	}
	for _, k := range t.Keys {
		name := k.Name
		if k.Required {
			name += " (required)"
		} else if k.Default != "" {
			name += " = " + k.Default
		}
		about = append(about, [2]string{name, k.Doc})
	}
	writeEntry(b, t.Name, t.Doc, about)
	b.WriteString("\nA config:\n\n")
	for line := range strings.Lines(t.Example) {
		b.WriteString("    " + line)
	}
}

// altered says what a kind requires of moved or resized keypoints, "" if nothing.
func altered(kind descriptors.Kind) string {
	if why := kind.AcceptsAltered(keypoints.Defaults(kind.Params)); why != nil {
		return why.Error()
	}
	return ""
}

// kindsTable returns types of descriptors and detectors for programs; config schema has the
// keys of all types.
func kindsTable(types []config.DescriptorType, detectors []keypoints.Detector) *table.Table {
	t := table.New(wordColumns("kind", "name", "doc", "elements", "range", "invariances", "computed", "keypoints", "altered", "source", "keys", "example")...)
	for _, of := range types {
		kind, _ := descriptors.FindKind(of.Name)
		keys := spelling.Words(of.Keys, func(k config.Key) string { return k.Name })
		addRow(t, "descriptor", of.Name, of.Doc, of.Elements, kind.Range, kind.Invariances, of.Computed, of.Keypoints, altered(kind), kind.Source, strings.Join(keys, ", "), of.Example)
	}
	for _, d := range detectors {
		keys := spelling.Words(d.Params, func(p keypoints.Param) string { return p.Name })
		addRow(t, "detector", d.Name, d.Doc, "", "", "", "", "", "", d.Source, strings.Join(keys, ", "), "")
	}
	return t
}

func newDescriptorsExportCommand(flags *commonFlags) *cobra.Command {
	var descriptor string
	cmd := &cobra.Command{
		Use:   "export RUN --out DIR [--descriptor NAME]",
		Short: "Write a run's keypoints and descriptors for other programs",
		Long: `Export writes one <out>/<scene>/<image>.npz per image with the keypoints of
a finished run and one of its descriptors. numpy.load can read the files, and a
config can use them with import and type: file. The array element_type states
whether rows are bits (compared by Hamming distance), uint8 (not normalised) or
float32, so that the results of such a config equal those of the run if normalize is
the same.
docs/own-descriptors.md describes the format.

A file that exists with other content is an error.`,
		Example: "  descbench descriptors export runs/demo --descriptor rootsift --out features",
		Args:    exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			files, err := features.Export(cmd.Context(), args[0], descriptor, flags.out, flags.optionsOfRun())
			if err != nil {
				return err
			}
			if files == 0 {
				return plan.Faultf("%s: nothing to export: %s has results in no scene", args[0], descriptor)
			}
			return flags.print(cmd, map[string]any{"folder": flags.out, "files": files}, "%d files in %s\n", files, flags.out)
		},
	}
	cmd.Flags().StringVar(&descriptor, "descriptor", "", "name of the descriptor in the run, if it has several")
	flags.addOut(cmd.Flags(), "folder for the files")
	requires(cmd.Flags(), "out")
	flags.addMoved(cmd.Flags())
	flags.addCache(cmd.Flags())
	flags.addJobs(cmd.Flags())
	return cmd
}
