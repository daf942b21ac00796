package nearest

import (
	"encoding/binary"
	"math"
	"math/bits"
	"runtime"
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// portableKernel uses Go and, on amd64, gonum's assembly. Bytes are compared as
// float32, which offers more parallel arithmetic than integers.
func portableKernel() kernel {
	words, floats := packWords(1, 4, binary.LittleEndian.Uint32), packFloats(1)
	return kernel{
		name:          "portable",
		uint8:         products[int32]{floats, floats, fillUint8},
		bits:          products[int32]{words, words, fillBits},
		float:         products[float32]{floats, floats, fillFloat},
		reduceInt:     reduceInt,
		reduceUnit:    reduceUnit,
		reduceBounded: reduceBounded,
		withinInt:     within[int32],
		withinFloat:   within[float32],
		rowFloat:      rowFloat,
		listUint8:     listUint8,
		listBits:      listBits,
		listFloat:     listFloat,
	}
}

// dotProducts writes the dot products of a with len(out) rows that start stride
// elements apart, summed in any order. Where gonum has no assembly, each of its
// sums is one chain of dependent additions.
func dotProducts(out, a, rows []float32, stride int) {
	if runtime.GOARCH != "amd64" {
		done := eightAtATime(out, a, rows, stride)
		if done == len(out) {
			return
		}
		out, rows = out[done:], rows[done*stride:]
	}
	gonum.Implementation{}.Sgemv(blas.NoTrans, len(out), len(a), 1, rows, stride, a, 1, 0, out, 1)
}

// eightAtATime does the same as dotProducts with eight overlapping sums. It
// returns the number of products written, a multiple of eight.
func eightAtATime(out, a, rows []float32, stride int) int {
	n, done := len(a), 0
	for ; done+8 <= len(out); done += 8 {
		row := func(k int) []float32 { return rows[(done+k)*stride:][:n] }
		b0, b1, b2, b3, b4, b5, b6, b7 := row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7)
		var s0, s1, s2, s3, s4, s5, s6, s7 float32
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
		copy(out[done:], []float32{s0, s1, s2, s3, s4, s5, s6, s7})
	}
	return done
}

func fillFloat(out []float32, t tile, queries, candidates packed) {
	n := queries.perRow
	for i := range t.rows {
		row := queries.floats[(t.row0+i)*n:][:n]
		dotProducts(out[i*t.stride:][:t.cols], row, candidates.floats[t.col0*n:], n)
	}
}

// maxExact is the number of products of bytes whose sum is exact in float32:
// 258·255² < 2²⁴.
const maxExact = 258

// floatMemory holds arrays of maxStride float32, because gonum lets its
// arguments escape to the heap.
var floatMemory = sync.Pool{New: func() any { return new([maxStride]float32) }}

func fillUint8(out []int32, t tile, queries, candidates packed) {
	n := queries.perRow
	memory := floatMemory.Get().(*[maxStride]float32)
	defer floatMemory.Put(memory)
	for i := range t.rows {
		row := queries.floats[(t.row0+i)*n:][:n]
		dots, sums := memory[:t.cols], out[i*t.stride:][:t.cols]
		clear(sums)
		for from := 0; from < n; from += maxExact {
			dotProducts(dots, row[from:min(from+maxExact, n)], candidates.floats[t.col0*n+from:], n)
			for k, dot := range dots {
				sums[k] += int32(dot)
			}
		}
	}
}

func fillBits(out []int32, t tile, queries, candidates packed) {
	n := queries.perRow
	for i := range t.rows {
		row := queries.words[(t.row0+i)*n:][:n]
		sums := out[i*t.stride:][:t.cols]
		for j := range sums {
			sum := 0
			for w, x := range candidates.words[(t.col0+j)*n:][:n] {
				sum += bits.OnesCount32(x & row[w])
			}
			sums[j] = int32(sum)
		}
	}
}

// The reduce functions count without branches, which would be mispredicted: the
// truth can be anywhere among the candidates.

func reduceInt(dots []int32, t tile, rows []rowState[int32], scale []int32, c columns[int32]) {
	scale, best := scale[t.col0:][:t.cols], c.best[t.col0:][:t.cols]
	for i := range t.rows {
		r := &rows[t.row0+i]
		own, truth, second := r.scale, r.truth, r.second
		less, equal := 0, 0
		for j, dot := range dots[i*t.stride:][:t.cols] {
			k := squaredKey(dot, own, scale[j])
			if k < truth {
				less++
			}
			if k == truth {
				equal++
			}
			if k < second {
				r.enter(k, int32(t.col0+j))
				second = r.second
			}
			if k < best[j] {
				c.enter(k, t.col0+j, int32(t.row0+i))
			}
		}
		r.less, r.equal = r.less+int32(less), r.equal+int32(equal)
	}
}

func reduceUnit(dots []int32, t tile, rows []rowState[float64], scale []float64, c columns[float64]) {
	scale, best := scale[t.col0:][:t.cols], c.best[t.col0:][:t.cols]
	for i := range t.rows {
		r := &rows[t.row0+i]
		own, truth, second := r.scale, r.truth, r.second
		less, equal := 0, 0
		for j, dot := range dots[i*t.stride:][:t.cols] {
			k, back := float64(dot)*scale[j], float64(dot)*own
			if k < truth {
				less++
			}
			if k == truth {
				equal++
			}
			if k < second {
				r.enter(k, int32(t.col0+j))
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
	n := queries.perRow
	a := queries.floats[query*n:][:n]
	for ; len(dst) > 0; first += 4 {
		row := func(k int) []float32 { return candidates.floats[(first+min(k, len(dst)-1))*n:][:n] }
		d2 := SquaredDistances4(&[4][]float32{a, a, a, a}, &[4][]float32{row(0), row(1), row(2), row(3)})
		done := min(4, len(dst))
		for k := range done {
			dst[k] = math.Sqrt(d2[k])
		}
		dst = dst[done:]
	}
}

func listUint8(dst []float64, query, rows []uint8, list []int32) {
	for k, row := range list {
		dst[k] = float64(dotBytes(query, rows[int(row)*len(query):][:len(query)]))
	}
}

func listBits(dst []float64, query, rows []uint8, list []int32) {
	for k, row := range list {
		dst[k] = float64(dotBits(query, rows[int(row)*len(query):][:len(query)]))
	}
}

func listFloat(dst []float64, query, rows []float32, list []int32) {
	n := len(query)
	for len(list) > 0 {
		row := func(k int) []float32 { return rows[int(list[min(k, len(list)-1)])*n:][:n] }
		d2 := SquaredDistances4(&[4][]float32{query, query, query, query}, &[4][]float32{row(0), row(1), row(2), row(3)})
		done := copy(dst, d2[:min(4, len(list))])
		list, dst = list[done:], dst[done:]
	}
}
