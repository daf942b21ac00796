package nearest_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"descbench/descriptors"
	"descbench/eval/must"
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
	scanner := must.Get(nearest.NewScannerWith(rows, kernel))(t)
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
	scanner.Scan(queries, limits, func(q int, near []nearest.Near, slack float64) {
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

func TestAPoolRefusesMalformedRows(t *testing.T) {
	for _, m := range []*descriptors.Matrix{bytesOf(2, []uint8{1, 2, 3}), {Rows: 1, Dim: 2, Type: descriptors.Float32, Float32: []float32{1, 2, 3}}} {
		_, err := nearest.NewScanner(m)
		must.FailAbout(t, err, fmt.Sprintf("rows: want 1×2 elements of type %v, found 3", m.Type))
	}
}
