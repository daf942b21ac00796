package compare

import (
	"encoding/csv"
	"slices"
	"strconv"
	"strings"
	"sync"

	"descbench/configs"
	"descbench/pipeline/report"
)

// PublishedRows returns what configs/presets/published.csv has of a preset, by method in
// the order of the file.
func PublishedRows(preset string) []report.PublishedRow { return publishedRows()[preset] }

var publishedRows = sync.OnceValue(func() map[string][]report.PublishedRow {
	text, err := configs.Presets.ReadFile("presets/published.csv")
	var lines [][]string
	if err == nil {
		lines, err = csv.NewReader(strings.NewReader(string(text))).ReadAll()
	}
	all := make(map[string][]report.PublishedRow)
	for i, l := range lines {
		if i == 0 {
			continue // preset,method,metric,value,source,note
		}
		preset, method, metric, source := l[0], l[1], l[2], l[4]
		if l[5] != "" {
			source += "; " + l[5]
		}
		var value float64
		if value, err = strconv.ParseFloat(l[3], 64); err != nil {
			break
		}
		at := slices.IndexFunc(all[preset], func(r report.PublishedRow) bool { return r.Method == method && r.Source == source })
		if at < 0 {
			at = len(all[preset])
			all[preset] = append(all[preset], report.PublishedRow{Method: method, Source: source, Metrics: make(map[string]float64)})
		}
		all[preset][at].Metrics[metric] = value
	}
	if err != nil {
		panic(err) // they are part of the program
	}
	return all
})
