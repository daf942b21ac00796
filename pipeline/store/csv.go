package store

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"

	"descbench/eval"
)

// WriteMetricsCSV writes every metric as one line: descriptor, scope, metric,
// value, ci_low, ci_high, n. Numbers have all the digits that they need to be
// read back exactly. The bounds are empty where no interval was computed.
func WriteMetricsCSV(path string, results []eval.Result) error {
	if err := checkMetrics(results); err != nil {
		return err
	}
	rows := [][]string{{"descriptor", "scope", "metric", "value", "ci_low", "ci_high", "n"}}
	for _, r := range results {
		for _, m := range r.Metrics {
			rows = append(rows, []string{
				r.Descriptor, m.Scope, m.Name, formatFloat(m.Value), formatFloat(m.Low), formatFloat(m.High), strconv.Itoa(m.N),
			})
		}
	}
	return writeCSV(path, rows)
}

// WriteTimingCSV writes one line per timing, in the order given.
func WriteTimingCSV(path string, timings []Timing) error {
	rows := [][]string{{"descriptor", "scene", "stage", "seconds", "images", "cached_images", "keypoints"}}
	for _, t := range timings {
		rows = append(rows, []string{
			t.Descriptor, t.Scene, t.Stage, formatFloat(t.Seconds), strconv.Itoa(t.Images), strconv.Itoa(t.Cached), strconv.Itoa(t.Keypoints),
		})
	}
	return writeCSV(path, rows)
}

func writeCSV(path string, rows [][]string) error {
	return WriteFile(path, func(w io.Writer) error {
		return csv.NewWriter(w).WriteAll(rows)
	})
}

// formatFloat returns the shortest text that reads back as v, without an
// exponent if v is a count, and "" for NaN, which stands for a number that is
// not there.
func formatFloat(v float64) string {
	const exact = 1 << 53 // integers up to here are
	switch {
	case math.IsNaN(v):
		return ""
	case v == math.Trunc(v) && math.Abs(v) < exact:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
