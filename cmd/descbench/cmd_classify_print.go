package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"descbench/eval/binary"
	"descbench/pipeline/plan"
	"descbench/pipeline/report"
	"descbench/pipeline/report/table"
	"descbench/pipeline/store"
)

// writeFiles writes the files of --curves, --figure and --pr-figure.
func (o *classifyOptions) writeFiles(found *classification) (err error) {
	systems := found.systems
	if o.curves != "" {
		owner := make(map[string]string)
		for _, s := range systems {
			path := report.CurveFile(o.curves, s.Name)
			if other, taken := owner[path]; taken {
				return usageError{fmt.Errorf("--curves: %s and %s would both be written to %s", other, s.Name, path)}
			}
			owner[path] = s.Name
		}
		for _, s := range systems {
			if err := report.WriteCurve(report.CurveFile(o.curves, s.Name), s.Curve); err != nil {
				return &plan.DataError{Err: err}
			}
		}
	}
	if o.figure != "" {
		if err := report.WriteGraph(o.figure, "", report.ROCPoints(systems, found.decisions)); err != nil {
			return &plan.DataError{Err: err}
		}
	}
	if o.prFigure != "" {
		if err := report.WriteGraph(o.prFigure, "", report.PrecisionRecall(systems)); err != nil {
			return &plan.DataError{Err: err}
		}
	}
	if o.dir != "" {
		if found.files, err = report.WriteDistributions(o.dir, []string{"svg"}, found.distributions, nil); err != nil {
			return plan.Fault(err)
		}
	}
	return nil
}

// printFiles lists the written files.
func (o *classifyOptions) printFiles(out io.Writer, found classification) error {
	if o.curves != "" {
		for _, s := range found.systems {
			if _, err := fmt.Fprintf(out, "curve: %s, %d of %d points\n", report.CurveFile(o.curves, s.Name), len(s.Curve), s.Points); err != nil {
				return err
			}
		}
	}
	for _, figure := range []string{o.figure, o.prFigure} {
		if figure == "" {
			continue
		}
		if _, err := fmt.Fprintf(out, "figure: %s\n", figure); err != nil {
			return err
		}
	}
	if o.dir != "" {
		_, err := fmt.Fprintf(out, "distributions: %s (%s)\n", filepath.Join(o.dir, "*.{csv,svg}"), strings.Join(found.files, ", "))
		return err
	}
	return nil
}

func (o *classifyOptions) print(cmd *cobra.Command, c classification) error {
	out := cmd.OutOrStdout()
	if o.is(table.JSON) {
		return printJSON(out, c)
	}
	chosen := report.SystemsTable(c.systems)
	if len(c.decisions) > 0 {
		chosen = report.DecisionsTable(c.decisions)
	}
	if !o.is(table.AsText) || len(c.systems) == 0 || len(o.columns)+len(o.only) > 0 || o.sort != "" {
		return o.show(cmd, chosen)
	}
	if err := c.printPopulation(out); err != nil {
		return err
	}
	if err := report.WriteSystems(out, c.systems, o.width()); err != nil {
		return err
	}
	if len(c.decisions) > 0 {
		fmt.Fprintln(out)
		if err := o.show(cmd, chosen); err != nil {
			return err
		}
	}
	if len(c.distributions) > 0 {
		fmt.Fprintln(out)
		if err := o.tableChoice.print(out, report.QuantilesTable(c.distributions)); err != nil {
			return err
		}
	}
	if p := c.population; p != nil {
		for _, l := range failedLines(report.Failures(&store.Summary{FailedScenes: p.FailedScenes})) {
			if _, err := fmt.Fprintln(out, l); err != nil {
				return err
			}
		}
	}
	var warnings []store.SummaryWarning
	for _, s := range c.systems {
		for _, w := range s.Summary.Warnings {
			warnings = append(warnings, store.SummaryWarning{Kind: w.Kind, Text: w.Text, Descriptor: s.Name})
		}
	}
	for _, l := range o.wrapped(warningLines(warnings, 0, "")) {
		if _, err := fmt.Fprintln(out, l); err != nil {
			return err
		}
	}
	return nil
}

// printPopulation prints which pairs of a run are classified.
func (c classification) printPopulation(out io.Writer) error {
	p := c.population
	if p == nil {
		return nil
	}
	pairs, positive := "each query with its nearest neighbour in image k", "the neighbour"
	if p.Pairs == "all" {
		pairs, positive = "each keypoint of image 1 with each of image k", "the keypoint of image k"
	}
	if _, err := fmt.Fprintf(out, "pairs: %s (%s; positive if %s is within %g px of the query's projection)\n", p.Pairs, pairs, positive, p.TolerancePx); err != nil {
		return err
	}
	for _, s := range c.systems {
		text := fmt.Sprintf("%d queries without a nearest neighbour excluded", s.WithoutNearest)
		if s.All != nil {
			text = fmt.Sprintf("%d pairs with an invalid descriptor excluded; %s", s.All.Undefined, s.All.Precision())
		}
		if s.Outside > 0 {
			text = fmt.Sprintf("%d pairs outside the masks excluded; ", s.Outside) + text
		}
		if _, err := fmt.Fprintf(out, "%s: %d scenes; %s\n", s.Name, s.Scenes, text); err != nil {
			return err
		}
	}
	return nil
}

// undefinedPoints returns an error if the requested operating point is undefined.
func undefinedPoints(systems []binary.System) error {
	for _, s := range systems {
		if s.At == nil {
			reason := ""
			for _, w := range s.Summary.Warnings {
				if w.Kind == "single-class" {
					reason = ": " + w.Text
				}
			}
			return &plan.DataError{Err: fmt.Errorf("%s: operating point %s is undefined%s", s.Name, s.Rule, reason)}
		}
	}
	return nil
}
