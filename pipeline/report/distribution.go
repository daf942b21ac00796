package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"

	"descbench/eval/stats"
	"descbench/pipeline/report/figure"
	"descbench/pipeline/report/table"
	"descbench/pipeline/store"
)

// shares are the quantiles of the table between the smallest and the largest value.
var shares = []struct {
	q           float64
	name, title string
}{{.05, "q05", "5 %"}, {.25, "q25", "25 %"}, {.5, "median", "median"}, {.75, "q75", "75 %"}, {.95, "q95", "95 %"}}

// QuantilesTable returns a table with the quantiles of each series.
func QuantilesTable(distributions []stats.Distribution) *table.Table {
	value := table.Digits(4)
	columns := []table.Column{
		{Name: "quantity", Title: "quantity", Unit: table.Words}, {Name: "series", Title: "of", Unit: table.Words},
		{Name: "n", Title: "values", Unit: table.Count},
		{Name: "mean", Title: "mean", Unit: value, Priority: 1}, {Name: "min", Title: "min", Unit: value, Priority: 2},
	}
	for _, s := range shares {
		columns = append(columns, table.Column{Name: s.name, Title: s.title, Unit: value})
	}
	t := table.New(append(columns, table.Column{Name: "max", Title: "max", Unit: value, Priority: 2})...)
	for _, d := range distributions {
		for _, s := range d.Series {
			n := len(s.Values)
			cells := []table.Cell{table.Text(d.Label), table.Text(s.Name), table.Integer(n)}
			if n == 0 {
				for len(cells) < len(t.Columns) {
					cells = append(cells, table.Cell{})
				}
				t.AddTo(d.Name, cells...)
				continue
			}
			values := slices.Sorted(slices.Values(s.Values))
			sum := 0.0
			for _, v := range values {
				sum += v
			}
			cells = append(cells, table.Number(sum/float64(n)), table.Number(values[0]))
			for _, share := range shares {
				cells = append(cells, table.Number(stats.Quantile(values, share.q)))
			}
			t.AddTo(d.Name, append(cells, table.Number(values[n-1]))...)
		}
	}
	return t
}

// histogram returns a figure: the share of the values of each series in each bin.
func histogram(d *stats.Distribution) *figure.Graph {
	edges := d.Edges()
	g := &figure.Graph{X: figure.Axis{Label: d.Label, Whole: d.Whole}, Y: figure.Share("share of values")}
	g.X.Log = d.Log && len(edges) > 2 && edges[1] > 0
	for _, s := range d.Series {
		c := figure.Curve{Name: s.Name, Note: fmt.Sprintf("%d", len(s.Values)), System: s.Index}
		for i, n := range s.Counts(edges) {
			if g.X.Log && edges[i] == 0 {
				c.Note += fmt.Sprintf(", %d at 0", n)
				continue
			}
			y := float64(n) / float64(max(len(s.Values), 1))
			c.Points = append(c.Points, figure.Point{X: edges[i], Y: y}, figure.Point{X: edges[i+1], Y: y})
		}
		g.Curves = append(g.Curves, c)
	}
	return g
}

// writeBins writes the bins of all series as CSV.
func writeBins(path string, d *stats.Distribution) error {
	rows := [][]string{{"series", "from", "to", "count", "share"}}
	edges := d.Edges()
	for _, s := range d.Series {
		for i, n := range s.Counts(edges) {
			rows = append(rows, []string{s.Name, exact(edges[i]), exact(edges[i+1]), strconv.Itoa(n), exact(float64(n) / float64(len(s.Values)))})
		}
	}
	return store.WriteFile(path, func(w io.Writer) error { return csv.NewWriter(w).WriteAll(rows) })
}

// heatOf returns counts of positions as a figure.
func heatOf(m *stats.Positions) *figure.Heat {
	h := &figure.Heat{Rows: make([]string, len(m.Counts)), Columns: make([]string, len(m.Counts[0])), Systems: make([]int, len(m.Counts[0])), Scale: figure.Axis{Label: m.Label, Whole: true}}
	h.Rows[0], h.Rows[len(h.Rows)-1] = "top", "bottom"
	h.Columns[0], h.Columns[len(h.Columns)-1] = "left", "right"
	for _, row := range m.Counts {
		var cells []*figure.Cell
		for _, n := range row {
			cells = append(cells, &figure.Cell{Value: float64(n)})
		}
		h.Cells = append(h.Cells, cells)
	}
	return h
}

func writePositions(path string, m *stats.Positions) error {
	rows := [][]string{{"row", "column", "count"}}
	for i, row := range m.Counts {
		for j, n := range row {
			rows = append(rows, []string{strconv.Itoa(i), strconv.Itoa(j), strconv.Itoa(n)})
		}
	}
	return store.WriteFile(path, func(w io.Writer) error { return csv.NewWriter(w).WriteAll(rows) })
}

// WriteDistributions writes the bins of every distribution and map as NAME.csv and
// their figures in the formats, and the quantiles as quantiles.csv. It returns the
// names without extensions.
func WriteDistributions(dir string, formats []string, distributions []stats.Distribution, maps []*stats.Positions) ([]string, error) {
	var names []string
	write := func(name string, data func(path string) error, drawing figure.Drawing) error {
		name = FileName(name)
		if slices.Contains(names, name) {
			return fmt.Errorf("two distributions would both be written to %s; rename a descriptor", filepath.Join(dir, name+".csv"))
		}
		if err := data(filepath.Join(dir, name+".csv")); err != nil {
			return err
		}
		names = append(names, name)
		for _, format := range formats {
			if err := figure.Write(filepath.Join(dir, name+"."+format), drawing, figure.Column); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		return nil
	}
	for i := range distributions {
		d := &distributions[i]
		if err := write(d.Name, func(path string) error { return writeBins(path, d) }, histogram(d)); err != nil {
			return nil, err
		}
	}
	for _, m := range maps {
		if err := write(m.Name, func(path string) error { return writePositions(path, m) }, heatOf(m)); err != nil {
			return nil, err
		}
	}
	err := store.WriteFile(filepath.Join(dir, "quantiles.csv"), func(w io.Writer) error {
		return QuantilesTable(distributions).Write(w, table.CSV, 0)
	})
	return append(names, "quantiles"), err
}
