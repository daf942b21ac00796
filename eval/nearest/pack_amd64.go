//go:build cgo

package nearest

import "encoding/binary"

// packFloats returns a packer of rows of float32 in panels of the given number of rows; 1: row
// by row.
func packFloats(size int) packer {
	return func(v *validRows) packed {
		p := packed{perRow: v.m.Dim, floats: make([]float32, padded(v.len())*v.m.Dim)}
		for i := range v.len() {
			place(p.floats, v.floats(i), i, size)
		}
		return p
	}
}

// packWords returns a packer of rows of bytes in words of bytesPerWord bytes each, in
// panels as for packFloats.
func packWords(size, bytesPerWord int, word func(b []uint8) uint32) packer {
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
			place(p.words, words, i, size)
		}
		return p
	}
}

// place writes row i in panels of the given number of rows.
func place[W uint32 | float32](to, row []W, i, size int) {
	first := to[i/size*size*len(row)+i%size:]
	if size == 1 {
		copy(first, row)
		return
	}
	for w, x := range row {
		first[w*size] = x
	}
}

// packBytes returns a packer of four bytes a word.
func packBytes(size int) packer { return packWords(size, 4, binary.LittleEndian.Uint32) }

// widenTwo returns two bytes as the 16-bit halves of a word.
func widenTwo(b []uint8) uint32 { return uint32(b[0]) | uint32(b[1])<<16 }
