package patches

import (
	"bytes"
	"math"
	"reflect"
	"testing"

	"descbench/descriptors"
)

// Strips that are described in memory and those that are written and read must
// give the same figures.
func TestRowsAsWrittenAreThoseThatAreReadBack(t *testing.T) {
	third := float32(1) / 3
	for name, m := range map[string]*descriptors.Matrix{
		"numbers":    {Rows: 2, Dim: 3, Type: descriptors.Float32, Float32: []float32{third, -1e-20, 300, 5, 0, 1}},
		"integers":   {Rows: 2, Dim: 2, Type: descriptors.Float32, Float32: []float32{1, 255, 0, 3}},
		"bytes":      {Rows: 1, Dim: 3, Type: descriptors.Uint8, Uint8: []uint8{0, 255, 7}},
		"normalised": {Rows: 1, Dim: 2, Type: descriptors.Uint8, Uint8: []uint8{1, 2}, UnitNorm: true},
		"bits":       {Rows: 2, Dim: 12, Type: descriptors.Bits, Uint8: []uint8{0xa5, 0x03, 0xff, 0x0f}},
		"invalid":    {Rows: 2, Dim: 2, Type: descriptors.Float32, Float32: []float32{float32(math.NaN()), 1, 0.5, 2}},
	} {
		if name == "invalid" {
			m.Mark(0)
		}
		var file bytes.Buffer
		if err := WriteCSV(&file, m, false); err != nil {
			t.Fatal(err)
		}
		want, err := parseDescriptors(name, file.Bytes(), false)
		if err != nil {
			t.Fatal(err)
		}
		if got := AsWritten(m); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, want %+v", name, got, want)
		}
	}
}
