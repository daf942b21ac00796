package report

import (
	"maps"
	"math"
	"slices"

	"descbench/eval/scope"
)

// A PublishedRow holds published values of one method under a preset.
type PublishedRow struct {
	Method  string
	Metrics map[string]float64 // by name
	Source  string             // where they were read, and what was different
}

// WithPublished returns lines of runs, then lines of the published rows that have any of the
// given columns. Letters after their values name the sources: a method has one line, unless
// two sources have the same column. With ownSource, each source has lines of its own, which
// have it in the column SourceColumn.
func WithPublished(lines []Line, columns []Selected, rows []PublishedRow, ownSource bool) (all []Line, sources []string) {
	for _, l := range lines {
		l.letters = make(map[string]string)
		all = append(all, l)
	}
	for _, r := range rows {
		line := Line{Name: r.Method, Group: r.Method + "\x00" + r.Source, Source: r.Source, Metrics: make(map[string]scope.Metric), letters: make(map[string]string)}
		at := slices.Index(append(sources, r.Source), r.Source)
		for _, c := range columns {
			if v, has := r.Metrics[c.Name]; has {
				line.Metrics[c.Name] = scope.Metric{Name: c.Name, Value: v, Low: math.NaN(), High: math.NaN()}
				if line.letters[c.Name] = ""; !ownSource {
					line.letters[c.Name] = letter(at)
				}
			}
		}
		if len(line.Metrics) == 0 {
			continue
		}
		if at == len(sources) {
			sources = append(sources, r.Source)
		}
		joins := func(of Line) bool {
			both := maps.Clone(of.Metrics)
			maps.Copy(both, line.Metrics)
			return of.Name == line.Name && len(both) == len(of.Metrics)+len(line.Metrics)
		}
		if i := slices.IndexFunc(all[len(lines):], joins); i >= 0 && !ownSource {
			maps.Copy(all[len(lines)+i].Metrics, line.Metrics)
			maps.Copy(all[len(lines)+i].letters, line.letters)
			continue
		}
		all = append(all, line)
	}
	return all, sources
}
