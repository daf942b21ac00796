package nearest_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"descbench/descriptors"
	"descbench/eval/nearest"
)

func TestAPoolSeesEveryPairWithinTheLimitsOnce(t *testing.T) {
	for _, kernel := range nearest.Kernels() {
		t.Run(kernel, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { checkPool(t, kernel) })
		})
	}
}

func checkPool(t *rapid.T, kernel string) {
	queries, rows, _ := pairOfMatrices(t)
	queries.UnitNorm, rows.UnitNorm = false, false
	newPool := nearest.NewPoolWith
	if rapid.Bool().Draw(t, "coarse") {
		newPool = nearest.NewCoarsePoolWith
	}
	pool, err := newPool(rows, kernel)
	if errors.Is(err, nearest.ErrTooCoarse) {
		pool, err = nearest.NewPoolWith(rows, kernel)
	}
	if err != nil {
		t.Fatal(err)
	}
	canonical := func(q, row int) float64 {
		d2 := nearest.SquaredDistance(queries, q, rows, row)
		if queries.IsInvalid(q) || rows.IsInvalid(row) || math.IsNaN(d2) {
			return math.Inf(1)
		}
		return d2
	}
	limits := make([]float64, queries.Rows)
	for q := range limits {
		limits[q] = rapid.SampledFrom([]float64{math.Inf(-1), 0, 1, math.Inf(1)}).Draw(t, "limit")
		if rows.Rows > 0 && rapid.Bool().Draw(t, "limit at a row") {
			limits[q] = canonical(q, rapid.IntRange(0, rows.Rows-1).Draw(t, "row"))
		}
	}
	seen := map[[2]int]bool{}
	last := make([]int, queries.Rows)
	pool.Scan(queries, limits, func(q int, near []nearest.Near, slack float64) {
		for _, n := range near {
			if n.Row < last[q] || seen[[2]int{q, n.Row}] {
				t.Fatalf("query %d: row %d after row %d", q, n.Row, last[q])
			}
			last[q], seen[[2]int{q, n.Row}] = n.Row, true
			if want := canonical(q, n.Row); n.D2 != want && !(math.Abs(n.D2-want) <= slack) && !math.IsInf(slack, 1) {
				t.Fatalf("query %d, row %d: d² %v, want %v ± %v", q, n.Row, n.D2, want, slack)
			}
			if n.D2 > limits[q]+slack {
				t.Fatalf("query %d, row %d: d² %v is beyond the limit %v + %v", q, n.Row, n.D2, limits[q], slack)
			}
		}
		if slack > 0 && queries.Type != descriptors.Float32 {
			t.Fatalf("slack %v for %v, want 0", slack, queries.Type)
		}
	})
	for q, limit := range limits {
		for row := range rows.Rows {
			if d2 := canonical(q, row); d2 <= limit && !seen[[2]int{q, row}] {
				t.Fatalf("query %d: row %d at d² %v is within the limit %v, but was not seen", q, row, d2, limit)
			}
		}
	}
}

// Rows of 32 normal numbers may be 32 half steps, 8/255, from their bytes, and are 8
// from each other. An element of 300, in every row or in one, leaves one or two bytes to
// the others, although that row is far from all.
func TestACoarsePoolNeedsRowsForWhichBytesAreFine(t *testing.T) {
	for name, c := range map[string]struct {
		large []int // rows with a large element
		want  error
	}{"normal": {nil, nil}, "one large row": {[]int{7}, nearest.ErrTooCoarse}, "a large column": {rowsUpTo(100), nearest.ErrTooCoarse}} {
		r := generator(9)
		m := descriptors.New(100, 32, descriptors.Float32)
		for k := range m.Float32 {
			m.Float32[k] = float32(r.NormFloat64())
		}
		for _, row := range c.large {
			m.Float32[row*m.Dim] += 300
		}
		pool, err := nearest.NewCoarsePool(m)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", name, err, c.want)
		}
		if err != nil {
			continue
		}
		limits, seen := make([]float64, m.Rows), 0
		for i := range limits {
			limits[i] = 1
		}
		pool.Scan(m, limits, func(_ int, near []nearest.Near, slack float64) {
			seen += len(near)
			if slack < 0.1 || slack > 2 { // floats have less than 0.001
				t.Errorf("%s: slack %v, want that of bytes", name, slack)
			}
		})
		if seen < m.Rows || seen > 2*m.Rows {
			t.Errorf("%s: saw %d pairs, want little more than %d", name, seen, m.Rows)
		}
	}
}

func rowsUpTo(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

func TestAPoolRefusesMalformedRows(t *testing.T) {
	for name, newPool := range map[string]func(*descriptors.Matrix) (*nearest.Pool, error){"exact": nearest.NewPool, "coarse": nearest.NewCoarsePool} {
		for _, m := range []*descriptors.Matrix{bytesOf(2, []uint8{1, 2, 3}), {Rows: 1, Dim: 2, Type: descriptors.Float32, Float32: []float32{1, 2, 3}}} {
			_, err := newPool(m)
			if want := fmt.Sprintf("pool: want 1×2 elements of type %v, found 3", m.Type); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %v, want one with %q", name, err, want)
			}
		}
	}
}
