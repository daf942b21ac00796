package pairwise

import (
	"math"

	"descbench/descriptors"
	"descbench/eval/nearest"
	"descbench/eval/patches"
)

// Pairs computes the keys of single pairs of rows of several matrices of the same
// type and dimension, many at a time. It is safe for concurrent use. The caller
// closes it.
type Pairs struct {
	measure  Measure
	matrices []*descriptors.Matrix
	invalid  bool           // some row is
	squared  *nearest.Pairs // nil: by Key
}

// NewPairs returns the pairs of rows of these matrices, of which there is at least
// one.
func NewPairs(m Measure, matrices []*descriptors.Matrix) *Pairs {
	p := &Pairs{measure: m, matrices: matrices}
	fast := m.distance != patches.L1
	for _, rows := range matrices {
		fast = fast && rows.Type == descriptors.Float32 && rows.Rows > 0
		p.invalid = p.invalid || rows.CountInvalid() > 0
	}
	if fast {
		p.squared = nearest.NewPairs(matrices)
	}
	return p
}

// Keys sets dst[k] to the Key of pair k.
func (p *Pairs) Keys(dst []float64, pairs []nearest.RowPair) {
	if p.squared == nil {
		for k, r := range pairs {
			dst[k] = p.measure.Key(p.matrices[r.MatrixA], int(r.RowA), p.matrices[r.MatrixB], int(r.RowB))
		}
		return
	}
	p.squared.Squared(dst, pairs)
	if !p.invalid {
		return
	}
	for k, r := range pairs {
		if p.matrices[r.MatrixA].IsInvalid(int(r.RowA)) || p.matrices[r.MatrixB].IsInvalid(int(r.RowB)) {
			dst[k] = math.Inf(1)
		}
	}
}

// Close lets the garbage collector have the matrices again.
func (p *Pairs) Close() {
	if p.squared != nil {
		p.squared.Close()
	}
}
