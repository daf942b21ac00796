package nearest

import (
	"context"
	"math"
)

// squaredDistance returns the canonical d² of two float32 rows: the sum of
// (a_i − b_i)² in float64, index ascending. The conversion of each square
// forbids a fused multiply-add, which some processors would give.
func squaredDistance(a, b []float32) float64 {
	sum := 0.0
	b = b[:len(a)]
	for i, x := range a {
		d := float64(x) - float64(b[i])
		sum += float64(d * d)
	}
	return sum
}

// squaredDistances4 returns squaredDistance of a and each of four rows. One
// sum is a chain of dependent additions; four of them overlap.
func squaredDistances4(a, b0, b1, b2, b3 []float32) [4]float64 {
	b0, b1, b2, b3 = b0[:len(a)], b1[:len(a)], b2[:len(a)], b3[:len(a)]
	var s0, s1, s2, s3 float64
	for i, v := range a {
		x := float64(v)
		d0, d1, d2, d3 := x-float64(b0[i]), x-float64(b1[i]), x-float64(b2[i]), x-float64(b3[i])
		s0 += float64(d0 * d0)
		s1 += float64(d1 * d1)
		s2 += float64(d2 * d2)
		s3 += float64(d3 * d3)
	}
	return [4]float64{s0, s1, s2, s3}
}

// distancesTo returns the canonical d² of query i and each of one to four
// candidates.
func (s *search) distancesTo(i int, candidates []int32) [4]float64 {
	last := len(candidates) - 1
	row := func(k int) []float32 { return s.candidates.floats(int(candidates[min(k, last)])) }
	return squaredDistances4(s.queries.floats(i), row(0), row(1), row(2), row(3))
}

// canonicalRows returns the state of every query of a float32 search.
func canonicalRows(s *search) []rowState[float64] {
	rows := make([]rowState[float64], s.queries.len())
	for i, t := range s.truth {
		if t >= 0 {
			rows[i].truth = squaredDistance(s.queries.floats(i), s.candidates.floats(int(t)))
		}
	}
	return rows
}

func rootDistance(d2 float64, _, _ int) float64 { return math.Sqrt(d2) }

// searchCanonical searches float32 rows by the canonical distance of every
// pair: what the portable kernel does.
func searchCanonical(ctx context.Context, s *search) error {
	rows := canonicalRows(s)
	newFold := func() fold[float64] {
		return func(t tile, c columns[float64]) {
			for i := t.row0; i < t.row0+t.rows; i++ {
				for j := t.col0; j < t.col0+t.cols; j += 4 {
					j := int32(j)
					four := [4]int32{j, j + 1, j + 2, j + 3}
					candidates := four[:min(4, t.col0+t.cols-int(j))]
					d2 := s.distancesTo(i, candidates)
					for k, candidate := range candidates {
						rows[i].rank(d2[k])
						rows[i].enter(d2[k], candidate)
						c.enter(d2[k], int(candidate), int32(i))
					}
				}
			}
		}
	}
	return run(ctx, s, rows, tileStride(4*s.candidates.m.Dim), newFold, rootDistance)
}
