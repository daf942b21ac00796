package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"descbench/eval"
	"descbench/eval/patches"
	"descbench/eval/patches/original"
	"descbench/pipeline/patchbench"
)

func newPatchesCommand(flags *commonFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "patches",
		Short: "Evaluate descriptors on the HPatches patch benchmark",
		Long: `The HPatches patch benchmark (Balntas, Lenc, Vedaldi, Mikolajczyk, CVPR 2017)
evaluates descriptors of 65×65 px patches. Descriptors are read from
<descriptor>/<sequence>/<image>.csv, one line per patch, with values separated by
commas, semicolons, tabs or blanks.

extract and tasks build such a benchmark from any scenes. describe computes
descriptors from strips, and check validates them. evaluate runs the three tasks
of 2017. classify, match and retrieve use the file formats of 2016: they compute
results from descriptors, evaluate existing results, or both. compare tests which
differences between results are significant.
` + exitHelp,
	}
	cmd.AddCommand(
		newPatchesExtractCommand(flags),
		newPatchesTasksCommand(flags),
		newPatchesDescribeCommand(flags),
		newPatchesCheckCommand(flags),
		newPatchesEvaluateCommand(flags),
		newPatchesClassifyCommand(flags),
		newPatchesMatchCommand(flags),
		newPatchesRetrieveCommand(flags),
		newPatchesCompareCommand(flags),
	)
	return cmd
}

// headline returns the line printed above the metrics: benchmark, descriptor and
// distance.
func headline(name, descriptor string, distance patches.Distance) string {
	line := "distance " + string(cmp.Or(distance, "as in the results"))
	for _, part := range []string{descriptor, name} {
		if part != "" {
			line = part + ", " + line
		}
	}
	return line
}

// A patchWarning is the JSON form of a warning.
type patchWarning struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
}

func jsonWarnings(list []eval.Warning) []patchWarning {
	warnings := make([]patchWarning, len(list))
	for i, w := range list {
		warnings[i] = patchWarning(w)
	}
	return warnings
}

// printPatchNotes prints the files written and all warnings.
func printPatchNotes(out io.Writer, written []string, warnings []eval.Warning) error {
	for _, path := range written {
		if _, err := fmt.Fprintf(out, "file: %s\n", path); err != nil {
			return err
		}
	}
	for _, w := range warnings {
		if _, err := fmt.Fprintf(out, "warning: %s\n", w.Text); err != nil {
			return err
		}
	}
	return nil
}

// A ratedJSON identifies the benchmark and the results that metrics belong to.
type ratedJSON struct {
	Benchmark  string           `json:"benchmark"`
	Results    string           `json:"results"`
	Descriptor string           `json:"descriptor,omitempty"`
	Distance   patches.Distance `json:"distance,omitempty"` // empty if results were read
}

// A ratedFormat defines how match and retrieve print the metrics F of one
// benchmark and the means M over several.
type ratedFormat[F, M any] struct {
	json      func(about ratedJSON, figures F, warnings []patchWarning) any
	write     func(out io.Writer, figures F) error
	mean      func([]F) M
	writeMean func(out io.Writer, title string, mean M) error
}

// printRated prints a single benchmark, or several benchmarks and their mean, for
// each descriptor.
func printRated[F, M any](out io.Writer, flags *commonFlags, r *patchbench.Ratings[F], benchmarks int, format ratedFormat[F, M]) error {
	descriptors := slices.Collect(slices.Chunk(r.List, benchmarks))
	if flags.json {
		all := make([]any, len(descriptors))
		for i, list := range descriptors {
			all[i] = ratedAsJSON(list, format)
		}
		if len(all) == 1 {
			return printJSON(out, all[0])
		}
		return printJSON(out, map[string][]any{"descriptors": all})
	}
	var warnings []eval.Warning
	for i, list := range descriptors {
		if i > 0 {
			fmt.Fprintln(out)
		}
		found, err := writeRated(out, list, len(descriptors) > 1, format)
		if err != nil {
			return err
		}
		warnings = append(warnings, found...)
	}
	return printPatchNotes(out, r.Written, warnings)
}

// ratedAsJSON returns the JSON form of one descriptor's benchmarks.
func ratedAsJSON[F, M any](list []patchbench.Rated[F], format ratedFormat[F, M]) any {
	all := make([]any, len(list))
	figures := make([]F, len(list))
	for i, b := range list {
		figures[i] = b.Figures
		all[i] = format.json(ratedJSON{b.Benchmark, b.Results, b.Descriptor, b.Distance}, b.Figures, jsonWarnings(b.Warnings))
	}
	if len(all) == 1 {
		return all[0]
	}
	return struct {
		Benchmarks []any `json:"benchmarks"`
		Mean       M     `json:"mean"`
	}{all, format.mean(figures)}
}

// writeRated prints one descriptor's benchmarks and returns their warnings. named
// adds the descriptor's name to what is said about them together.
func writeRated[F, M any](out io.Writer, list []patchbench.Rated[F], named bool, format ratedFormat[F, M]) (warnings []eval.Warning, err error) {
	figures := make([]F, len(list))
	for i, b := range list {
		figures[i] = b.Figures
		if _, err := fmt.Fprintln(out, headline(original.TaskName(b.Benchmark), b.Descriptor, b.Distance)); err != nil {
			return nil, err
		}
		if err := format.write(out, b.Figures); err != nil {
			return nil, err
		}
		for _, w := range b.Warnings {
			if len(list) > 1 {
				w.Text = original.TaskName(b.Benchmark) + ": " + w.Text
			}
			if named {
				w.Text = b.Descriptor + ": " + w.Text
			}
			warnings = append(warnings, w)
		}
		if len(list) > 1 {
			fmt.Fprintln(out)
		}
	}
	if len(list) == 1 {
		return warnings, nil
	}
	title := fmt.Sprintf("Mean of %d benchmarks", len(list))
	if named {
		title = list[0].Descriptor + ": " + title
	}
	return warnings, format.writeMean(out, title, format.mean(figures))
}
