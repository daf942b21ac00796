// Package report prints results for people.
package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"descbench/pipeline/store"
)

// A Table is the main results table of one or several runs.
type Table struct {
	Cutoffs []int // cut-offs of the hit rates to show
	Rows    []Row
}

// A Row holds the results of one descriptor.
type Row struct {
	Descriptor string
	Metrics    store.Figures
	Seconds    float64 // processor time; 0 if unknown
	Cached     string  // "cached" or "partly cached" if Seconds lacks the extraction of cached features
	Scenes     string  // number of scenes behind the row, "4 of 5", if rows differ in it
}

// A column is one column of the table.
type column struct {
	title string
	cell  func(Row) (text string, there bool)
}

// Write prints the table with one line per descriptor. Rates are in per cent. A
// metric that a descriptor lacks, because its denominator is empty, is printed as
// "undefined". A metric that all descriptors lack has no column.
func (t Table) Write(out io.Writer) error {
	columns := []column{
		{"descriptor", func(r Row) (string, bool) { return r.Descriptor, true }},
		{"scenes", func(r Row) (string, bool) { return r.Scenes, r.Scenes != "" }},
		{"mAP micro", percent("true_map_micro")},
		{"macro", percent("true_map_macro_by_scene")},
		{"viewpoint", percent("viewpoint_map")},
		{"illumin.", percent("illumination_map")},
		{"with zeros", percent("true_map_micro_including_zeros")},
	}
	for _, k := range t.Cutoffs {
		columns = append(columns, column{"hit@" + strconv.Itoa(k), percent("precision_at_" + strconv.Itoa(k))})
	}
	columns = append(columns,
		column{"coverage", percent("coverage")},
		column{"gallery", number("mean_gallery_size")},
		column{"keypoints", number("total_keypoints")},
		column{"time", func(r Row) (string, bool) {
			text := strconv.FormatFloat(r.Seconds, 'f', 1, 64) + " s"
			if r.Cached != "" {
				text += " (" + r.Cached + ")"
			}
			return text, r.Seconds > 0
		}},
	)
	columns = slices.DeleteFunc(columns, func(c column) bool {
		return !slices.ContainsFunc(t.Rows, func(r Row) bool { _, there := c.cell(r); return there })
	})
	cells := [][]string{make([]string, len(columns))}
	for i, c := range columns {
		cells[0][i] = c.title
	}
	for _, r := range t.Rows {
		line := make([]string, len(columns))
		for i, c := range columns {
			if text, there := c.cell(r); there {
				line[i] = text
			} else {
				line[i] = "undefined"
			}
		}
		cells = append(cells, line)
	}
	return writeAligned(out, cells)
}

func percent(metric string) func(Row) (string, bool) {
	return func(r Row) (string, bool) { return shown(r.Metrics, metric, 100, 2) }
}

func number(metric string) func(Row) (string, bool) {
	return func(r Row) (string, bool) { return shown(r.Metrics, metric, 1, 0) }
}

func shown(f store.Figures, metric string, scale float64, decimals int) (string, bool) {
	v, there := f.Get(metric)
	return strconv.FormatFloat(scale*v, 'f', decimals, 64), there
}

// writeAligned prints rows of cells with the first column left-aligned and the
// others right-aligned.
func writeAligned(out io.Writer, rows [][]string) error {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i == 0 {
				b.WriteString(cell + pad)
			} else {
				b.WriteString("  " + pad + cell)
			}
		}
		text := strings.TrimRight(b.String(), " ")
		b.Reset()
		if _, err := fmt.Fprintln(out, text); err != nil {
			return err
		}
	}
	return nil
}
