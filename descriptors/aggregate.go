package descriptors

import (
	"fmt"
	"math"
	"slices"
)

// An Aggregate says how several rows that describe one keypoint become one.
type Aggregate uint8

const (
	// Mean is the mean of each element; of domain sizes, weighted if asked for.
	Mean Aggregate = iota
	// Max is the largest of each element.
	Max
	// Min is the smallest of each element.
	Min
	// Concatenate puts the rows one after the other.
	Concatenate
	// Weighted is the weighted mean of each element; of fusion only.
	Weighted
)

// String returns the name of the aggregate in configs.
func (a Aggregate) String() string {
	switch a {
	case Mean:
		return "mean"
	case Max:
		return "max"
	case Min:
		return "min"
	case Concatenate:
		return "concatenate"
	case Weighted:
		return "weighted"
	}
	return fmt.Sprintf("Aggregate(%d)", uint8(a))
}

// MarshalText returns String, so that JSON has the name.
func (a Aggregate) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// combine returns the matrix whose row i is the aggregate of the rows i of
// parts: of those that are valid, or, with needAll, invalid unless all are. It
// is invalid, too, if what is valid has no weight, or if the result describes
// nothing. weights belong to the parts; nil means that they are all equal.
//
// parts are at least one, not of bits, written out, and have equal numbers of
// rows and, but for Concatenate, of elements. The result is Uint8 if all parts are and its elements are elements of theirs, and
// Float32 otherwise.
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
			continue // the row stays zero and is marked below
		}
		a.of(valid, weight, result)
		out.store(i, result)
	}
	out.MarkEmpty()
	return out
}

// emptyOf returns the matrix of zeros that combine fills.
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

// of sets out to the aggregate of rows, which have these weights, one of them
// above zero.
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

// mean sums in the order of the rows. It takes the weights relative to the
// largest, so that no product overflows, a single row stays as it is, and equal
// weights average integers exactly.
func mean(rows [][]float64, weights, out []float64) {
	largest, total := slices.Max(weights), 0.0
	for r := range weights {
		weights[r] /= largest
		total += weights[r]
	}
	for j := range out {
		sum := weights[0] * rows[0][j] // not 0 + this, which would lose the sign of -0
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

// checkWeights fails unless there is one weight for each of n things, which
// have that name, none negative and one above zero.
func checkWeights(weights []float64, n int, things string) error {
	if len(weights) != n {
		return fmt.Errorf("%d weights, want one for each of %d %s", len(weights), n, things)
	}
	for i, w := range weights {
		if !(w >= 0) || math.IsInf(w, 1) {
			return fmt.Errorf("weight %d is %v, want a finite number, not negative", i+1, w)
		}
	}
	if slices.Max(weights) == 0 {
		return fmt.Errorf("weights %v, want one above 0", weights)
	}
	return nil
}
