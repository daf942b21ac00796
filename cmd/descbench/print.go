package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"descbench/eval"
	"descbench/pipeline"
	"descbench/pipeline/config"
	"descbench/pipeline/report"
	"descbench/pipeline/store"
)

// printJSON prints v as indented JSON.
func printJSON(out io.Writer, v any) error {
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// printOutcome prints what a run found: the table, what stands behind it, the
// published figures where they apply, and every warning.
func printOutcome(out io.Writer, flags *commonFlags, o *pipeline.Outcome) error {
	if flags.json {
		return printJSON(out, o.Summary)
	}
	table := report.Table{Cutoffs: o.Config.Evaluation.Cutoffs}
	for _, d := range o.Summary.Descriptors {
		row := report.Row{Descriptor: d.Name, Metrics: d.Metrics}
		for _, t := range o.Timings {
			if t.Descriptor == d.Name {
				row.Seconds += t.Seconds
				row.Cached = row.Cached || t.Cached > 0
			}
		}
		table.Rows = append(table.Rows, row)
	}
	if err := table.Write(out); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(out, "%s\n%s\n", behind(o.Summary), protocol(o.Config.Evaluation)); err != nil {
		return err
	}
	published, err := pipeline.ComparePublished(o.Config, o.Summary)
	if err != nil {
		return err
	}
	if err := report.WritePublished(out, published, pipeline.PublishedSource, pipeline.HPatchesScenes); err != nil {
		return err
	}
	if err := printWarnings(out, o.Summary); err != nil {
		return err
	}
	if o.Share.Units+o.Share.Resumed > 0 {
		if _, err := fmt.Fprintf(out, "units: %d computed, %d there already; images described: %d, from the cache: %d\n",
			o.Share.Units, o.Share.Resumed, o.Share.ExtractedImages, o.Share.CachedImages); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(out, "results: %s\n", o.Folder)
	return err
}

// behind says how many scenes stand behind a table.
func behind(s *store.Summary) string {
	count := make(map[string]int)
	seen := make(map[string]bool)
	for _, d := range s.Descriptors {
		for scene := range d.Scenes {
			if !seen[scene] {
				seen[scene] = true
				count[eval.Category(scene)]++
			}
		}
	}
	var kinds []string
	for _, c := range slices.Sorted(maps.Keys(count)) {
		kinds = append(kinds, fmt.Sprintf("%d %s", count[c], c))
	}
	text := fmt.Sprintf("%d of %d scenes (%s); rates in %%", s.ScenesEvaluated, s.ScenesRequested, strings.Join(kinds, ", "))
	for _, scene := range slices.Sorted(maps.Keys(s.FailedScenes)) {
		text += fmt.Sprintf("\nFAILED and in no figure: %s: %s", scene, s.FailedScenes[scene])
	}
	return text
}

// protocol says what the figures mean.
func protocol(e config.Evaluation) string {
	return fmt.Sprintf("protocol r1: truth within %g px, ties %s, relevance %s", e.TolerancePx, e.Ties, e.Relevance)
}

// printWarnings prints each warning once, with the descriptors that it is about.
func printWarnings(out io.Writer, s *store.Summary) error {
	var order []string
	about := make(map[string][]string)
	for _, w := range s.Warnings {
		if _, ok := about[w.Text]; !ok {
			order = append(order, w.Text)
			about[w.Text] = nil
		}
		if w.Descriptor != "" {
			about[w.Text] = append(about[w.Text], w.Descriptor)
		}
	}
	for _, text := range order {
		who := ""
		switch n := len(about[text]); {
		case n == 0:
		case n == len(s.Descriptors) && n > 1:
			who = "all descriptors: "
		default:
			who = strings.Join(about[text], ", ") + ": "
		}
		if _, err := fmt.Fprintf(out, "warning: %s%s\n", who, text); err != nil {
			return err
		}
	}
	return nil
}
