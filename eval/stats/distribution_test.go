package stats

import (
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
