package nearest_test

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"descbench/descriptors"
	"descbench/eval/nearest"
)

func TestAPoolSeesEveryPairOnceWithinItsSlack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		queries, rows, _ := pairOfMatrices(t)
		queries.UnitNorm, rows.UnitNorm = false, false
		pool, err := nearest.NewPool(rows)
		if err != nil {
			t.Fatal(err)
		}
		next := make([]int, queries.Rows)
		pool.Scan(queries, func(q, first int, d2 []float64, slack float64) {
			if first != next[q] {
				t.Fatalf("query %d: rows from %d, want %d", q, first, next[q])
			}
			next[q] += len(d2)
			for k, got := range d2 {
				want := nearest.SquaredDistance(queries, q, rows, first+k)
				if queries.IsInvalid(q) || rows.IsInvalid(first+k) || math.IsNaN(want) {
					want = math.Inf(1)
				}
				if got != want && !(math.Abs(got-want) <= slack) {
					t.Fatalf("query %d, row %d: d² %v, want %v ± %v", q, first+k, got, want, slack)
				}
			}
			if slack > 0 && queries.Type != descriptors.Float32 {
				t.Fatalf("slack %v for %v, want 0", slack, queries.Type)
			}
		})
		for q, n := range next {
			if n != rows.Rows {
				t.Fatalf("query %d met %d rows of %d", q, n, rows.Rows)
			}
		}
	})
}

func TestAPoolRefusesMalformedRows(t *testing.T) {
	_, err := nearest.NewPool(bytesOf(2, []uint8{1, 2, 3}))
	if want := "pool: want 1×2 elements of type uint8, found 3"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want one with %q", err, want)
	}
}
