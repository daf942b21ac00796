package nearest

import (
	"fmt"
	"runtime"

	"descbench/descriptors"
)

// Pairs computes the canonical squared distances of single pairs of rows of several
// float32 matrices, many at a time. It is safe for concurrent use. The caller closes
// it.
type Pairs struct {
	matrices []*descriptors.Matrix
	first    []*float32 // elements of the matrices, pinned because C follows them
	pin      runtime.Pinner
	squared  pairsFunc
}

// A RowPair is a row of each of two matrices, which are given by their indices.
type RowPair struct{ MatrixA, RowA, MatrixB, RowB int32 }

// NewPairs returns the pairs of rows of these matrices: at least one, all with rows
// and of the same dimension. It panics otherwise.
func NewPairs(matrices []*descriptors.Matrix) *Pairs { return newPairs(matrices, kernels()[0]) }

func newPairs(matrices []*descriptors.Matrix, k kernel) *Pairs {
	p := &Pairs{matrices: matrices, squared: k.pairsFloat}
	for i, m := range matrices {
		if m.Type != descriptors.Float32 || m.Dim != matrices[0].Dim || m.Rows == 0 || len(m.Float32) != m.Rows*m.Dim {
			panic(fmt.Sprintf("nearest: matrix %d is %v of %d×%d, want float32 rows of dimension %d", i, m.Type, m.Rows, m.Dim, matrices[0].Dim))
		}
		p.pin.Pin(&m.Float32[0])
		p.first = append(p.first, &m.Float32[0])
	}
	return p
}

// Squared writes the canonical d² of every pair to dst, as SquaredDistance computes
// it, whether or not the rows are valid. It panics if a row does not exist or dst is
// too short.
func (p *Pairs) Squared(dst []float64, pairs []RowPair) {
	for _, r := range pairs {
		if uint(r.RowA) >= uint(p.matrices[r.MatrixA].Rows) || uint(r.RowB) >= uint(p.matrices[r.MatrixB].Rows) {
			panic(fmt.Sprintf("nearest: no such rows: %+v", r)) // C would read them
		}
	}
	if len(pairs) > 0 {
		p.squared(dst[:len(pairs)], p, pairs)
	}
}

// Close lets the garbage collector have the matrices again.
func (p *Pairs) Close() { p.pin.Unpin() }
