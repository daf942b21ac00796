//go:build cgo

package nearest

import (
	"encoding/binary"
	"unsafe"
)

// packFloats returns a packer of rows of float32 in panels of the given number of rows, which must
// divide maxPanel; 1: row by row.
func packFloats(panel int) packer {
	return func(v *validRows) packed {
		p := packed{perRow: v.m.Dim, words: make([]uint32, padded(v.len())*v.m.Dim)}
		for i := range v.len() {
			row := v.floats(i)
			place(p.words, unsafe.Slice((*uint32)(unsafe.Pointer(&row[0])), len(row)), i, panel)
		}
		return p
	}
}

// packWords returns a packer of rows of bytes in words of bytesPerWord bytes each, in
// panels as for packFloats.
func packWords(panel, bytesPerWord int, word func(b []uint8) uint32) packer {
	return func(v *validRows) packed {
		p := packed{perRow: (v.m.Stride() + bytesPerWord - 1) / bytesPerWord}
		p.words = make([]uint32, padded(v.len())*p.perRow)
		row := make([]uint8, p.perRow*bytesPerWord) // padded with zeros
		words := make([]uint32, p.perRow)
		for i := range v.len() {
			copy(row, v.bytes(i))
			for w := range words {
				words[w] = word(row[w*bytesPerWord:][:bytesPerWord])
			}
			place(p.words, words, i, panel)
		}
		return p
	}
}

// place writes row i in panels.
func place(to, row []uint32, i, panel int) {
	first := to[i/panel*panel*len(row)+i%panel:]
	if panel == 1 {
		copy(first, row)
		return
	}
	for w, x := range row {
		first[w*panel] = x
	}
}

// packBytes returns a packer of four bytes a word.
func packBytes(panel int) packer { return packWords(panel, 4, binary.LittleEndian.Uint32) }

// widenTwo returns two bytes as the 16-bit halves of a word.
func widenTwo(b []uint8) uint32 { return uint32(b[0]) | uint32(b[1])<<16 }

// less128 returns four bytes, each minus 128.
func less128(b []uint8) uint32 { return binary.LittleEndian.Uint32(b) ^ 0x80808080 }

// offset128 returns a packer that also adds 128 Σ a_i, the difference between a·b and
// Σ a_i (b_i − 128), to the dot products of each row a.
func offset128(pack packer) packer {
	return func(v *validRows) packed {
		p := pack(v)
		p.start = make([]int32, padded(v.len()))
		for i := range v.len() {
			for _, x := range v.bytes(i) {
				p.start[i] += 128 * int32(x)
			}
		}
		return p
	}
}
