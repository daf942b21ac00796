package nearest

import (
	"encoding/binary"
	"math/bits"
)

// portableKernel is plain Go. Its panels have four candidates, so that four
// independent sums are under way at a time.
func portableKernel() kernel {
	return kernel{
		name: "portable",
		uint8: integerDots{
			panel: portablePanel, bytesPerWord: 2,
			query:     func(b []uint8) uint32 { return uint32(b[0]) | uint32(b[1])<<24 },
			candidate: func(b []uint8) uint32 { return uint32(b[1]) | uint32(b[0])<<24 },
			fill:      fillUint8, row: rowUint8, list: listUint8,
		},
		bits: integerDots{
			panel: portablePanel, bytesPerWord: 4,
			query: binary.LittleEndian.Uint32, candidate: binary.LittleEndian.Uint32,
			fill: fillBits, row: rowBits, list: listBits,
		},
		reduceInt:  reduceInt,
		reduceUnit: reduceUnit,
		finishRoot: finishRoot,
		finishUnit: finishUnit,
	}
}

const portablePanel = 4

// maxRun is how many words of uint8 rows add up before a field overflows:
// 2·128·255² < 2²⁴.
const maxRun = 128

// fillUint8 gets two products from each multiplication:
// (a₀ + 2²⁴a₁)(b₁ + 2²⁴b₀) = a₀b₁ + 2²⁴(a₀b₀ + a₁b₁) + 2⁴⁸a₁b₀, and the middle
// field adds up to the dot product.
func fillUint8(out []int32, t tile, queries, candidates packed[uint32]) {
	const field = 1<<24 - 1
	n := queries.perRow
	for col := 0; col < t.cols; col += portablePanel {
		panel := candidates.words[(t.col0+col)*n:][:portablePanel*n]
		for row := range t.rows {
			q, c := queries.words[(t.row0+row)*n:][:n], panel
			var d0, d1, d2, d3 int32
			for len(q) > 0 {
				run := q[:min(maxRun, len(q))]
				q = q[len(run):]
				var s0, s1, s2, s3 uint64
				for w, x := range run {
					x, y := uint64(x), (*[portablePanel]uint32)(c[w*portablePanel:])
					s0 += x * uint64(y[0])
					s1 += x * uint64(y[1])
					s2 += x * uint64(y[2])
					s3 += x * uint64(y[3])
				}
				c = c[len(run)*portablePanel:]
				d0 += int32(s0 >> 24 & field)
				d1 += int32(s1 >> 24 & field)
				d2 += int32(s2 >> 24 & field)
				d3 += int32(s3 >> 24 & field)
			}
			copy(out[row*t.stride+col:], []int32{d0, d1, d2, d3})
		}
	}
}

func fillBits(out []int32, t tile, queries, candidates packed[uint32]) {
	n := queries.perRow
	for col := 0; col < t.cols; col += portablePanel {
		panel := candidates.words[(t.col0+col)*n:][:portablePanel*n]
		for row := range t.rows {
			var d0, d1, d2, d3 int
			for w, x := range queries.words[(t.row0+row)*n:][:n] {
				y := (*[portablePanel]uint32)(panel[w*portablePanel:])
				d0 += bits.OnesCount32(x & y[0])
				d1 += bits.OnesCount32(x & y[1])
				d2 += bits.OnesCount32(x & y[2])
				d3 += bits.OnesCount32(x & y[3])
			}
			copy(out[row*t.stride+col:], []int32{int32(d0), int32(d1), int32(d2), int32(d3)})
		}
	}
}

func reduceInt(dots []int32, t tile, rows []rowState[int32], scale []int32, c columns[int32]) {
	for i := range t.rows {
		r := &rows[t.row0+i]
		for j, dot := range dots[i*t.stride:][:t.cols] {
			j += t.col0
			k := squaredKey(dot, r.scale, scale[j])
			r.rank(k)
			r.enter(k, int32(j))
			c.enter(k, j, int32(t.row0+i))
		}
	}
}

func reduceUnit(dots []int32, t tile, rows []rowState[float64], scale []float64, c columns[float64]) {
	for i := range t.rows {
		r := &rows[t.row0+i]
		for j, dot := range dots[i*t.stride:][:t.cols] {
			j += t.col0
			k := float64(dot) * scale[j]
			r.rank(k)
			r.enter(k, int32(j))
			c.enter(float64(dot)*r.scale, j, int32(t.row0+i))
		}
	}
}
