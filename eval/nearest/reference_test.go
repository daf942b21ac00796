package nearest_test

import (
	"context"
	"fmt"
	"math"
	"sort"

	"pgregory.net/rapid"

	"descbench/descriptors"
	"descbench/eval/must"
	"descbench/eval/nearest"
)

// reference is PROTOCOLS section 2 to the letter, by sorting: per query all
// candidates in order of canonical distance, of which ranks and neighbours are
// read off; and the same per candidate for the mutual check.
func reference(queries, candidates *descriptors.Matrix, truth []int32) *nearest.Result {
	res := &nearest.Result{}
	nq, nc := queries.Rows, candidates.Rows
	nearestQuery := make([]int32, nc)
	for j := range nc {
		nearestQuery[j] = -1
		if candidates.IsInvalid(j) {
			continue
		}
		order := sorted(candidates, j, queries)
		if len(order) > 0 {
			nearestQuery[j] = order[0].row
		}
	}
	for i := range nq {
		less, equal := int32(0), int32(0)
		first, second := int32(-1), int32(-1)
		firstDistance, secondDistance := math.NaN(), math.NaN()
		if !queries.IsInvalid(i) {
			order := sorted(queries, i, candidates)
			if len(order) > 0 {
				first, firstDistance = order[0].row, distance(queries, i, candidates, int(order[0].row))
			}
			if len(order) > 1 {
				second, secondDistance = order[1].row, distance(queries, i, candidates, int(order[1].row))
			}
			if t := truth[i]; t >= 0 && !candidates.IsInvalid(int(t)) {
				at := order[sort.Search(len(order), func(k int) bool { return order[k].key >= farness(queries, i, candidates, int(t)) })].key
				less = int32(sort.Search(len(order), func(k int) bool { return order[k].key >= at }))
				equal = int32(sort.Search(len(order), func(k int) bool { return order[k].key > at })) - less - 1
			}
		}
		if t := truth[i]; t >= 0 && (queries.IsInvalid(i) || candidates.IsInvalid(int(t))) {
			less = int32(nc - 1)
		}
		res.Less, res.Equal = append(res.Less, less), append(res.Equal, equal)
		res.Nearest, res.Second = append(res.Nearest, first), append(res.Second, second)
		res.NearestDistance = append(res.NearestDistance, firstDistance)
		res.SecondDistance = append(res.SecondDistance, secondDistance)
		res.Mutual = append(res.Mutual, first >= 0 && nearestQuery[first] == int32(i))
	}
	return res
}

type entry struct {
	key float64
	row int32
}

// sorted returns the valid rows of others from the nearest to row i of own to
// the farthest, equally near ones by row.
func sorted(own *descriptors.Matrix, i int, others *descriptors.Matrix) []entry {
	var order []entry
	for j := range others.Rows {
		if !others.IsInvalid(j) {
			order = append(order, entry{farness(own, i, others, j), int32(j)})
		}
	}
	sort.Slice(order, func(x, y int) bool {
		if order[x].key != order[y].key {
			return order[x].key < order[y].key
		}
		return order[x].row < order[y].row
	})
	return order
}

// contents reports whether row i is finite, and whether it has zero norm; bits
// have none.
func contents(m *descriptors.Matrix, i int) (finite, zero bool) {
	if m.Type == descriptors.Bits {
		return true, false
	}
	finite, zero = true, true
	for k := range m.Dim {
		v := 0.0
		if m.Type == descriptors.Uint8 {
			v = float64(m.Uint8[i*m.Dim+k])
		} else {
			v = float64(m.Float32[i*m.Dim+k])
		}
		finite = finite && !math.IsNaN(v) && !math.IsInf(v, 0)
		zero = zero && v == 0
	}
	return finite, zero
}

// farness is the canonical order of row j of others as row i of own sees it.
func farness(own *descriptors.Matrix, i int, others *descriptors.Matrix, j int) float64 {
	switch {
	case own.Type == descriptors.Uint8 && own.UnitNorm:
		return -(float64(dot(own, i, others, j)) * (1 / math.Sqrt(float64(dot(others, j, others, j)))))
	case own.Type == descriptors.Uint8:
		return float64(dot(own, i, own, i) + dot(others, j, others, j) - 2*dot(own, i, others, j))
	case own.Type == descriptors.Bits:
		differ := 0
		for k := range own.Stride() {
			for x := own.Uint8[i*own.Stride()+k] ^ others.Uint8[j*own.Stride()+k]; x != 0; x >>= 1 {
				differ += int(x & 1)
			}
		}
		return float64(differ)
	}
	sum := 0.0
	for k := range own.Dim {
		d := float64(own.Float32[i*own.Dim+k]) - float64(others.Float32[j*own.Dim+k])
		square := d * d
		sum += float64(square)
	}
	return sum
}

func dot(a *descriptors.Matrix, i int, b *descriptors.Matrix, j int) int64 {
	sum := int64(0)
	for k := range a.Dim {
		sum += int64(a.Uint8[i*a.Dim+k]) * int64(b.Uint8[j*b.Dim+k])
	}
	return sum
}

func distance(a *descriptors.Matrix, i int, b *descriptors.Matrix, j int) float64 {
	switch {
	case a.UnitNorm:
		cos := float64(dot(a, i, b, j)) / math.Sqrt(float64(dot(a, i, a, i))*float64(dot(b, j, b, j)))
		return math.Sqrt(max(0, 2-2*cos))
	case a.Type == descriptors.Bits:
		return farness(a, i, b, j)
	}
	return math.Sqrt(farness(a, i, b, j))
}

// compare reports the first difference between a result and the reference.
// Distances must be equal but for those of normalised rows, where 2 − 2cos
// leaves no more digits than the tolerance here.
func compare(got, want *nearest.Result, unitNorm bool) error {
	if len(got.Less) != len(want.Less) || len(got.Mutual) != len(want.Mutual) {
		return fmt.Errorf("%d queries, want %d", len(got.Less), len(want.Less))
	}
	for i := range want.Less {
		switch {
		case got.Less[i] != want.Less[i] || got.Equal[i] != want.Equal[i]:
			return fmt.Errorf("query %d: less %d, equal %d, want %d, %d", i, got.Less[i], got.Equal[i], want.Less[i], want.Equal[i])
		case got.Nearest[i] != want.Nearest[i] || got.Second[i] != want.Second[i]:
			return fmt.Errorf("query %d: nearest %d, second %d, want %d, %d", i, got.Nearest[i], got.Second[i], want.Nearest[i], want.Second[i])
		case got.Mutual[i] != want.Mutual[i]:
			return fmt.Errorf("query %d: mutual %t, want %t", i, got.Mutual[i], want.Mutual[i])
		case !same(got.NearestDistance[i], want.NearestDistance[i], unitNorm):
			return fmt.Errorf("query %d: distance of the nearest %v, want %v", i, got.NearestDistance[i], want.NearestDistance[i])
		case !same(got.SecondDistance[i], want.SecondDistance[i], unitNorm):
			return fmt.Errorf("query %d: distance of the second %v, want %v", i, got.SecondDistance[i], want.SecondDistance[i])
		}
	}
	return nil
}

func same(got, want float64, unitNorm bool) bool {
	if math.IsNaN(want) || !unitNorm {
		return math.Float64bits(got) == math.Float64bits(want) || math.IsNaN(got) && math.IsNaN(want)
	}
	return math.Abs(got*got-want*want) <= 1e-14
}

// everyKernel runs one search with every kernel and holds all to one another,
// distances to the last bit. It returns the common result.
func everyKernel(t rapid.TB, queries, candidates *descriptors.Matrix, truth []int32) *nearest.Result {
	var first *nearest.Result
	for _, kernel := range nearest.Kernels() {
		got := must.Get(nearest.SearchWith(context.Background(), queries, candidates, truth, kernel))(t)
		if first == nil {
			first = got
		}
		if err := compare(got, first, false); err != nil {
			t.Fatalf("kernel %s, against kernel %s: %v", kernel, nearest.Kernels()[0], err)
		}
	}
	return first
}
