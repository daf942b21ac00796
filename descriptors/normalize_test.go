package descriptors

import (
	"slices"
	"testing"

	"descbench/eval/must"
)

func TestWhatNeedsNoChangeIsShared(t *testing.T) {
	m := uint8s([]uint8{3, 4}, []uint8{0, 0})
	for _, norm := range []Norm{NoNorm, L2} {
		got := must.Get(Normalize(m, norm))(t)
		if &got.Uint8[0] != &m.Uint8[0] || &got.invalid[0] != &m.invalid[0] {
			t.Errorf("%v: storage was copied", norm)
		}
	}
}

func TestNormalizeWorkedByHand(t *testing.T) {
	third := float32(1) / 3
	for _, c := range []struct {
		name string
		in   *Matrix
		norm Norm
		want *Matrix
	}{
		{"l2 of 3, −4 is over 5", floats([]float32{3, -4}), L2, floats([]float32{0.6, -0.8})},
		{"l1 of 1, −2 is over 3", floats([]float32{1, -2}), L1, floats([]float32{third, -2 * third})},
		{"l1 of bytes is of floats", uint8s([]uint8{1, 0, 3}), L1, floats([]float32{0.25, 0, 0.75})},
		{"l2 of bytes keeps the integers", uint8s([]uint8{3, 4}, []uint8{0, 0}), L2, unit(uint8s([]uint8{3, 4}, []uint8{0, 0}))},
		{"none", floats([]float32{3, -4}), NoNorm, floats([]float32{3, -4})},
		{"squares beyond float32", floats([]float32{3e38, 0}), L2, floats([]float32{1, 0})},
		{"squares below float32", floats([]float32{1e-44, 0}), L2, floats([]float32{1, 0})},
	} {
		before := c.in.clone()
		got, err := Normalize(c.in, c.norm)
		if err != nil || !same(got, c.want) {
			t.Errorf("%s: got %+v, %v, want %+v", c.name, got, err, c.want)
		}
		if !same(c.in, before) {
			t.Errorf("%s: the input became %+v", c.name, c.in)
		}
	}
}

func TestNormalizeLeavesInvalidRowsZeroAndMarked(t *testing.T) {
	for _, norm := range []Norm{NoNorm, L2, L1} {
		m := floats([]float32{nan, 1}, []float32{5, 0}, []float32{0, 0}, []float32{2, 0})
		m.Mark(3)
		m.MarkEmpty()
		got := must.Get(Normalize(m, norm))(t)
		if want := []bool{true, false, true, true}; !slices.Equal(got.invalid, want) {
			t.Errorf("%v: marked %v, want %v", norm, got.invalid, want)
		}
		for i, v := range got.Float32 {
			if i != 2 && v != 0 {
				t.Errorf("%v: element %d is %v, want 0", norm, i, v)
			}
		}
	}
}

func TestBinaryRowsHaveNoNorm(t *testing.T) {
	m := &Matrix{Rows: 1, Dim: 8, Type: Bits, Uint8: []uint8{5}}
	for _, norm := range []Norm{L1, L2} {
		_, err := Normalize(m, norm)
		must.FailAbout(t, err, "bits")
	}
	if got, err := Normalize(m, NoNorm); err != nil || !same(got, m) {
		t.Errorf("none: got %+v, %v", got, err)
	}
}
