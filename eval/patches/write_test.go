package patches

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"descbench/descriptors"
	"descbench/eval/must"
)

func TestRowsAreReadBackAsTheyWereWritten(t *testing.T) {
	third := float32(1) / 3
	nan := float32(math.NaN())
	invalid := &descriptors.Matrix{Rows: 2, Dim: 2, Type: descriptors.Float32, Float32: []float32{nan, 1, 0.5, 2}}
	invalid.Mark(0)
	for name, c := range map[string]struct {
		m    *descriptors.Matrix
		want []float32
	}{
		"numbers":    {&descriptors.Matrix{Rows: 2, Dim: 3, Type: descriptors.Float32, Float32: []float32{third, -1e-20, 300, 5, 0, 1}}, []float32{third, -1e-20, 300, 5, 0, 1}},
		"integers":   {&descriptors.Matrix{Rows: 2, Dim: 2, Type: descriptors.Float32, Float32: []float32{1, 255, 0, 3}}, []float32{1, 255, 0, 3}},
		"bytes":      {&descriptors.Matrix{Rows: 1, Dim: 3, Type: descriptors.Uint8, Uint8: []uint8{0, 255, 7}}, []float32{0, 255, 7}},
		"normalised": {&descriptors.Matrix{Rows: 1, Dim: 2, Type: descriptors.Uint8, Uint8: []uint8{3, 4}, UnitNorm: true}, []float32{0.6, 0.8}},
		"invalid":    {invalid, []float32{nan, nan, 0.5, 2}},
	} {
		var file bytes.Buffer
		must.Do(t, WriteCSV(&file, c.m))
		m := parse(t, file.String())
		if got := values(m); !slices.EqualFunc(got, c.want, func(a, b float32) bool { return a == b || a != a && b != b }) || m.CountInvalid() != c.m.CountInvalid() {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}
