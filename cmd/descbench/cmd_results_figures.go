package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"descbench/eval"
	"descbench/pipeline/fold"
	"descbench/pipeline/report"
	"descbench/pipeline/store"
)

// A figureChoice selects the metrics of a run to print, and their scope.
type figureChoice struct {
	table   string
	metrics []string
	scope   string
}

func (c *figureChoice) register(fs *pflag.FlagSet) {
	fs.StringVar(&c.table, "table", "", "group of metrics to print: "+strings.Join(report.TableNames(), ", "))
	fs.StringSliceVar(&c.metrics, "metrics", nil, "print these metrics, separated by commas")
	fs.StringVar(&c.scope, "scope", "all", "scope of the metrics: all, viewpoint, illumination, k:2, scene:NAME or pair:NAME/1_3")
}

// any reports whether metrics other than the default table are requested.
func (c *figureChoice) any(cmd *cobra.Command) bool {
	return c.table != "" || len(c.metrics) > 0 || cmd.Flags().Changed("scope")
}

func (c *figureChoice) check(cmd *cobra.Command) error {
	if c.table != "" && len(c.metrics) > 0 {
		return usageError{fmt.Errorf("found --table %s and --metrics %s, want one of the two", c.table, strings.Join(c.metrics, ","))}
	}
	if c.table != "" && report.TableMetrics(c.table) == nil {
		return usageError{fmt.Errorf("--table %s: want one of %s", c.table, strings.Join(report.TableNames(), ", "))}
	}
	for i, name := range c.metrics {
		metric, _, err := eval.Resolve(name)
		if err != nil {
			return usageError{fmt.Errorf("--metrics: %w", err)}
		}
		c.metrics[i] = metric
	}
	return nil
}

// chosen returns the names of the requested metrics; the defaults if no metric
// is requested.
func (c *figureChoice) chosen() []string {
	switch {
	case len(c.metrics) > 0:
		return c.metrics
	case c.table != "":
		return report.TableMetrics(c.table)
	}
	return []string{"true_map_micro", "true_map_micro_including_zeros", "precision_at_1", "precision_at_5", "precision_at_10", "coverage", "mean_gallery_size"}
}

func (c *figureChoice) print(ctx context.Context, out io.Writer, flags *commonFlags, runs []string) error {
	type descriptor struct {
		Run        string        `json:"run"`
		Descriptor string        `json:"descriptor"`
		Scope      string        `json:"scope"`
		Metrics    store.Figures `json:"metrics"`
	}
	var list []descriptor
	table := report.Figures{Metrics: c.chosen(), Scope: c.scope}
	for _, run := range runs {
		rows, err := fold.Metrics(ctx, run, c.scope)
		if err != nil {
			return err
		}
		for _, r := range rows {
			name := r.Descriptor
			if len(runs) > 1 {
				name = run + ": " + name
			}
			table.Rows = append(table.Rows, report.FigureRow{Descriptor: name, Metrics: r.Metrics})
			one := descriptor{Run: run, Descriptor: r.Descriptor, Scope: c.scope, Metrics: store.Figures{}}
			for _, metric := range c.chosen() {
				if m, there := r.Metrics[metric]; there {
					one.Metrics = append(one.Metrics, store.Figure{Name: metric, Value: m.Value})
				}
			}
			list = append(list, one)
		}
	}
	if flags.json {
		return printJSON(out, slices.Clip(list))
	}
	return table.Write(out)
}
