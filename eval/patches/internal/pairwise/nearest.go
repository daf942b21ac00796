package pairwise

import (
	"context"
	"math"

	"descbench/descriptors"
	"descbench/eval/nearest"
	"descbench/eval/patches"
)

// Nearest returns, for each row of a, its nearest and second nearest row of b,
// the lower row first on ties; -1 where there is none. Invalid rows have no
// nearest ones and are none.
func (m Measure) Nearest(ctx context.Context, a, b *descriptors.Matrix) (first, second []int32, err error) {
	switch {
	case a.Type == descriptors.Bits:
		return search(ctx, a, b)
	case m.distance == patches.L1:
		return m.nearestOfAll(ctx, a, b)
	case nearest.Default() == "portable":
		return m.nearestByProducts(ctx, a, b)
	default:
		return search(ctx, a, b)
	}
}

// search takes the squared distance of numbers, and the Hamming distance.
func search(ctx context.Context, a, b *descriptors.Matrix) (first, second []int32, err error) {
	if hasZeroRow(a) || hasZeroRow(b) {
		a, b = withOne(a), withOne(b)
	}
	none := make([]int32, a.Rows)
	for i := range none {
		none[i] = -1
	}
	r, err := nearest.Search(ctx, a, b, none, nearest.Options{Workers: 1})
	if err != nil {
		return nil, nil, err
	}
	return r.Nearest, r.Second, nil
}

// nearestOfAll computes the key of every pair.
func (m Measure) nearestOfAll(ctx context.Context, a, b *descriptors.Matrix) (first, second []int32, err error) {
	two := newNearestTwo(a.Rows)
	keys := make([]float64, b.Rows)
	for i := range a.Rows {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		m.keys(keys, a, i, b, 0)
		for j, key := range keys {
			two[i].enter(key, int32(j))
		}
	}
	first, second = two.rows()
	return first, second, nil
}

// nearestByProducts computes keys by blocks of dot products, and exactly where
// they might be among the two least. It is several times as fast as the search
// where that has no kernel for the processor, as without cgo.
func (m Measure) nearestByProducts(ctx context.Context, a, b *descriptors.Matrix) (first, second []int32, err error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	two := newNearestTwo(a.Rows)
	pool := NewPool(m, b)
	pool.Scan(a, func(i, start int, keys []float64, slack float64) {
		t := &two[i]
		for k, key := range keys {
			if key-slack >= t.next {
				continue
			}
			if slack > 0 || math.IsNaN(key) {
				key = pool.Key(a, i, start+k)
			}
			t.enter(key, int32(start+k))
		}
	})
	first, second = two.rows()
	return first, second, nil
}

// nearestTwo holds, per query, the two least keys so far. Rows are entered in
// ascending order, so that of equals the lower one stays.
type nearestTwo []leastTwo

type leastTwo struct {
	best, next    float64
	first, second int32
}

func (t *leastTwo) enter(key float64, row int32) {
	switch {
	case key < t.best:
		t.next, t.second = t.best, t.first
		t.best, t.first = key, row
	case key < t.next:
		t.next, t.second = key, row
	}
}

func newNearestTwo(n int) nearestTwo {
	two := make(nearestTwo, n)
	for i := range two {
		two[i] = leastTwo{math.Inf(1), math.Inf(1), -1, -1}
	}
	return two
}

func (two nearestTwo) rows() (first, second []int32) {
	for _, t := range two {
		first, second = append(first, t.first), append(second, t.second)
	}
	return first, second
}

// hasZeroRow reports whether a row of numbers is all zero. The search takes
// such a row for none at all; to the benchmark it is a descriptor.
func hasZeroRow(m *descriptors.Matrix) bool {
	switch m.Type {
	case descriptors.Uint8:
		for i := range m.Rows {
			if allZero(m.Uint8[i*m.Dim : (i+1)*m.Dim]) {
				return true
			}
		}
	case descriptors.Float32:
		for i := range m.Rows {
			if allZero(m.Float32[i*m.Dim : (i+1)*m.Dim]) {
				return true
			}
		}
	}
	return false
}

func allZero[T uint8 | float32](row []T) bool {
	for _, v := range row {
		if v != 0 {
			return false
		}
	}
	return true
}

// withOne returns m with a further value 1 in each row, which leaves all
// differences as they are and no row zero.
func withOne(m *descriptors.Matrix) *descriptors.Matrix {
	w := &descriptors.Matrix{Rows: m.Rows, Dim: m.Dim + 1, Type: m.Type, Invalid: m.Invalid}
	switch m.Type {
	case descriptors.Uint8:
		w.Uint8 = widened(m.Uint8, m.Dim)
	case descriptors.Float32:
		w.Float32 = widened(m.Float32, m.Dim)
	default:
		return m
	}
	return w
}

func widened[T uint8 | float32](values []T, dim int) []T {
	wide := make([]T, 0, len(values)/dim*(dim+1))
	for ; len(values) > 0; values = values[dim:] {
		wide = append(append(wide, values[:dim]...), 1)
	}
	return wide
}
