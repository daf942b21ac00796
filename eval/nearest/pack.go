package nearest

import "descbench/descriptors"

// packed holds the rows of one side in the layout of a kernel, either row by
// row or in panels. A panel stores word w of all its rows side by side, so that
// one vector holds the same word of many rows. Rows of zeros pad it to a
// multiple of maxPanel.
type packed struct {
	words  []uint32  // for rows of bytes; otherwise floats:
	floats []float32 // their elements
	perRow int
	start  []int32 // initial value of the dot products of each row; nil: 0
}

// A packer arranges rows in a layout.
type packer func(v *validRows) packed

// products computes the dot products between the rows of two sides, each packed
// in its own layout.
type products[T int32 | float32] struct {
	queries, candidates packer
	// fill writes the tile's dot products to out, row by row. It may fill whole
	// panels and multiples of four rows.
	fill func(out []T, t tile, queries, candidates packed)
}

// packFloats returns a packer of rows of float32 or uint8, each element a float32, in
// panels of the given number of rows, which must divide maxPanel; 1: row by row.
func packFloats(panel int) packer {
	return func(v *validRows) packed {
		p := packed{perRow: v.m.Dim, floats: make([]float32, padded(v.len())*v.m.Dim)}
		row := make([]float32, v.m.Dim)
		for i := range v.len() {
			if v.m.Type == descriptors.Float32 {
				row = v.floats(i)
			} else {
				for k, b := range v.bytes(i) {
					row[k] = float32(b)
				}
			}
			place(p.floats, row, i, panel)
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
func place[W uint32 | float32](to, row []W, i, panel int) {
	first := to[i/panel*panel*len(row)+i%panel:]
	if panel == 1 {
		copy(first, row)
		return
	}
	for w, x := range row {
		first[w*panel] = x
	}
}

// startingWith adds the initial values of the dot products of rows of bytes.
func (pack packer) startingWith(start func(row []uint8) int32) packer {
	return func(v *validRows) packed {
		p := pack(v)
		p.start = make([]int32, padded(v.len()))
		for i := range v.len() {
			p.start[i] = start(v.bytes(i))
		}
		return p
	}
}
