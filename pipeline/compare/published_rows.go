package compare

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"descbench/configs"
	"descbench/eval/catalogue"
	"descbench/eval/matching"
	"descbench/eval/spelling"
	"descbench/pipeline/fold"
	"descbench/pipeline/report"
)

// PublishedRows returns what configs/presets/published.csv has of a preset, or of a config in
// configs.Workbench, in a scope, by method in the order of the file.
func PublishedRows(preset, scope string) []report.PublishedRow {
	return publishedRows()[tableKey{preset, scope}]
}

// PublishedScopes returns the scopes of which there are published rows of a preset, sorted.
func PublishedScopes(preset string) []string {
	var scopes []string
	for p := range publishedRows() {
		if p.preset == preset {
			scopes = append(scopes, p.scope)
		}
	}
	slices.Sort(scopes)
	return scopes
}

// PublishedBeside returns the published rows that stand beside runs in a scope, and says of which scenes
// they are, and which of them the runs have: those of the preset of all runs, none for other runs.
func PublishedBeside(runs *fold.Runs, in string) (rows []report.PublishedRow, beside string) {
	p := runs.Runs[0].Config.Preset()
	if p == nil || slices.ContainsFunc(runs.Runs, func(r *fold.Run) bool { of := r.Config.Preset(); return of == nil || of.Name != p.Name }) {
		return nil, ""
	}
	of, _ := fold.ScenesOfPreset(p, nil, in)
	theirs := spelling.Count(len(of), "scene")
	if p.Pairs > 0 {
		theirs = spelling.Count(p.Pairs, "pair")
	}
	beside = fmt.Sprintf("published rows are on the %s of %s", theirs, p.Name)
	for _, r := range runs.Runs {
		own := r.Summary.Evaluated()
		_, others := fold.ScenesOfPreset(p, own, in)
		ours := fmt.Sprintf("%d of them and %s", len(own)-len(others), spelling.Count(len(others), "other"))
		if p.Pairs > 0 {
			ours = spelling.Count(len(own), "scene")
		}
		beside += fmt.Sprintf("; %s has %s", r.Label, ours)
	}
	return PublishedRows(p.Name, in), beside
}

type tableKey struct{ preset, scope string }

var publishedRows = sync.OnceValue(func() map[tableKey][]report.PublishedRow {
	text, err := configs.Presets.ReadFile("presets/published.csv")
	var lines [][]string
	if err == nil {
		lines, err = csv.NewReader(strings.NewReader(string(text))).ReadAll()
	}
	all := make(map[tableKey][]report.PublishedRow)
	for i, l := range lines {
		if i == 0 {
			continue // preset,method,estimator,metric,scope,value,source,note
		}
		of, method, estimator, metric, source := tableKey{l[0], l[4]}, l[1], l[2], l[3], report.Source{Where: l[6], Note: l[7]}
		if _, unknown := matching.ParseEstimator(estimator); unknown == nil {
			estimator, metric = "", estimator+"_"+metric
		}
		var value float64
		if value, err = strconv.ParseFloat(l[5], 64); err != nil {
			break
		}
		at := slices.IndexFunc(all[of], func(r report.PublishedRow) bool {
			return r.Method == method && r.Estimator == estimator && r.Source == source
		})
		if at < 0 {
			at = len(all[of])
			all[of] = append(all[of], report.PublishedRow{Method: method, Estimator: estimator, Source: source, Metrics: make(map[string]float64)})
		}
		all[of][at].Metrics[catalogue.Of(metric).Name] = value
	}
	if err != nil {
		panic(err) // they are part of the program
	}
	return all
})
