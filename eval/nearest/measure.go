package nearest

import (
	"math"

	"descbench/descriptors"
)

// A Measure gives the canonical distances between single rows of the two
// matrices that Search would compare. It may be used by several goroutines.
type Measure struct {
	queries, candidates *validRows
}

// NewMeasure returns the measure of two matrices. It fails where Search does.
func NewMeasure(queries, candidates *descriptors.Matrix) (*Measure, error) {
	none := make([]int32, queries.Rows)
	for i := range none {
		none[i] = -1
	}
	if err := check(queries, candidates, none); err != nil {
		return nil, err
	}
	return &Measure{newValidRows(queries), newValidRows(candidates)}, nil
}

// ValidQuery reports whether row q of the queries describes something.
func (m *Measure) ValidQuery(q int) bool { return m.queries.place[q] >= 0 }

// ValidCandidate reports whether row c of the candidates describes something.
func (m *Measure) ValidCandidate(c int) bool { return m.candidates.place[c] >= 0 }

// Order writes the keys by which Search ranks the given candidates of a query:
// the smaller the nearer, equal for equally near ones, +Inf where either row is
// invalid.
func (m *Measure) Order(q int, candidates []int32, dst []float64) {
	for i, c := range candidates {
		dst[i], _ = m.key(q, int(c))
	}
}

// To writes the distances of the given candidates from a query, as Search
// gives them; NaN where either row is invalid.
func (m *Measure) To(q int, candidates []int32, dst []float64) {
	for i, c := range candidates {
		_, dst[i] = m.key(q, int(c))
	}
}

// Distances does what To does for candidates from first on, as many as dst
// takes.
func (m *Measure) Distances(q, first int, dst []float64) {
	for i := range dst {
		_, dst[i] = m.key(q, first+i)
	}
}

// key returns what orders a candidate, and its distance.
func (m *Measure) key(q, c int) (key, distance float64) {
	if !m.ValidQuery(q) || !m.ValidCandidate(c) {
		return math.Inf(1), math.NaN()
	}
	i, j := int(m.queries.place[q]), int(m.candidates.place[c])
	switch rows := m.queries.m; {
	case rows.Type == descriptors.Float32:
		d2 := squaredDistance(m.queries.floats(i), m.candidates.floats(j))
		return d2, math.Sqrt(d2)
	case rows.Type == descriptors.Bits:
		d := m.queries.norm[i] + m.candidates.norm[j] - 2*float64(dotBits(m.queries.bytes(i), m.candidates.bytes(j)))
		return d, d
	case rows.UnitNorm:
		key := float64(dotBytes(m.queries.bytes(i), m.candidates.bytes(j))) * -(1 / math.Sqrt(m.candidates.norm[j]))
		return key, unitDistance(key, m.queries.norm[i], m.candidates.norm[j])
	default:
		d2 := m.queries.norm[i] + m.candidates.norm[j] - 2*float64(dotBytes(m.queries.bytes(i), m.candidates.bytes(j)))
		return d2, math.Sqrt(d2)
	}
}

// Best returns, of several candidates that are one answer to a query, the one
// that Search finds nearest: valid before invalid ones, then by distance, then
// by row.
func Best(m *Measure, q int, group []int32) int32 {
	best, least := int32(-1), 0.0
	better := func(c int32, key float64) bool {
		switch {
		case best < 0 || key < least:
			return true
		case key > least:
			return false
		case m.ValidCandidate(int(c)) != m.ValidCandidate(int(best)): // of an invalid query
			return m.ValidCandidate(int(c))
		}
		return c < best
	}
	for _, c := range group {
		if key, _ := m.key(q, int(c)); better(c, key) {
			best, least = c, key
		}
	}
	return best
}
