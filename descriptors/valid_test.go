package descriptors

import (
	"slices"
	"testing"
)

func TestMarkInvalidMarksAndClearsRowsThatDescribeNothing(t *testing.T) {
	m := floats([]float32{1, 2}, []float32{nan, 1}, []float32{0, 0}, []float32{1, -inf}, []float32{0, -1e-45})
	before := m.clone()
	got := MarkInvalid(m)
	want := floats([]float32{1, 2}, []float32{0, 0}, []float32{0, 0}, []float32{0, 0}, []float32{0, -1e-45})
	want.Invalid = []bool{false, true, true, true, false}
	if !same(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if !same(m, before) {
		t.Errorf("the input became %+v", m)
	}

	m = uint8s([]uint8{0, 0, 0}, []uint8{0, 0, 1})
	if got := MarkInvalid(m); !slices.Equal(got.Invalid, []bool{true, false}) || m.Invalid != nil {
		t.Errorf("uint8: marked %v, and %v in the input", got.Invalid, m.Invalid)
	}
}

func TestMarkInvalidKeepsEarlierMarksAndClearsTheirRows(t *testing.T) {
	m := uint8s([]uint8{7, 7}, []uint8{0, 0}, []uint8{1, 2})
	m.Invalid = []bool{true, false, false}
	before := m.clone()
	got := MarkInvalid(m)
	want := uint8s([]uint8{0, 0}, []uint8{0, 0}, []uint8{1, 2})
	want.Invalid = []bool{true, true, false}
	if !same(got, want) || !same(m, before) {
		t.Errorf("got %+v, want %+v; the input is %+v", got, want, m)
	}
}

func TestBinaryRowsOfZerosAreValid(t *testing.T) {
	m := &Matrix{Rows: 2, Dim: 12, Type: Bits, Uint8: []uint8{0, 0, 255, 15}}
	if got := MarkInvalid(m); !same(got, m) {
		t.Errorf("got %+v, want %+v", got, m)
	}
	m.Invalid = []bool{false, true}
	if got := MarkInvalid(m); !slices.Equal(got.Uint8, []uint8{0, 0, 0, 0}) || got.CountInvalid() != 1 {
		t.Errorf("a marked row reads %v", got.Uint8)
	}
}
