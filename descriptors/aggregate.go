package descriptors

import (
	"math"
	"slices"
)

// An Aggregate says how several rows that describe one keypoint become one row.
type Aggregate uint8

const (
	// Mean is the element-wise mean; domain sizes may be weighted.
	Mean Aggregate = iota
	// Max is the element-wise maximum.
	Max
	// Min is the element-wise minimum.
	Min
	// Concatenate joins the rows end to end.
	Concatenate
	// Weighted is the element-wise weighted mean; fusion only.
	Weighted
)

// String returns the aggregate's config name.
func (a Aggregate) String() string {
	return [...]string{"mean", "max", "min", "concatenate", "weighted"}[a]
}

// MarshalText returns String, so that JSON contains the name.
func (a Aggregate) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// combine returns the matrix whose row i aggregates row i of all parts. It uses
// the valid rows only, or, with needAll, marks the row invalid unless all parts
// are valid. A row is also invalid if all its valid parts have weight zero or
// if the result is all zeros. weights has one entry per part; nil means equal
// weights.
//
// There is at least one part. Parts do not hold bits, are written out, and have
// equal numbers of rows and (except for Concatenate) of elements. The result is
// Uint8 if all parts are and the aggregate only copies their elements,
// otherwise Float32.
func (a Aggregate) combine(parts []*Matrix, weights []float64, needAll bool) *Matrix {
	out := a.emptyOf(parts)
	rows := make([][]float64, len(parts)) // row i of each part
	for p, part := range parts {
		rows[p] = make([]float64, part.Dim)
	}
	valid, weight := make([][]float64, 0, len(parts)), make([]float64, 0, len(parts))
	result := make([]float64, out.Dim)
	for i := range out.Rows {
		valid, weight = valid[:0], weight[:0]
		for p, part := range parts {
			if part.IsInvalid(i) {
				continue
			}
			part.load(i, rows[p])
			valid = append(valid, rows[p])
			if weights == nil {
				weight = append(weight, 1)
			} else {
				weight = append(weight, weights[p])
			}
		}
		if len(valid) == 0 || needAll && len(valid) < len(parts) || slices.Max(weight) == 0 {
			continue // the row stays zero and is marked invalid below
		}
		a.of(valid, weight, result)
		out.store(i, result)
	}
	out.MarkEmpty()
	return out
}

// emptyOf returns the zero matrix that combine fills.
func (a Aggregate) emptyOf(parts []*Matrix) *Matrix {
	dim, t := parts[0].Dim, Uint8
	if a == Concatenate {
		dim = 0
		for _, part := range parts {
			dim += part.Dim
		}
	}
	averages := (a == Mean || a == Weighted) && len(parts) > 1
	if averages || slices.ContainsFunc(parts, func(m *Matrix) bool { return m.Type == Float32 }) {
		t = Float32
	}
	return New(parts[0].Rows, dim, t)
}

// of sets out to the aggregate of rows with these weights, of which at least
// one is positive.
func (a Aggregate) of(rows [][]float64, weights, out []float64) {
	switch a {
	case Mean, Weighted:
		mean(rows, weights, out)
	case Max:
		fold(rows, math.Max, out)
	case Min:
		fold(rows, math.Min, out)
	case Concatenate:
		for _, row := range rows {
			out = out[copy(out, row):]
		}
	}
}

// mean sums in row order. It scales the weights by the largest, so no product
// overflows, a single row stays unchanged, and equal weights average integers
// exactly.
func mean(rows [][]float64, weights, out []float64) {
	largest, total := slices.Max(weights), 0.0
	for r := range weights {
		weights[r] /= largest
		total += weights[r]
	}
	for j := range out {
		sum := weights[0] * rows[0][j] // starting from 0 would lose the sign of -0
		for r, row := range rows[1:] {
			sum += float64(weights[r+1] * row[j]) // the conversion keeps compilers from fusing
		}
		out[j] = sum / total
	}
}

func fold(rows [][]float64, choose func(a, b float64) float64, out []float64) {
	copy(out, rows[0])
	for _, row := range rows[1:] {
		for j, v := range row {
			out[j] = choose(out[j], v)
		}
	}
}
