package descriptors

import (
	"slices"
	"testing"

	"descbench/eval/must"
)

func TestMarkEmptyMarksAndClearsRowsThatDescribeNothing(t *testing.T) {
	m := &Matrix{Rows: 5, Dim: 2, Type: Float32, Float32: []float32{1, 2, nan, 1, 0, 0, 1, -inf, 0, -1e-45}}
	m.MarkEmpty()
	if want := []float32{1, 2, 0, 0, 0, 0, 0, 0, 0, -1e-45}; !slices.Equal(m.Float32, want) {
		t.Errorf("got %v, want %v", m.Float32, want)
	}
	if want := []bool{true, false, false, false, true}; !slices.Equal(m.Valid(), want) || m.CountInvalid() != 3 {
		t.Errorf("valid %v, want %v; %d invalid", m.Valid(), want, m.CountInvalid())
	}

	m = &Matrix{Rows: 2, Dim: 3, Type: Uint8, Uint8: []uint8{0, 0, 0, 0, 0, 1}}
	m.MarkEmpty()
	if !slices.Equal(m.Valid(), []bool{false, true}) {
		t.Errorf("uint8: valid %v", m.Valid())
	}
}

func TestMarkEmptyKeepsEarlierMarksAndClearsTheirRows(t *testing.T) {
	m := &Matrix{Rows: 3, Dim: 2, Type: Uint8, Uint8: []uint8{7, 7, 0, 0, 1, 2}}
	m.Mark(0)
	m.MarkEmpty()
	if !slices.Equal(m.Uint8, []uint8{0, 0, 0, 0, 1, 2}) || !slices.Equal(m.Valid(), []bool{false, false, true}) {
		t.Errorf("got %v, valid %v", m.Uint8, m.Valid())
	}
}

func TestBinaryRowsOfZerosAreValid(t *testing.T) {
	m := &Matrix{Rows: 2, Dim: 12, Type: Bits, Uint8: []uint8{0, 0, 255, 15}}
	m.MarkEmpty()
	if !slices.Equal(m.Uint8, []uint8{0, 0, 255, 15}) || m.CountInvalid() != 0 {
		t.Errorf("got %v, valid %v", m.Uint8, m.Valid())
	}
	m.Mark(1)
	m.MarkEmpty()
	if !slices.Equal(m.Uint8, []uint8{0, 0, 0, 0}) || m.CountInvalid() != 1 {
		t.Errorf("a marked row reads %v", m.Uint8)
	}
}

func TestMarksGoWithTheirRows(t *testing.T) {
	m := uint8s([]uint8{1, 2}, []uint8{3, 4}, []uint8{5, 6})
	m.Mark(2)
	got := m.Select([]int{2, 0, 2})
	if !slices.Equal(got.Uint8, []uint8{5, 6, 1, 2, 5, 6}) || !slices.Equal(got.Valid(), []bool{false, true, false}) {
		t.Errorf("got %v, valid %v", got.Uint8, got.Valid())
	}
	got.Mark(1)
	if m.IsInvalid(0) {
		t.Error("a mark on the selection is one on the rows that it was made of")
	}
}

func TestFieldsThatContradictEachOtherAreFound(t *testing.T) {
	for want, m := range map[string]*Matrix{
		"want 2×2 elements of type uint8, found 3, and 0 of a different type": {Rows: 2, Dim: 2, Uint8: make([]uint8, 3)},
		"want 2×2 elements of type bits, found 2, and 0 of a different type":  {Rows: 2, Dim: 9, Type: Bits, Uint8: make([]uint8, 2)},
		"want 1×1 elements of type uint8, found 1, and 1 of a different type": {Rows: 1, Dim: 1, Uint8: make([]uint8, 1), Float32: make([]float32, 1)},
		"unit norm is only for uint8 rows, found bits":                        {Rows: 1, Dim: 8, Type: Bits, Uint8: make([]uint8, 1), UnitNorm: true},
		"want a shape of at least 0×1, found 1×0":                             {Rows: 1},
		"unknown element type 9":                                              {Dim: 1, Type: 9},
	} {
		must.Fail(t, m.Check(), want)
	}
}
