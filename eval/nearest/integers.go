package nearest

import (
	"context"
	"encoding/binary"
	"math"
	"math/bits"
)

// An arithmetic computes the keys of uint8 and bit rows from exact integers:
// the dot product of two rows (for bits, the number set in both) and their
// squared norms.
type arithmetic[K key] struct {
	// scale returns a row's own term of a key, from its squared norm.
	scale func(norm float64) K
	// key returns the key of a candidate from the query's point of view.
	key func(dot int32, query, candidate K) K
	// distance returns the distance that belongs to a key.
	distance func(k K, queryNorm, candidateNorm float64) float64
	dot      func(a, b []uint8) int32
	reduce   reduceFunc[K]
}

// A reduceFunc folds a tile whose dot products are known. scale holds the
// candidates' terms of the keys, padded like columns.
type reduceFunc[K key] func(dots []int32, t tile, rows []rowState[K], scale []K, c columns[K])

// euclidean orders uint8 rows by d² = |a|² + |b|² − 2a·b.
func euclidean(k kernel) arithmetic[int32] {
	return arithmetic[int32]{
		scale:    func(norm float64) int32 { return int32(norm) },
		key:      squaredKey,
		distance: func(d2 int32, _, _ float64) float64 { return math.Sqrt(float64(d2)) },
		dot:      dotBytes,
		reduce:   k.reduceInt,
	}
}

// hamming orders bit rows by the number of differing bits, |a| + |b| − 2|a∧b|: their
// squared Euclidean distance.
func hamming(k kernel) arithmetic[int32] {
	a := euclidean(k)
	a.distance = func(d int32, _, _ float64) float64 { return float64(d) }
	a.dot = dotBits
	return a
}

// unitEuclidean orders uint8 rows by the distance of their L2-normalised
// values. The key is −s with the canonical s = (a·b) × (1/√(b·b)); negation is
// exact.
func unitEuclidean(k kernel) arithmetic[float64] {
	return arithmetic[float64]{
		scale:    unitScale,
		key:      func(dot int32, _, candidate float64) float64 { return float64(dot) * candidate },
		distance: unitDistance,
		dot:      dotBytes,
		reduce:   k.reduceUnit,
	}
}

// squaredKey may wrap around in intermediate steps; the final sum fits.
func squaredKey(dot, query, candidate int32) int32 { return query + candidate - 2*dot }

func unitScale(norm float64) float64 { return -(1 / math.Sqrt(norm)) }

// unitDistance returns the distance of L2-normalised rows from their key.
func unitDistance(k, queryNorm, candidateNorm float64) float64 {
	// k is the dot product divided by the norm, up to a few units in the last
	// place, and the dot product is an integer below 2³¹.
	return distanceOfUnits(math.Round(-k*math.Sqrt(candidateNorm)), queryNorm, candidateNorm)
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

// searchIntegers searches uint8 or bit rows, for which every key is exact.
func searchIntegers[K key](ctx context.Context, s *search, d products[int32], a arithmetic[K]) error {
	scale := make([]K, padded(s.candidates.len()))
	for j, norm := range s.candidates.norm {
		scale[j] = a.scale(norm)
	}
	rows := make([]rowState[K], s.queries.len())
	for i, norm := range s.queries.norm {
		rows[i].scale = a.scale(norm)
		if t := s.truth[i]; t >= 0 {
			rows[i].truth = a.key(a.dot(s.queries.bytes(i), s.candidates.bytes(int(t))), rows[i].scale, scale[t])
		}
	}
	queries, candidates := d.queries(s.queries), d.candidates(s.candidates)
	stride := tileStride(4 * candidates.perRow)
	dots := make([]int32, blockRows*stride)
	foldTile := func(t tile, c columns[K]) {
		d.fill(dots, t, queries, candidates)
		a.reduce(dots, t, rows, scale, c)
	}
	return run(ctx, s, rows, stride, foldTile, func(k K, i, j int) float64 {
		return a.distance(k, s.queries.norm[i], s.candidates.norm[j])
	})
}
