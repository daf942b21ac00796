package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"descbench/pipeline/compare"
	"descbench/pipeline/dataset"
	"descbench/pipeline/fold"
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

// printOutcome prints the results of a run: the table, the number of scenes, the
// published values where they apply, and all warnings.
func printOutcome(out io.Writer, flags *commonFlags, o *fold.Outcome) error {
	if flags.json {
		return printJSON(out, o.Summary)
	}
	if err := report.WriteRun(out, o.Summary, o.Timings, o.Config.Evaluation.Cutoffs); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(out, report.ScenesBehind(o.Summary)+"; rates in %, times summed over workers"); err != nil {
		return err
	}
	if err := printFailed(out, o.Summary.FailedScenes); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(out, fold.Protocol(o.Config.Evaluation)); err != nil {
		return err
	}
	published := compare.Published(o.Config, o.Summary)
	if err := report.WritePublished(out, published, compare.PublishedSource, dataset.HPatchesScenes); err != nil {
		return err
	}
	if err := printWarnings(out, o.Summary.Warnings, len(o.Summary.Descriptors)); err != nil {
		return err
	}
	if o.Share.Units+o.Share.Resumed > 0 {
		imported := ""
		if o.Share.ImportedImages > 0 {
			imported = fmt.Sprintf(", %d imported", o.Share.ImportedImages)
		}
		if _, err := fmt.Fprintf(out, "units: %d computed, %d reused; images: %d extracted, %d from cache%s\n",
			o.Share.Units, o.Share.Resumed, o.Share.ExtractedImages, o.Share.CachedImages, imported); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(out, "results: %s\n", o.Folder)
	return err
}

// printFailed lists the failed scenes with their reasons.
func printFailed(out io.Writer, reasons map[string]string) error {
	for _, scene := range slices.Sorted(maps.Keys(reasons)) {
		if _, err := fmt.Fprintf(out, "FAILED (excluded from all metrics): %s: %s\n", scene, reasonIn(scene, reasons[scene])); err != nil {
			return err
		}
	}
	return nil
}

// reasonIn returns the reason why a scene failed without the scene's name, which
// the line has already: "v_a/1.png: damaged" becomes "1.png: damaged".
func reasonIn(scene, reason string) string {
	for _, mark := range []string{"/", ": "} {
		if rest, ok := strings.CutPrefix(reason, scene+mark); ok {
			return rest
		}
	}
	return reason
}

// printWarnings prints each warning once, preceded by the descriptors it applies
// to. descriptors is their total number.
func printWarnings(out io.Writer, warnings []store.SummaryWarning, descriptors int) error {
	var order []string
	about := make(map[string][]string)
	for _, w := range warnings {
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
		case n == descriptors && n > 1:
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
