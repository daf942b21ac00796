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
	layout
	// fill writes the tile's dot products to out, row by row. It may fill whole
	// panels and multiples of four rows.
	fill func(out []T, t tile, queries, candidates packed)
}

// A layout is the part of products that a Measure needs.
type layout struct {
	queries, candidates packer
	row                 rowFunc
}

// packFloats packs rows of float32 or uint8, each element a float32.
func packFloats(v *validRows) packed {
	p := packed{perRow: v.m.Dim, floats: make([]float32, padded(v.len())*v.m.Dim)}
	for i := range v.len() {
		row := p.floats[i*p.perRow:]
		if v.m.Type == descriptors.Float32 {
			copy(row, v.floats(i))
			continue
		}
		for k, b := range v.bytes(i) {
			row[k] = float32(b)
		}
	}
	return p
}

// packWords packs rows of bytes into words of bytesPerWord bytes each.
func packWords(bytesPerWord int, word func(b []uint8) uint32) packer {
	return func(v *validRows) packed {
		p := packed{perRow: (v.m.Stride() + bytesPerWord - 1) / bytesPerWord}
		p.words = make([]uint32, padded(v.len())*p.perRow)
		row := make([]uint8, p.perRow*bytesPerWord) // padded with zeros
		for i := range v.len() {
			copy(row, v.bytes(i))
			words := p.words[i*p.perRow:][:p.perRow]
			for w := range words {
				words[w] = word(row[w*bytesPerWord:][:bytesPerWord])
			}
		}
		return p
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

// inPanels returns a packer with the same words in panels of n rows; n must
// divide maxPanel.
func (pack packer) inPanels(n int) packer {
	return func(v *validRows) packed {
		p := pack(v)
		p.words, p.floats = interleaved(p.words, p.perRow, n), interleaved(p.floats, p.perRow, n)
		return p
	}
}

func interleaved[W uint32 | float32](rows []W, perRow, panel int) []W {
	panels := make([]W, len(rows))
	for j := range len(rows) / perRow {
		words := panels[j/panel*panel*perRow+j%panel:]
		for w, x := range rows[j*perRow:][:perRow] {
			words[w*panel] = x
		}
	}
	return panels
}
