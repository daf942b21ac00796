package nearest

import (
	"context"
	"math"
	"slices"
)

// The float32 kernels compute p ≈ a·b, the sum of n products in float32, with or
// without fused multiply-adds. The canonical D of a and b then equals
// |a|² + |b|² − 2p up to a bounded error. Only pairs that the bound leaves open
// are decided by D itself.
//
// The bound. Let A = |a|², B = |b|² for the exact norms, u = 2⁻²⁴,
// v = 2⁻⁵³, γ_k = ku/(1 − ku).
//
//   - p: |p − a·b| ≤ γ_n Σ|a_i b_i| + e, in any order of summation (Higham,
//     Accuracy and Stability of Numerical Algorithms, 2nd ed., section 3.1;
//     a fused step rounds once, and otherwise the first product does).
//     Σ|a_i b_i| ≤ √(AB) ≤ (A + B)/2, hence |2p − 2a·b| ≤ γ_n (A + B) + 2e.
//     e covers underflow, where a step may be wrong by 2⁻¹⁵⁰:
//     2e ≤ 1.01·n·2⁻¹⁴⁹.
//   - D: one rounding per difference, one per square, n−1 additions, so
//     |D − d²| ≤ γ'_{n+2} d² with γ' of v, and d² ≤ 2(A + B). The norms are
//     sums of squares in float64: relative error γ'_n. Together this is less
//     than u(A + B) while n < 2²⁷.
//   - x = fl(B' − 2p), where 2p is exact and B' is one of the two values of B below:
//     |x| ≤ 2.1(A + B), so the rounding error is less than 3u(A + B), or 2⁻¹⁵⁰.
//   - Thresholds of the form fl(x + slack) round by less than 3u(A + B),
//     with A and B as for x.
//
// The total is less than c(A + B) + 2t with
//
//	c = 1.01 (n + 16) u,  t = (n + 16) 2⁻¹⁴⁸,  if (n + 16) u ≤ 0.0099,
//
// and is divided between a and b: with lo = (1 − c)|·|² − t and
// hi = (1 + c)|·|² + t, rounded outwards to float32,
//
//	fl(lo_b − 2p) + lo_a ≤ D ≤ fl(hi_b − 2p) + hi_a,
//
// and the same with a and b exchanged, from the candidate's point of view.
// Norms above 2¹²⁰, where sums could overflow, and dimensions too large for c
// get lo = −∞ and hi = +∞. Some comparison in the kernel then involves an
// infinity or NaN, which counts as open.

// floatBounds returns lo and hi of a row of n elements with the given squared
// norm.
func floatBounds(norm float64, n int) (lo, hi float32) {
	e := floatError(norm, n)
	return roundDown(norm - e), roundUp(norm + e)
}

// floatError returns that row's part of the error: c|·|² + t.
func floatError(norm float64, n int) float64 {
	steps := float64(n) + 16
	if norm > 0x1p120 || steps > 0.0099*0x1p24 {
		return math.Inf(1)
	}
	return 1.01*steps*0x1p-24*norm + steps*0x1p-148
}

// roundDown returns a float32 at least half a unit in its last place below x,
// which covers the rounding of x itself in float64.
func roundDown(x float64) float32 {
	return math.Nextafter32(float32(x), float32(math.Inf(-1)))
}

// roundUp is the counterpart of roundDown above x.
func roundUp(x float64) float32 {
	return math.Nextafter32(float32(x), float32(math.Inf(1)))
}

// boundedRow is the kernels' state of one query. The C kernels share its layout
// (nn_row_bounded).
type boundedRow struct {
	lo, hi           float32
	truthLo, truthHi float32 // a candidate's hi − 2p below truthLo is nearer than the truth, its lo − 2p above truthHi is not
	slack            float32 // at least hi − lo
	first, second    float32 // the two smallest hi − 2p so far
	less             int32   // candidates that the bounds prove nearer than the truth
}

// limit returns a number above every lo − 2p of the candidates that can still be one
// of the two nearest.
func (b *boundedRow) limit() float32 { return b.second + b.slack }

// boundedColumns holds the candidates' bounds and the smallest hi − 2p of the queries
// that each candidate has seen. All slices are padded like columns.
type boundedColumns struct {
	lo, hi, slack []float32
	best          []float32
}

// An event is a pair, counted from the tile's corner, that the bounds leave
// open in the ways given by kinds (nn_event).
type event struct{ row, col, kinds uint16 }

const (
	rankEvent   = 1 << iota // nearer than the truth, as near, or farther
	rowEvent                // may be one of the query's two nearest
	columnEvent             // the query may be the candidate's nearest
)

// A boundedFunc decides everything that the bounds can decide in a tile of dot
// products. It returns the open pairs, row by row, in memory with room for the
// whole tile.
type boundedFunc func(dots []float32, t tile, rows []boundedRow, c boundedColumns, memory []event) []event

// searchBounded searches float32 rows.
func searchBounded(ctx context.Context, s *search) error {
	n, dim := s.candidates.len(), s.candidates.m.Dim
	c := boundedColumns{
		lo: make([]float32, padded(n)), hi: make([]float32, padded(n)), slack: make([]float32, padded(n)),
		best: slices.Repeat([]float32{float32(math.Inf(1))}, padded(n)),
	}
	for j, norm := range s.candidates.norm {
		c.lo[j], c.hi[j] = floatBounds(norm, dim)
		c.slack[j] = roundUp(float64(c.hi[j]) - float64(c.lo[j]))
	}
	rows := make([]rowState, s.queries.len())
	for i, t := range s.truth {
		if t >= 0 {
			rows[i].truth = squaredDistance(s.queries.floats(i), s.candidates.floats(int(t)))
		}
	}
	queries, candidates := s.kernel.float.queries(s.queries), s.kernel.float.candidates(s.candidates)
	stride := tileStride(4 * dim)
	d := &decider{search: s, rows: rows, bounded: boundedRows(s, rows), columns: c, dots: make([]float32, blockRows*stride)}
	events := make([]event, blockRows*stride)
	foldTile := func(t tile, c columns) {
		s.kernel.float.fill(d.dots, t, queries, candidates)
		d.decide(t, s.kernel.reduceBounded(d.dots, t, d.bounded, d.columns, events), c)
	}
	return run(ctx, s, rows, stride, foldTile, func(d2 float64, _, _ int) float64 { return math.Sqrt(d2) })
}

func boundedRows(s *search, rows []rowState) []boundedRow {
	inf := float32(math.Inf(1))
	bounded := make([]boundedRow, len(rows))
	for i, norm := range s.queries.norm {
		b := &bounded[i]
		b.lo, b.hi = floatBounds(norm, s.queries.m.Dim)
		b.slack = roundUp(float64(b.hi) - float64(b.lo))
		b.first, b.second = inf, inf
		b.truthLo, b.truthHi = -inf, -inf
		if s.truth[i] >= 0 {
			b.truthLo = roundDown(rows[i].truth - float64(b.hi))
			b.truthHi = roundUp(rows[i].truth - float64(b.lo))
		}
	}
	return bounded
}

// A decider decides the pairs that the bounds leave open. They wait
// until their queries have seen all candidates, which closes most of them.
type decider struct {
	*search
	rows    []rowState
	bounded []boundedRow
	columns boundedColumns
	dots    []float32 // of the current tile
	waiting [blockRows][]openPair

	// Candidates of one query that are being decided.
	lists [maxWaiting]int32
	d2    [maxWaiting]float64
}

// maxWaiting is the number of pairs of a query that may wait.
const maxWaiting = 64

// An openPair is a candidate of a query with its dot product.
type openPair struct {
	candidate int32
	kinds     uint16
	dot       float32
}

func (d *decider) decide(t tile, events []event, c columns) {
	for _, e := range events {
		i, j := t.row0+int(e.row), t.col0+int(e.col)
		open := openPair{int32(j), e.kinds, d.dots[int(e.row)*t.stride+int(e.col)]}
		if !d.stillOpen(i, &open) {
			continue
		}
		d.waiting[e.row] = append(d.waiting[e.row], open)
		if len(d.waiting[e.row]) == maxWaiting {
			d.settle(i, &d.waiting[e.row], c)
		}
	}
	last := t.col0+t.cols == d.candidates.len()
	for r := range t.rows {
		i := t.row0 + r
		if last {
			d.settle(i, &d.waiting[r], c)
		}
		d.rows[i].less += d.bounded[i].less
		d.bounded[i].less = 0
	}
}

// stillOpen removes the kinds that are no longer open, because the best of a row or
// column has decreased since the event, and reports whether any are left.
func (d *decider) stillOpen(i int, p *openPair) bool {
	b, c, j := &d.bounded[i], &d.columns, p.candidate
	if c.lo[j]-2*p.dot > b.limit() {
		p.kinds &^= rowEvent
	}
	if b.lo-2*p.dot > c.best[j]+c.slack[j] {
		p.kinds &^= columnEvent
	}
	return p.kinds != 0
}

// settle decides the pairs of query i that are still open by canonical distance.
func (d *decider) settle(i int, waiting *[]openPair, c columns) {
	open := (*waiting)[:0]
	for _, p := range *waiting {
		if d.stillOpen(i, &p) {
			d.lists[len(open)] = d.candidates.index[p.candidate]
			open = append(open, p)
		}
	}
	*waiting = open[:0]
	if len(open) == 0 {
		return
	}
	d2 := d.d2[:len(open)]
	d.kernel.listFloat(d2, d.queries.floats(i), d.candidates.m.Float32, d.lists[:len(open)])
	r := &d.rows[i]
	for k, p := range open {
		if p.kinds&rankEvent != 0 {
			r.rank(d2[k])
		}
		if p.kinds&rowEvent != 0 {
			r.enter(d2[k], p.candidate)
		}
		if p.kinds&columnEvent != 0 {
			c.enter(d2[k], int(p.candidate), int32(i))
		}
	}
}
