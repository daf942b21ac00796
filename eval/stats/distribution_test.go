package stats

import (
	"math"
	"slices"
	"testing"
)

func TestEveryValueIsInOneBin(t *testing.T) {
	for _, d := range []Distribution{
		{Name: "linear", Series: []Series{{Values: []float64{0, 1, 2, 3, 100}}, {Values: []float64{-5}}}},
		{Name: "log", Log: true, Series: []Series{{Values: []float64{0, 0, 0.1, 7, 1000}}}},
		{Name: "log without zero", Log: true, Series: []Series{{Values: []float64{0.1, 7, 1000}}}},
		{Name: "whole", Whole: true, Series: []Series{{Values: []float64{-1, 0, 0, 3}}, {Values: []float64{5}}}},
		{Name: "many whole", Whole: true, Series: []Series{{Values: []float64{0, 1, 999}}}},
		{Name: "constant", Series: []Series{{Values: []float64{4, 4}}}},
		{Name: "empty", Series: []Series{{}}},
	} {
		edges := d.Edges()
		if !slices.IsSorted(edges) || len(edges) > distributionBins+2 {
			t.Errorf("%s: edges %v", d.Name, edges)
		}
		for _, s := range d.Series {
			sum := 0
			for _, n := range s.Counts(edges) {
				sum += n
			}
			if sum != len(s.Values) {
				t.Errorf("%s: %d values in bins, want %d", d.Name, sum, len(s.Values))
			}
		}
	}
}

func TestWholeNumbersHaveABinEach(t *testing.T) {
	d := Distribution{Whole: true, Series: []Series{{Values: []float64{-1, 0, 0, 3}}}}
	if got := d.Series[0].Counts(d.Edges()); !slices.Equal(got, []int{1, 2, 0, 0, 1}) {
		t.Errorf("got %v, want [1 2 0 0 1]", got)
	}
}

// 50 bins whose edges grow by the 50th root of 1024, from the smallest value above 0.
func TestEdgesOnALogarithmicScale(t *testing.T) {
	of := func(values ...float64) *Distribution {
		return &Distribution{Log: true, Series: []Series{{Values: values}}}
	}
	for name, c := range map[string]struct {
		d    *Distribution
		zero int
	}{"positive": {of(0.75, 768, 50), 0}, "with 0": {of(768, 0, 0.75), 1}} {
		edges := c.d.Edges()
		if len(edges) != 51+c.zero || c.zero == 1 && edges[0] != 0 || edges[c.zero] != 0.75 || edges[len(edges)-1] != 768 {
			t.Fatalf("%s: %d edges from %v to %v", name, len(edges), edges[0], edges[len(edges)-1])
		}
		for i, e := range edges[c.zero:] {
			if want := 0.75 * math.Exp2(float64(i)/5); math.Abs(e/want-1) > 1e-12 {
				t.Errorf("%s: edge %d is %v, want %v", name, i, e, want)
			}
		}
	}
	linear := &Distribution{Series: []Series{{Values: []float64{1, 2, 5}}}}
	for _, d := range []*Distribution{linear, of(-1, 1), of(0, 1)} { // nothing to take the logarithm of, or only one value
		edges, values := d.Edges(), d.Series[0].Values
		low, high := values[0], values[len(values)-1]
		for i, e := range edges {
			if want := low + (high-low)*float64(i)/50; math.Abs(e-want) > 1e-15 || len(edges) != 51 {
				t.Errorf("%v: edge %d of %d is %v, want %v", d.Series, i, len(edges), e, want)
			}
		}
	}
}

// At most 50 bins: those of 51 whole numbers hold two each.
func TestWholeNumbersShareBinsFromFiftyOn(t *testing.T) {
	for n, want := range map[float64]struct {
		edges int
		width float64
	}{50: {51, 1}, 51: {27, 2}, 1: {2, 1}} {
		d := &Distribution{Whole: true, Series: []Series{{Values: []float64{1, n}}}}
		edges := d.Edges()
		if len(edges) != want.edges || edges[0] != 0.5 || edges[1]-edges[0] != want.width || edges[len(edges)-1] < n {
			t.Errorf("1 to %v: %d edges from %v, width %v; want %+v", n, len(edges), edges[0], edges[1]-edges[0], want)
		}
	}
}

// At least the share q of 10, 20, 30, 40 is at most the quantile.
func TestQuantilesOfFourValues(t *testing.T) {
	for q, want := range map[float64]int{0: 10, 0.25: 10, 0.26: 20, 0.5: 20, 0.75: 30, 0.76: 40, 1: 40} {
		if got := Quantile([]int{10, 20, 30, 40}, q); got != want {
			t.Errorf("the quantile %v is %d, want %d", q, got, want)
		}
	}
}

// 20 rows of 32 cells; the right and lower edges belong to the last ones.
func TestPositionsFallIntoTheirCells(t *testing.T) {
	for at, want := range map[[2]float64][2]int{{0, 0}: {0, 0}, {1, 1}: {19, 31}, {0.5, 0.5}: {10, 16}, {0.99, 0.049}: {0, 31}, {0.03, 0.95}: {19, 0}} {
		p := NewPositions("d", "")
		p.Add(at[0], at[1])
		if len(p.Counts) != 20 || len(p.Counts[0]) != 32 || p.Counts[want[0]][want[1]] != 1 {
			t.Errorf("%v is not in row %d, column %d", at, want[0], want[1])
		}
	}
}
