package y2017

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"descbench/descriptors"
	"descbench/eval/patches"
)

// clippedShare is the share of eigenvalues that are raised to the next larger one, so
// that directions without signal are not amplified.
const clippedShare = 0.6

// whiten returns the test descriptors whitened and power-law normalised as in the
// benchmark's Python code (--pcapl). C = XᵀX/n is the covariance of X, the centred
// reference descriptors of the training sequences. Its eigenvalues are sorted in
// ascending order, and those up to position ⌊0.6 D⌋ are raised to the eigenvalue at
// this position. Each test image is mapped by
// x ↦ (x − mean of the image)·V·diag(λ^−½)·Vᵀ, followed by the signed square root and
// scaling to L2 norm 1. Undefined values become zeros. Rows with NaN or infinite values
// stay invalid, and do not count in the mean.
//
// The result does not depend on the signs of the eigenvectors, or on their choice for
// equal eigenvalues.
func whiten(set *patches.Set, split Split) (*patches.Set, error) {
	w, err := whitening(set, split.Train)
	if err != nil {
		return nil, err
	}
	return set.Map(split.Test, func(m *descriptors.Matrix) (out []float32) {
		var projected mat.Dense
		if finite := appendFinite(nil, m); len(finite) > 0 {
			projected.Mul(centre[float32](finite, set.Dim), w)
		}
		next := 0
		for i := range m.Rows {
			if m.IsInvalid(i) {
				out = patches.AppendRow(out, m, i)
				continue
			}
			out = appendRoots(out, projected.RawRowView(next))
			next++
		}
		return out
	})
}

// whitening computes V·diag(λ^−½)·Vᵀ from the training sequences.
func whitening(set *patches.Set, train []string) (*mat.Dense, error) {
	var rows []float32
	for _, sequence := range train {
		rows = appendFinite(rows, set.Image(sequence, patches.Reference))
	}
	dim := set.Dim
	n := len(rows) / dim
	if n == 0 {
		return nil, &patches.OptionError{Reason: "no finite training descriptors, but PCA needs them"}
	}
	var covariance mat.SymDense
	covariance.SymOuterK(1/float64(n), centre[float64](rows, dim).T())
	var eigen mat.EigenSym
	if !eigen.Factorize(&covariance, true) {
		return nil, &patches.OptionError{Reason: "the eigenvalues of the training descriptors' covariance cannot be computed"}
	}
	values := eigen.Values(nil) // ascending
	least := values[int(clippedShare*float64(dim))]
	if least <= float64(dim)*0x1p-52*values[dim-1] { // no more than rounding
		return nil, &patches.OptionError{Reason: "the training descriptors vary in too few directions for PCA"}
	}
	var v, scaled, w mat.Dense
	eigen.VectorsTo(&v)
	scaled.Apply(func(_, j int, x float64) float64 { return x / math.Sqrt(max(values[j], least)) }, &v)
	w.Mul(&scaled, v.T())
	return &w, nil
}

// centre returns the rows minus their mean, computed in T: the benchmark's code learns
// in float64 and centres test images in float32.
func centre[T float32 | float64](rows []float32, dim int) *mat.Dense {
	n := len(rows) / dim
	mean := make([]T, dim)
	for i, v := range rows {
		mean[i%dim] += T(v)
	}
	for k := range mean {
		mean[k] /= T(n)
	}
	centred := make([]float64, len(rows))
	for i, v := range rows {
		centred[i] = float64(T(v) - mean[i%dim])
	}
	return mat.NewDense(n, dim, centred)
}

// appendRoots appends the signed square roots of a row to dst, scaled to L2 norm 1, zeros if all
// are 0. It modifies the row.
func appendRoots(dst []float32, row []float64) []float32 {
	norm := 0.0
	for k, x := range row {
		row[k] = math.Copysign(math.Sqrt(math.Abs(x)), x)
		norm += row[k] * row[k]
	}
	norm = math.Sqrt(norm)
	for _, x := range row {
		if norm > 0 {
			x /= norm
		} else {
			x = 0
		}
		dst = append(dst, float32(x))
	}
	return dst
}

// appendFinite appends the finite rows of m to dst.
func appendFinite(dst []float32, m *descriptors.Matrix) []float32 {
	for i := range m.Rows {
		if !m.IsInvalid(i) {
			dst = patches.AppendRow(dst, m, i)
		}
	}
	return dst
}
