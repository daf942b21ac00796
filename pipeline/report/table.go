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

// A table is the main results table of one or several runs.
type table struct {
	cutoffs []int // cut-offs of the hit rates to show
	rows    []row
}

// A row holds the results of one descriptor.
type row struct {
	descriptor string
	metrics    store.Figures
	seconds    float64 // processor time; 0 if unknown
	cached     string  // "cached", "partly cached" or "imported" if seconds lacks the extraction of such features
	scenes     string  // number of scenes behind the row, "4 of 5", if rows differ in it
}

// A column is one column of the table.
type column struct {
	title string
	cell  func(row) (text string, there bool)
}

// write prints the table with one line per descriptor. Rates are in per cent. A
// metric that a descriptor lacks, because its denominator is empty, is printed as
// "undefined". A metric that all descriptors lack has no column.
func (t table) write(out io.Writer) error {
	columns := []column{
		{"descriptor", func(r row) (string, bool) { return r.descriptor, true }},
		{"scenes", func(r row) (string, bool) { return r.scenes, r.scenes != "" }},
		{"mAP micro", percent("true_map_micro")},
		{"macro", percent("true_map_macro_by_scene")},
		{"viewpoint", percent("viewpoint_map")},
		{"illumin.", percent("illumination_map")},
		{"with zeros", percent("true_map_micro_including_zeros")},
	}
	for _, k := range t.cutoffs {
		columns = append(columns, column{"hit@" + strconv.Itoa(k), percent("precision_at_" + strconv.Itoa(k))})
	}
	columns = append(columns,
		column{"coverage", percent("coverage")},
		column{"gallery", number("mean_gallery_size")},
		column{"keypoints", number("total_keypoints")},
		column{"time", func(r row) (string, bool) {
			text := strconv.FormatFloat(r.seconds, 'f', 1, 64) + " s"
			if r.cached != "" {
				text += " (" + r.cached + ")"
			}
			return text, r.seconds > 0
		}},
	)
	columns = slices.DeleteFunc(columns, func(c column) bool {
		return !slices.ContainsFunc(t.rows, func(r row) bool { _, there := c.cell(r); return there })
	})
	cells := [][]string{make([]string, len(columns))}
	for i, c := range columns {
		cells[0][i] = c.title
	}
	for _, r := range t.rows {
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

func percent(metric string) func(row) (string, bool) {
	return func(r row) (string, bool) { return shown(r.metrics, metric, 100, 2) }
}

func number(metric string) func(row) (string, bool) {
	return func(r row) (string, bool) { return shown(r.metrics, metric, 1, 0) }
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
