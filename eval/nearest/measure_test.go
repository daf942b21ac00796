package nearest_test

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"descbench/descriptors"
	"descbench/eval/must"
	"descbench/eval/nearest"
)

func measureWith(t testing.TB, queries, candidates *descriptors.Matrix, kernel string) *nearest.Measure {
	return must.Get(nearest.NewMeasureWith(queries, candidates, kernel))(t)
}

// checkMeasure holds everything that a measure says of every pair to the
// canonical distance by its definition, and to a search.
func checkMeasure(queries, candidates *descriptors.Matrix, truth []int32, m *nearest.Measure, found *nearest.Result) error {
	n := candidates.Rows
	distances, keys, all := make([]float64, n), make([]float64, n), make([]int32, n)
	for j := range all {
		all[j] = int32(j)
	}
	for q := range queries.Rows {
		if m.ValidQuery(q) == queries.IsInvalid(q) {
			return fmt.Errorf("query %d: valid %t, want the opposite", q, m.ValidQuery(q))
		}
		m.Distances(q, 0, distances)
		m.Order(q, all, keys)
		for j, d := range distances {
			if m.ValidCandidate(j) == candidates.IsInvalid(j) {
				return fmt.Errorf("candidate %d: valid %t, want the opposite", j, m.ValidCandidate(j))
			}
			want, wantKey := math.NaN(), math.Inf(1)
			if !queries.IsInvalid(q) && !candidates.IsInvalid(j) {
				want, wantKey = distance(queries, q, candidates, j), farness(queries, q, candidates, j)
			}
			if !same(d, want, queries.UnitNorm) || keys[j] != wantKey {
				return fmt.Errorf("query %d, candidate %d: distance %v and key %v, want %v and %v", q, j, d, keys[j], want, wantKey)
			}
		}
		if best := found.Nearest[q]; best >= 0 && !same(distances[best], found.NearestDistance[q], false) {
			return fmt.Errorf("query %d: distance %v, of the search %v", q, distances[best], found.NearestDistance[q])
		}
		// A search does not let rounding undo the order of its two.
		if second := found.Second[q]; second >= 0 && !same(max(distances[second], found.NearestDistance[q]), found.SecondDistance[q], false) {
			return fmt.Errorf("query %d: second distance %v, of the search %v", q, distances[second], found.SecondDistance[q])
		}
		if t := truth[q]; t >= 0 && !queries.IsInvalid(q) && !candidates.IsInvalid(int(t)) {
			less, equal := int32(0), int32(-1) // -1: the truth itself
			for _, key := range keys {
				if key < keys[t] {
					less++
				} else if key == keys[t] {
					equal++
				}
			}
			if less != found.Less[q] || equal != found.Equal[q] {
				return fmt.Errorf("query %d: less %d, equal %d by keys, %d, %d by the search", q, less, equal, found.Less[q], found.Equal[q])
			}
		}
	}
	return nil
}

func TestEveryBlockAndListGivesTheSameDistances(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		queries, candidates, _ := pairOfMatrices(t)
		if queries.Rows == 0 || candidates.Rows == 0 {
			return
		}
		q := rapid.IntRange(0, queries.Rows-1).Draw(t, "query")
		first := rapid.IntRange(0, candidates.Rows-1).Draw(t, "first")
		n := rapid.IntRange(0, candidates.Rows-first).Draw(t, "n")
		list := rapid.SliceOfN(rapid.Int32Range(0, int32(candidates.Rows)-1), 0, 40).Draw(t, "list")
		want := make([]float64, candidates.Rows)
		for k, kernel := range nearest.Kernels() {
			m := must.Get(nearest.NewMeasureWith(queries, candidates, kernel))(t)
			if k == 0 {
				m.Distances(q, 0, want)
			}
			const untouched = -7
			block := slices.Repeat([]float64{untouched}, n+1)
			m.Distances(q, first, block[:n])
			for i, d := range block[:n] {
				if !same(d, want[first+i], false) {
					t.Fatalf("kernel %s: candidate %d of a block from %d is at %v, want %v", kernel, first+i, first, d, want[first+i])
				}
			}
			listed := slices.Repeat([]float64{untouched}, len(list)+1)
			m.To(q, list, listed)
			for i, j := range list {
				if !same(listed[i], want[j], false) {
					t.Fatalf("kernel %s: candidate %d of a list is at %v, want %v", kernel, j, listed[i], want[j])
				}
			}
			if block[n] != untouched || listed[len(list)] != untouched {
				t.Fatalf("kernel %s: wrote behind the end of dst", kernel)
			}
		}
	})
}

// Distances of normalised rows have no more error than a few roundings: between rows that are nearly
// parallel, where 2 − 2cos cancels, and between long bright rows, the products of whose norms need more
// than the 53 bits of a float64.
func TestUnitNormDistancesAreAccurate(t *testing.T) {
	r := generator(3)
	var parallel, long [][]uint8
	for range 40 {
		row := make([]uint8, 64)
		for k := range row {
			row[k] = uint8(200 + r.IntN(3))
		}
		parallel = append(parallel, row)
	}
	parallel = append(parallel, slices.Repeat([]uint8{70}, 64), slices.Repeat([]uint8{210}, 64)) // multiples
	for k := range 5 {
		row := slices.Repeat([]uint8{255}, 33025)
		for i := range k {
			row[i*1000] = uint8(254 - i)
		}
		long = append(long, row)
	}
	for _, rows := range [][][]uint8{parallel, long} {
		m := bytesOf(len(rows[0]), rows...)
		m.UnitNorm = true
		distances := make([]float64, len(rows))
		for _, kernel := range nearest.Kernels() {
			measure := measureWith(t, m, m, kernel)
			for i := range rows {
				measure.Distances(i, 0, distances)
				for j, got := range distances {
					want := preciseUnitDistance(dot(m, i, m, i), dot(m, j, m, j), dot(m, i, m, j))
					if math.Abs(got-want) > 1e-15*want {
						t.Errorf("kernel %s: rows %d and %d: distance %v, want %v", kernel, i, j, got, want)
					}
				}
			}
		}
		must.Do(t, checkKernels(t, m, m, make([]int32, len(rows)))) // a search says the same
	}
}

// By hand: query (3, 4), candidates at 5 and 10 from it, and normalised ones at
// √(2 − 2·24/25) and 0.
func TestDistancesOfSmallRowsAreThoseOnPaper(t *testing.T) {
	root := func(x *big.Rat) float64 {
		f, _ := x.Float64()
		return math.Sqrt(f)
	}
	for _, c := range []struct {
		queries, candidates *descriptors.Matrix
		unit                bool
		want                []float64
	}{
		{bytesOf(2, []uint8{3, 4}), bytesOf(2, []uint8{6, 8}, []uint8{0, 0}, []uint8{9, 12}), false, []float64{5, math.NaN(), 10}},
		{floatsOf(2, []float32{3, 4}), floatsOf(2, []float32{-3, -4}, []float32{0, 0}, []float32{0, 8}), false, []float64{10, math.NaN(), 5}},
		{bytesOf(2, []uint8{3, 4}), bytesOf(2, []uint8{4, 3}, []uint8{0, 0}, []uint8{6, 8}), true, []float64{root(big.NewRat(2, 25)), math.NaN(), 0}},
		{
			&descriptors.Matrix{Rows: 1, Dim: 16, Type: descriptors.Bits, Uint8: []uint8{0b1011, 1}},
			&descriptors.Matrix{Rows: 3, Dim: 16, Type: descriptors.Bits, Uint8: []uint8{0b0010, 1, 0, 0, 0b1011, 1}},
			false, []float64{2, 4, 0},
		},
	} {
		c.queries.UnitNorm, c.candidates.UnitNorm = c.unit, c.unit
		c.candidates.MarkEmpty()
		for _, kernel := range nearest.Kernels() {
			m := measureWith(t, c.queries, c.candidates, kernel)
			got := make([]float64, len(c.want))
			m.Distances(0, 0, got)
			for j := range c.want {
				if !same(got[j], c.want[j], c.unit) {
					t.Errorf("kernel %s, %v, unit norm %t: distances %v, want %v", kernel, c.queries.Type, c.unit, got, c.want)
					break
				}
			}
		}
	}
}

func TestBestIsTheNearestThatASearchFinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		queries, candidates, _ := pairOfMatrices(t)
		if queries.Rows == 0 || candidates.Rows == 0 {
			return
		}
		group := rapid.SliceOfNDistinct(rapid.Int32Range(0, int32(candidates.Rows)-1), 1, 9, rapid.ID[int32]).Draw(t, "group")
		// A search among the group alone, its other candidates marked invalid.
		among := *candidates
		among.CopyMarks(candidates)
		for j := range among.Rows {
			if !slices.Contains(group, int32(j)) {
				among.Mark(j)
			}
		}
		found := must.Get(nearest.Search(t.Context(), queries, &among, nil))(t)
		m := must.Get(nearest.NewMeasure(queries, candidates))(t)
		slices.Sort(group)
		valid := slices.DeleteFunc(slices.Clone(group), func(c int32) bool { return candidates.IsInvalid(int(c)) })
		for q := range queries.Rows {
			want := found.Nearest[q]
			switch {
			case want >= 0:
			case len(valid) > 0:
				want = valid[0]
			default:
				want = group[0]
			}
			if got := nearest.Best(m, q, group); got != want {
				t.Fatalf("query %d: best of %v is %d, want %d", q, group, got, want)
			}
		}
	})
}

func TestMeasureServesSeveralGoroutinesWithoutAllocating(t *testing.T) {
	for _, kind := range []descriptors.Matrix{
		{Type: descriptors.Uint8, Dim: 40}, {Type: descriptors.Uint8, Dim: 40, UnitNorm: true},
		{Type: descriptors.Float32, Dim: 40}, {Type: descriptors.Bits, Dim: 64},
	} {
		queries, candidates, _ := benchmarkRows(kind, 300)
		candidates.Mark(7)
		for _, kernel := range nearest.Kernels() {
			m := measureWith(t, queries, candidates, kernel)
			list := []int32{3, 299, 7, 3, 0}
			pass := func(q int, dst []float64) {
				m.Distances(q, 0, dst)
				m.To(q, list, dst[:5])
				m.Order(q, list, dst[5:10])
				dst[10] = float64(nearest.Best(m, q, list))
			}
			var group sync.WaitGroup
			results := make([][]float64, 4)
			for g := range results {
				results[g] = make([]float64, 300)
				group.Go(func() { pass(5, results[g]) })
			}
			group.Wait()
			for g := range results {
				if !slices.EqualFunc(results[g], results[0], func(a, b float64) bool { return same(a, b, false) }) {
					t.Errorf("kernel %s, %v: goroutines %d and 0 differ", kernel, kind.Type, g)
				}
			}
			if n := testing.AllocsPerRun(20, func() { pass(1, results[0]) }); n > 1 { // the keys of Best
				t.Errorf("kernel %s, %v: %v allocations per call, want one", kernel, kind.Type, n)
			}
		}
	}
}

func TestRowsThatDoNotExistPanicBeforeAnyKernelReadsThem(t *testing.T) {
	for _, m := range []*descriptors.Matrix{bytesOf(2, []uint8{1, 2}, []uint8{3, 4}), floatsOf(2, []float32{1, 2}, []float32{3, 4})} {
		for _, kernel := range nearest.Kernels() {
			measure := measureWith(t, m, m, kernel)
			for name, call := range map[string]func(){
				"list":      func() { measure.To(0, []int32{0, 2}, make([]float64, 2)) },
				"negative":  func() { measure.Order(0, []int32{-1}, make([]float64, 1)) },
				"far":       func() { measure.Order(0, []int32{math.MaxInt32}, make([]float64, 1)) },
				"query":     func() { measure.Order(2, []int32{0}, make([]float64, 1)) },
				"block":     func() { measure.Distances(0, 1, make([]float64, 2)) },
				"short dst": func() { measure.Order(0, []int32{0, 1}, make([]float64, 1)) },
			} {
				must.Panic(t, fmt.Sprintf("kernel %s, %v, %s", kernel, m.Type, name), call)
			}
		}
	}
}
