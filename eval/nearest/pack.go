package nearest

// packed are the rows of one side in the layout of a kernel. Queries are
// row-major; candidates come in panels, word w of all the panel's rows side by
// side, so that one vector holds the same word of many candidates. Missing
// rows of the last panel or of the last four queries are zero.
type packed[W uint32 | float32] struct {
	words  []W
	perRow int
	start  []int32 // integer queries: what their dot products begin with
}

// integerDots computes dot products of byte rows, which it packs into words of
// its own form.
type integerDots struct {
	panel        int // candidates per panel, a divisor of maxPanel
	bytesPerWord int // of a row
	query        func(b []uint8) uint32
	candidate    func(b []uint8) uint32
	// start returns the first term of a query's dot products; nil: 0.
	start func(row []uint8) int32
	// fill writes the tile's dot products to out, row by row. It fills whole
	// panels and multiples of four rows.
	fill func(out []int32, t tile, queries, candidates packed[uint32])
	row  rowFunc
	list listFunc
}

func (d integerDots) packQueries(v *validRows) packed[uint32] {
	p := packed[uint32]{start: make([]int32, padded(v.len()))}
	p.perRow = (v.m.Stride() + d.bytesPerWord - 1) / d.bytesPerWord
	p.words = make([]uint32, padded(v.len())*p.perRow)
	row := make([]uint8, p.perRow*d.bytesPerWord) // padded with zeros
	for i := range v.len() {
		copy(row, v.bytes(i))
		words := p.words[i*p.perRow:][:p.perRow]
		for w := range words {
			words[w] = d.query(row[w*d.bytesPerWord:][:d.bytesPerWord])
		}
		if d.start != nil {
			p.start[i] = d.start(row)
		}
	}
	return p
}

func (d integerDots) packCandidates(v *validRows) packed[uint32] {
	p := packed[uint32]{perRow: (v.m.Stride() + d.bytesPerWord - 1) / d.bytesPerWord}
	p.words = make([]uint32, padded(v.len())*p.perRow)
	row := make([]uint8, p.perRow*d.bytesPerWord)
	for j := range v.len() {
		copy(row, v.bytes(j))
		words := p.words[j/d.panel*d.panel*p.perRow+j%d.panel:]
		for w := range p.perRow {
			words[w*d.panel] = d.candidate(row[w*d.bytesPerWord:][:d.bytesPerWord])
		}
	}
	return p
}

// floatDots computes dot products of float32 rows in float32.
type floatDots struct {
	panel int
	fill  func(out []float32, t tile, queries, candidates packed[float32])
	// row writes the canonical distances, in float64, between a query and
	// len(dst) candidates from first on.
	row func(dst []float64, query []float32, first int, candidates packed[float32])
	// list writes their squares, for the listed ones of rows, which are stored
	// one after the other and must exist.
	list func(dst []float64, query, rows []float32, list []int32)
}

func (d floatDots) packQueries(v *validRows) packed[float32] {
	p := packed[float32]{perRow: v.m.Dim}
	p.words = make([]float32, padded(v.len())*p.perRow)
	for i := range v.len() {
		copy(p.words[i*p.perRow:], v.floats(i))
	}
	return p
}

func (d floatDots) packCandidates(v *validRows) packed[float32] {
	p := packed[float32]{perRow: v.m.Dim}
	p.words = make([]float32, padded(v.len())*p.perRow)
	for j := range v.len() {
		words := p.words[j/d.panel*d.panel*p.perRow+j%d.panel:]
		for w, x := range v.floats(j) {
			words[w*d.panel] = x
		}
	}
	return p
}
