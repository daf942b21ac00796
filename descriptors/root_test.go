package descriptors

import (
	"math"
	"testing"

	"descbench/eval/must"
)

func TestRootDividesByTheL1NormAndTakesSquareRoots(t *testing.T) {
	// 9+16+0+75 = 100: √.09, √.16, 0, √.75; and a row of halves.
	want := floats([]float32{0.3, 0.4, 0, float32(math.Sqrt(0.75))}, []float32{0.5, 0.5, 0.5, 0.5}, []float32{0, 0, 0, 0})
	for _, m := range []*Matrix{
		uint8s([]uint8{9, 16, 0, 75}, []uint8{7, 7, 7, 7}, []uint8{0, 0, 0, 0}),
		floats([]float32{9, 16, 0, 75}, []float32{7, 7, 7, 7}, []float32{0, 0, 0, 0}),
	} {
		before := m.clone()
		got := must.Get(Root(m))(t)
		if !same(got, want) || !same(m, before) {
			t.Errorf("%v: got %+v, want %+v; the input is %+v", m.Type, got, want, m)
		}
	}
}

func TestRootRefusesWhatHasNoRoot(t *testing.T) {
	_, err := Root(floats([]float32{1, 2}, []float32{1, -0.5}))
	must.Fail(t, err, "root l1: row 1, element 1 is -0.5, want a number of at least 0")
	_, err = Root(&Matrix{Rows: 1, Dim: 8, Type: Bits, Uint8: []uint8{1}})
	must.FailAbout(t, err, "bits")
	// A row that describes nothing has nothing negative.
	if got, err := Root(floats([]float32{nan, -1})); err != nil || got.CountInvalid() != 1 {
		t.Errorf("got %+v, %v", got, err)
	}
}
