package nearest

import "math"

// portableKernel is plain Go. It compares rows where they are, without packing.
func portableKernel() kernel {
	return kernel{
		name:          "portable",
		uint8:         products[int32]{asStored, asStored, fillWith(dotBytes)},
		bits:          products[int32]{asStored, asStored, fillWith(dotBits)},
		float:         products[float32]{asStored, asStored, fillFloat},
		reduce:        reduce,
		reduceBounded: reduceBounded,
		withinInt:     within[int32],
		withinFloat:   within[float32],
		rowFloat:      rowFloat,
		listUint8:     listWith(dotBytes),
		listBits:      listWith(dotBits),
		listFloat:     listFloat,
	}
}

func asStored(v *validRows) packed { return packed{rows: v, perRow: v.m.Stride()} }

// fillFloat computes eight sums at a time, because an addition waits for the previous one of its
// sum.
func fillFloat(out []float32, t tile, queries, candidates packed) {
	n := queries.perRow
	for i := range t.rows {
		a, dots := queries.rows.floats(t.row0+i), out[i*t.stride:][:t.cols]
		for j := 0; j < t.cols; j += 8 {
			row := func(k int) []float32 { return candidates.rows.floats(t.col0 + min(j+k, t.cols-1))[:n] }
			b0, b1, b2, b3, b4, b5, b6, b7 := row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7)
			var s0, s1, s2, s3, s4, s5, s6, s7 float32 // an array would be kept in memory
			for i, x := range a {
				s0 += x * b0[i]
				s1 += x * b1[i]
				s2 += x * b2[i]
				s3 += x * b3[i]
				s4 += x * b4[i]
				s5 += x * b5[i]
				s6 += x * b6[i]
				s7 += x * b7[i]
			}
			copy(dots[j:], []float32{s0, s1, s2, s3, s4, s5, s6, s7})
		}
	}
}

func fillWith(dot func(a, b []uint8) int32) func(out []int32, t tile, queries, candidates packed) {
	return func(out []int32, t tile, queries, candidates packed) {
		for i := range t.rows {
			row := queries.rows.bytes(t.row0 + i)
			for j := range t.cols {
				out[i*t.stride+j] = dot(row, candidates.rows.bytes(t.col0+j))
			}
		}
	}
}

// The reduce functions count without branches, which would be mispredicted: the
// truth can be anywhere among the candidates.

func reduce(dots []int32, t tile, rows []rowState, candidates terms, c columns) {
	factor, base, best := candidates.factor[t.col0:][:t.cols], candidates.base[t.col0:][:t.cols], c.best[t.col0:][:t.cols]
	for i := range t.rows {
		r := &rows[t.row0+i]
		truth, second := r.truth, r.second
		less, equal := 0, 0
		for j, dot := range dots[i*t.stride:][:t.cols] {
			key, back := float64(dot)*factor[j]+base[j], float64(dot)*r.factor+r.base
			if key < truth {
				less++
			}
			if key == truth {
				equal++
			}
			if key < second {
				r.enter(key, int32(t.col0+j))
				second = r.second
			}
			if back < best[j] {
				c.enter(back, t.col0+j, int32(t.row0+i))
			}
		}
		r.less, r.equal = r.less+int32(less), r.equal+int32(equal)
	}
}

// reduceBounded negates the comparisons in which NaN must count as open.
func reduceBounded(dots []float32, t tile, rows []boundedRow, c boundedColumns, memory []event) []event {
	events := memory[:0]
	lo, hi := c.lo[t.col0:][:t.cols], c.hi[t.col0:][:t.cols]
	slack, best := c.slack[t.col0:][:t.cols], c.best[t.col0:][:t.cols]
	for i := range t.rows {
		r := &rows[t.row0+i]
		own, truthLo, truthHi, second := r.lo, r.truthLo, r.truthHi, r.limit()
		less := 0
		for j, dot := range dots[i*t.stride:][:t.cols] {
			twice := 2 * dot
			keyLo, keyHi := lo[j]-twice, hi[j]-twice
			nearer, farther := 0, 0
			if keyHi < truthLo {
				nearer = 1
			}
			if keyLo > truthHi {
				farther = 1
			}
			less += nearer
			if nearer|farther != 0 && keyLo > second && own-twice > best[j]+slack[j] {
				continue
			}
			e := event{row: uint16(i), col: uint16(j)}
			if nearer|farther == 0 {
				e.kinds |= rankEvent
			}
			if !(keyLo > second) {
				e.kinds |= rowEvent
			}
			if back := r.hi - twice; back < best[j] {
				best[j] = back
			}
			if !(own-twice > best[j]+slack[j]) {
				e.kinds |= columnEvent
			}
			events = append(events, e)
			if keyHi < r.first {
				r.first, r.second = keyHi, r.first
			} else if keyHi < r.second {
				r.second = keyHi
			}
			second = r.limit()
		}
		r.less += int32(less)
	}
	return events
}

func within[T int32 | float32](dots []T, t tile, queries []scanQuery, norms []float64, near []Near) {
	norms, n := norms[t.col0:][:t.cols], 0
	for i := range t.rows {
		q, first := &queries[t.row0+i], n
		for j, dot := range dots[i*t.stride:][:t.cols] {
			if d2 := q.norm + norms[j] - 2*float64(dot); !(d2 > q.limit) {
				near[n] = Near{t.col0 + j, d2}
				n++
			}
		}
		q.near = n - first
	}
}

func rowFloat(dst []float64, query, first int, queries, candidates packed) {
	squaredDistances(dst, queries.rows.floats(query), func(k int) []float32 { return candidates.rows.floats(first + k) })
	for k, d2 := range dst {
		dst[k] = math.Sqrt(d2)
	}
}

func listFloat(dst []float64, query, rows []float32, list []int32) {
	squaredDistances(dst[:len(list)], query, func(k int) []float32 { return rows[int(list[k])*len(query):][:len(query)] })
}

// squaredDistances writes those of a query and len(dst) rows.
func squaredDistances(dst []float64, query []float32, row func(k int) []float32) {
	for k := 0; k < len(dst); k += 4 {
		at := func(i int) []float32 { return row(min(k+i, len(dst)-1)) }
		d2 := SquaredDistances4(&[4][]float32{query, query, query, query}, &[4][]float32{at(0), at(1), at(2), at(3)})
		copy(dst[k:], d2[:])
	}
}

func listWith(dot func(a, b []uint8) int32) listFunc[uint8] {
	return func(dst []float64, query, rows []uint8, list []int32) {
		for k, row := range list {
			dst[k] = float64(dot(query, rows[int(row)*len(query):][:len(query)]))
		}
	}
}
