package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"descbench/eval/catalogue"
	"descbench/pipeline/config"
	"descbench/pipeline/report/table"
)

func newMetricsCommand(flags *commonFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "metrics [NAME...]",
		Short: "List every metric: definition, range, source, when to use it and when not",
		Long: `Metrics lists the metrics in metrics.csv, summary.json, results.sqlite and the output
of classify, or prints the definitions of the named ones. In a name, K
stands for any number, such as a cut-off or a tolerance. In the names of the patch
benchmark, NOISE stands for e, h, t (easy, hard, tough) or mean, KIND for inter or
intra, SIZE for a pool size, and PROTOCOL for balanced or imbalanced. Within T px means
at most T px away.
`,
		Example: "  descbench metrics\n  descbench metrics map_macro fpr95",
		RunE: func(cmd *cobra.Command, args []string) error {
			chosen, err := definitions(args)
			if err != nil {
				return usageError{err}
			}
			text := definitionsText(chosen)
			if len(args) == 0 {
				text = namesText(chosen)
			}
			return flags.print(cmd, definitionsTable(chosen), "%s", text)
		},
	}
}

// runTime is the column of results that is no metric.
var runTime = catalogue.Definition{
	Name: "time", Group: "columns", Range: "0 s or more", Better: "lower", Source: "measured; not in the files that are equal on every computation",
	What:  "time to describe and evaluate a descriptor, summed over all scenes; also if its features came from the cache. Decoding and detection, which descriptors share, are not in it",
	Use:   "to see what a descriptor costs; results --table time has the steps, per keypoint",
	Avoid: "between machines, and on a busy one: it is elapsed time, and includes waiting for a core",
}

// definitions returns the definitions of the named metrics, or all without names.
func definitions(names []string) ([]catalogue.Definition, error) {
	if len(names) == 0 {
		return catalogue.All(), nil
	}
	var chosen []catalogue.Definition
	for _, name := range names {
		if name == runTime.Name {
			chosen = append(chosen, runTime)
			continue
		}
		m, err := catalogue.Resolve(name)
		if family := catalogue.Of(name + "@K"); err != nil && family.IsKnown() {
			m, err = family, nil
		}
		for _, p := range config.Presets() { // which may call it otherwise
			if err != nil && p.MetricOf(name) != name {
				m, err = catalogue.Resolve(p.MetricOf(name))
			}
		}
		if err != nil {
			return nil, fmt.Errorf("metrics: %w", err)
		}
		d := m.Definition
		if d.Name = m.Family; d.Short == m.Name {
			d.Short = ""
		}
		if !slices.Contains(chosen, d) {
			chosen = append(chosen, d)
		}
	}
	return chosen, nil
}

func definitionsTable(list []catalogue.Definition) *table.Table {
	t := table.New(wordColumns("name", "short", "also", "group", "definition", "range", "better", "source", "use", "avoid")...)
	for _, d := range list {
		addRow(t, d.Name, d.Short, d.Also, d.Group, d.What, d.Range, d.Better, d.Source, d.Use, d.Avoid)
	}
	return t
}

// namesText lists the names of metrics, a line each.
func namesText(list []catalogue.Definition) string {
	widest := 0
	for _, d := range list {
		widest = max(widest, len(cmp.Or(d.Short, d.Name)))
	}
	var b strings.Builder
	group := ""
	for _, d := range list {
		if d.Group != group {
			group = d.Group
			fmt.Fprintf(&b, "%s\n", strings.ToUpper(group))
		}
		fmt.Fprintf(&b, "  %-*s  %s\n", widest, cmp.Or(d.Short, d.Name), catalogue.Of(d.Name).Paper)
	}
	return b.String() + "definitions: descbench metrics NAME\n"
}

func definitionsText(list []catalogue.Definition) string {
	var b strings.Builder
	group := ""
	for _, d := range list {
		if d.Group != group {
			if group != "" {
				b.WriteString("\n")
			}
			fmt.Fprintf(&b, "%s\n", strings.ToUpper(d.Group))
			if group = d.Group; group == "classification" {
				b.WriteString("  of pairs by their distance; in a run: of each query and its nearest neighbour,\n  positive if within evaluation.tolerance_px\n")
			}
		}
		b.WriteString("\n")
		inFiles := d.Name
		if d.Short == "" {
			inFiles = "" // the same name
		}
		writeEntry(&b, cmp.Or(d.Short, d.Name), d.What, [][2]string{
			{"in files", inFiles}, {"also", d.Also}, {"range", d.Range}, {"better", d.Better},
			{"source", d.Source}, {"use", d.Use}, {"avoid", d.Avoid},
		})
	}
	return b.String()
}
