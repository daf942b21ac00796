package nearest

import (
	"math"
	"sync"

	"descbench/descriptors"
)

// A Measure returns the canonical distances between the rows of two matrices,
// as Search would compute them, for single pairs and for one query and many
// candidates. It is safe for concurrent use. No call allocates memory except
// the first call of Distances.
//
// Methods panic if a row does not exist or dst is too short.
type Measure struct {
	queries, candidates *validRows // in place
	kernel              kernel
	terms               terms   // of the candidates, for Order; not of float32
	all                 []int32 // the rows of the candidates, for Distances; nil: float32

	packing                         sync.Once // only for Distances of float32
	packedQueries, packedCandidates packed
}

// NewMeasure returns the measure of two matrices. It fails and panics under the
// same conditions as Search.
func NewMeasure(queries, candidates *descriptors.Matrix) (*Measure, error) {
	return newMeasure(queries, candidates, kernels()[0])
}

func newMeasure(queries, candidates *descriptors.Matrix, k kernel) (*Measure, error) {
	if err := checkPair(queries, candidates); err != nil {
		return nil, err
	}
	m := &Measure{queries: newRowsInPlace(queries), candidates: newRowsInPlace(candidates), kernel: k}
	if queries.Type != descriptors.Float32 {
		m.terms = termsOf(m.candidates)
		m.all = make([]int32, candidates.Rows)
		for c := range m.all {
			m.all[c] = int32(c)
		}
	}
	return m, nil
}

// ValidQuery reports whether row q of the queries is valid.
func (m *Measure) ValidQuery(q int) bool { return m.queries.index[q] >= 0 }

// ValidCandidate reports whether row c of the candidates is valid.
func (m *Measure) ValidCandidate(c int) bool { return m.candidates.index[c] >= 0 }

// Distances writes the distances between a query and len(dst) candidates
// starting at first. They equal Result.NearestDistance to the last bit, and are
// NaN if either row is invalid.
func (m *Measure) Distances(q, first int, dst []float64) {
	if m.all != nil {
		m.to(q, m.all[first:first+len(dst)], dst)
		return
	}
	rows, valid := m.candidates.index[first:first+len(dst)], m.ValidQuery(q)
	if valid && len(dst) > 0 {
		m.packing.Do(m.pack)
		m.kernel.rowFloat(dst, q, first, m.packedQueries, m.packedCandidates)
	}
	if valid && m.candidates.zeros == nil {
		return
	}
	for k, row := range rows {
		if !valid || row < 0 {
			dst[k] = math.NaN()
		}
	}
}

func (m *Measure) pack() {
	m.packedQueries, m.packedCandidates = m.kernel.float.queries(m.queries), m.kernel.float.candidates(m.candidates)
}

// To does the same as Distances for the listed candidates.
func (m *Measure) To(q int, candidates []int32, dst []float64) {
	m.checkRows(candidates)
	m.to(q, candidates, dst[:len(candidates)])
}

func (m *Measure) to(q int, candidates []int32, dst []float64) {
	valid := m.list(q, candidates, dst)
	for k, c := range candidates {
		switch {
		case !valid || !m.ValidCandidate(int(c)):
			dst[k] = math.NaN()
		case m.queries.m.Type == descriptors.Float32:
			dst[k] = math.Sqrt(dst[k])
		default:
			dst[k] = integerDistance(dst[k], m.queries, m.candidates, q, int(c))
		}
	}
}

// Order writes the keys by which Search ranks the listed candidates of a query:
// smaller is nearer, equal is exactly as near, and +Inf means that either row
// is invalid. Keys are comparable only within one query.
func (m *Measure) Order(q int, candidates []int32, dst []float64) {
	m.checkRows(candidates)
	dst = dst[:len(candidates)]
	valid, norm := m.list(q, candidates, dst), m.queries.norm[q]
	if m.queries.m.UnitNorm {
		norm = 0 // no part of these keys
	}
	for k, c := range candidates {
		if !valid || !m.ValidCandidate(int(c)) {
			dst[k] = math.Inf(1)
		} else if m.queries.m.Type != descriptors.Float32 {
			dst[k] = dst[k]*m.terms.factor[c] + m.terms.base[c] + norm
		}
	}
}

// list writes the squared distances between a query and the listed candidates for
// float32, otherwise their dot products, and reports whether the query is valid. The values of
// invalid rows mean nothing.
func (m *Measure) list(q int, candidates []int32, dst []float64) (valid bool) {
	switch valid = m.ValidQuery(q); {
	case len(candidates) == 0 || !valid:
	case m.queries.m.Type == descriptors.Float32:
		m.kernel.listFloat(dst, m.queries.floats(q), m.candidates.m.Float32, candidates)
	case m.queries.m.Type == descriptors.Bits:
		m.kernel.listBits(dst, m.queries.bytes(q), m.candidates.m.Uint8, candidates)
	default:
		m.kernel.listUint8(dst, m.queries.bytes(q), m.candidates.m.Uint8, candidates)
	}
	return valid
}

// checkRows panics if a candidate does not exist, because C code would read it.
func (m *Measure) checkRows(candidates []int32) {
	for _, c := range candidates {
		_ = m.candidates.index[c]
	}
}

// Best returns the candidate that Search finds nearest among a group of candidates, ascending and at
// least one, that are one answer to a query: valid before invalid, then nearer, then the lower row.
func Best(m *Measure, q int, group []int32) int32 {
	keys, best := make([]float64, len(group)), 0
	m.Order(q, group, keys)
	for i, c := range group {
		valid, bestValid := m.ValidCandidate(int(c)), m.ValidCandidate(int(group[best]))
		if valid && !bestValid || valid == bestValid && keys[i] < keys[best] {
			best = i
		}
	}
	return group[best]
}
