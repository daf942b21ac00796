package nearest

import (
	"context"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"descbench/descriptors"
)

// Rows of uint8 and of bits are compared by keys computed from exact integers: the dot product of
// two rows (for bits, the number set in both) and their squared norms. The key of candidate b from
// the point of view of query a is a·b × factor + base, with the terms of b; from the candidate's
// point of view, with those of a. Kernels may fuse the two operations, for at most one rounds:
//
//   - d² less the query's own norm, |b|² − 2a·b, a whole number. For bits it is the number of
//     differing bits.
//   - unit norm: −s with the canonical s = (a·b) × (1/√(b·b)); negation is exact, and the base is 0.
type terms struct{ factor, base []float64 }

// termsOf returns the terms of rows, padded to a multiple of maxPanel by rows whose keys are infinite.
func termsOf(v *validRows) terms {
	n := padded(v.len())
	t := terms{make([]float64, n), slices.Repeat([]float64{math.Inf(1)}, n)}
	for i, norm := range v.norm {
		t.factor[i], t.base[i] = -2, norm
		if v.m.UnitNorm {
			t.factor[i], t.base[i] = -(1 / math.Sqrt(norm)), 0
		}
	}
	return t
}

// A reduceFunc folds a tile whose dot products are known, given the terms of the candidates.
type reduceFunc func(dots []int32, t tile, rows []rowState, candidates terms, c columns)

// searchIntegers searches uint8 or bit rows, for which every key is exact.
func searchIntegers(ctx context.Context, s *search) error {
	d, dot := s.kernel.uint8, dotBytes
	if s.queries.m.Type == descriptors.Bits {
		d, dot = s.kernel.bits, dotBits
	}
	own, others := termsOf(s.queries), termsOf(s.candidates)
	rows := make([]rowState, s.queries.len())
	for i := range rows {
		rows[i].factor, rows[i].base = own.factor[i], own.base[i]
		if t := s.truth[i]; t >= 0 {
			rows[i].truth = float64(dot(s.queries.bytes(i), s.candidates.bytes(int(t))))*others.factor[t] + others.base[t]
		}
	}
	queries, candidates := d.queries(s.queries), d.candidates(s.candidates)
	stride := tileStride(4 * candidates.perRow)
	dots := make([]int32, blockRows*stride)
	foldTile := func(t tile, c columns) {
		d.fill(dots, t, queries, candidates)
		s.kernel.reduce(dots, t, rows, others, c)
	}
	return run(ctx, s, rows, stride, foldTile, func(key float64, i, j int) float64 {
		// Exact up to a few units in the last place, and the dot product is an integer below 2³¹.
		dot := math.Round((key - others.base[j]) / others.factor[j])
		return integerDistance(dot, s.queries, s.candidates, i, j)
	})
}

// integerDistance returns the distance of valid query i and valid candidate j with this dot product.
func integerDistance(dot float64, queries, candidates *validRows, i, j int) float64 {
	norm, other := queries.norm[i], candidates.norm[j]
	switch {
	case queries.m.UnitNorm:
		return distanceOfUnits(dot, norm, other)
	case queries.m.Type == descriptors.Bits:
		return norm + other - 2*dot
	}
	return math.Sqrt(norm + other - 2*dot)
}

// distanceOfUnits returns √(2 − 2cos) for rows with this dot product, from
// integers below 2³¹. In the form √(2(1 − cos²)/(1 + cos)), with 1 − cos² from
// integers, it does not lose digits for nearly parallel rows, and is 0 for
// parallel rows.
func distanceOfUnits(dot, queryNorm, candidateNorm float64) float64 {
	norms := int64(queryNorm) * int64(candidateNorm)
	sin2 := float64(norms-int64(dot)*int64(dot)) / float64(norms)
	cos := dot / math.Sqrt(float64(norms))
	return math.Sqrt(2 * sin2 / (1 + cos))
}

func dotBytes(a, b []uint8) int32 {
	sum := int32(0)
	b = b[:len(a)]
	for i, x := range a {
		sum += int32(x) * int32(b[i])
	}
	return sum
}

func dotBits(a, b []uint8) int32 {
	sum := 0
	for ; len(a) >= 8; a, b = a[8:], b[8:] {
		sum += bits.OnesCount64(binary.LittleEndian.Uint64(a) & binary.LittleEndian.Uint64(b))
	}
	for i, x := range a {
		sum += bits.OnesCount8(x & b[i])
	}
	return int32(sum)
}
