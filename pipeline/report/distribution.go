package report

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"

	"descbench/pipeline/report/figure"
	"descbench/pipeline/report/table"
	"descbench/pipeline/store"
)

// A Distribution says how often the values of a quantity occur.
type Distribution struct {
	Name   string // of the quantity, and of its files
	Label  string // of its axis, with the unit
	Log    bool   // bins grow in proportion to the values
	Whole  bool   // values are whole numbers with a bin each, if there are few
	Series []Series
}

// A Series holds the values of a quantity for one system or class.
type Series struct {
	Name   string
	Index  int       // selects the look in the figure
	Values []float64 // finite, in any order
}

// distributionBins is the largest number of bins of a distribution.
const distributionBins = 50

// edges returns the common edges of the bins of all series: bin i is from edge i,
// included, to edge i+1, excluded but for the last bin.
func (d *Distribution) edges() []float64 {
	low, high, least := math.Inf(1), math.Inf(-1), math.Inf(1)
	for _, s := range d.Series {
		for _, v := range s.Values {
			low, high = min(low, v), max(high, v)
			if v > 0 {
				least = min(least, v)
			}
		}
	}
	switch {
	case !(low <= high):
		return nil
	case d.Whole:
		width := math.Max(1, math.Ceil((high-low+1)/distributionBins))
		var edges []float64
		for at := low - 0.5; at < high+0.5+width; at += width {
			edges = append(edges, at)
		}
		return edges
	case low == high:
		return []float64{low, high}
	case d.Log && low >= 0 && least < high:
		var edges []float64
		if low < least {
			edges = append(edges, low) // zero, which has no logarithm
		}
		for i := range distributionBins {
			edges = append(edges, least*math.Pow(high/least, float64(i)/distributionBins))
		}
		return append(edges, high)
	}
	edges := make([]float64, distributionBins+1)
	for i := range edges {
		edges[i] = low + (high-low)*float64(i)/distributionBins
	}
	edges[distributionBins] = high
	return edges
}

// counts returns the number of values of a series in each bin.
func (s Series) counts(edges []float64) []int {
	if len(edges) == 0 {
		return nil
	}
	counts := make([]int, len(edges)-1)
	for _, v := range s.Values {
		at, found := slices.BinarySearch(edges, v)
		if !found {
			at--
		}
		counts[min(max(at, 0), len(counts)-1)]++
	}
	return counts
}

// Quantile returns the smallest of the ascending values such that at least the share q
// of all values is at most it.
func Quantile[T cmp.Ordered](ascending []T, q float64) T {
	return ascending[max(0, int(math.Ceil(q*float64(len(ascending))))-1)]
}

// shares are the quantiles of the table between the smallest and the largest value.
var shares = []struct {
	q           float64
	name, title string
}{{.05, "q05", "5 %"}, {.25, "q25", "25 %"}, {.5, "median", "median"}, {.75, "q75", "75 %"}, {.95, "q95", "95 %"}}

// QuantilesTable returns a table with the quantiles of each series.
func QuantilesTable(distributions []Distribution) *table.Table {
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
				cells = append(cells, table.Number(Quantile(values, share.q)))
			}
			t.AddTo(d.Name, append(cells, table.Number(values[n-1]))...)
		}
	}
	return t
}

// Graph returns the histogram: the share of the values of each series in each bin.
func (d *Distribution) Graph() *figure.Graph {
	edges := d.edges()
	g := &figure.Graph{X: figure.Axis{Label: d.Label, Whole: d.Whole}, Y: figure.Share("share of values")}
	g.X.Log = d.Log && len(edges) > 2 && edges[1] > 0
	for _, s := range d.Series {
		c := figure.Curve{Name: s.Name, Note: fmt.Sprintf("%d", len(s.Values)), System: s.Index}
		for i, n := range s.counts(edges) {
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

// write writes the bins of all series as CSV.
func (d *Distribution) write(path string) error {
	rows := [][]string{{"series", "from", "to", "count", "share"}}
	edges := d.edges()
	for _, s := range d.Series {
		for i, n := range s.counts(edges) {
			rows = append(rows, []string{s.Name, exact(edges[i]), exact(edges[i+1]), strconv.Itoa(n), exact(float64(n) / float64(len(s.Values)))})
		}
	}
	return store.WriteFile(path, func(w io.Writer) error { return csv.NewWriter(w).WriteAll(rows) })
}

// A Map counts positions in images: cell (i, j) is row i from the top and column j
// from the left.
type Map struct {
	Name, Label string
	Counts      [][]int
}

// NewMap returns an empty map with cells for images that are wider than high.
func NewMap(name, label string) *Map {
	m := &Map{Name: name, Label: label, Counts: make([][]int, 20)}
	for i := range m.Counts {
		m.Counts[i] = make([]int, 32)
	}
	return m
}

// Add counts a position from (0, 0), the top left corner of an image, to (1, 1).
func (m *Map) Add(x, y float64) {
	cell := func(v float64, n int) int { return min(max(int(v*float64(n)), 0), n-1) }
	m.Counts[cell(y, len(m.Counts))][cell(x, len(m.Counts[0]))]++
}

// Heat returns the map as a figure.
func (m *Map) Heat() *figure.Heat {
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

func (m *Map) write(path string) error {
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
func WriteDistributions(dir string, formats []string, distributions []Distribution, maps []*Map) ([]string, error) {
	var names []string
	write := func(name string, data func(path string) error, drawing figure.Drawing) error {
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
		if err := write(d.Name, d.write, d.Graph()); err != nil {
			return nil, err
		}
	}
	for _, m := range maps {
		if err := write(m.Name, m.write, m.Heat()); err != nil {
			return nil, err
		}
	}
	err := store.WriteFile(filepath.Join(dir, "quantiles.csv"), func(w io.Writer) error {
		return QuantilesTable(distributions).Write(w, table.CSV, 0)
	})
	return append(names, "quantiles"), err
}
