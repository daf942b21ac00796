package y2017

import (
	"math"
	"slices"

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
// scaling to L2 norm 1. Undefined values become zeros.
//
// The result does not depend on the signs of the eigenvectors, or on their choice for
// equal eigenvalues.
func whiten(set *patches.Set, split Split) (*patches.Set, error) {
	w, err := whitening(set, split.Train)
	if err != nil {
		return nil, err
	}
	test, err := set.Keep(split.Test)
	if err != nil {
		return nil, err
	}
	return test.Map(set.Dim, func(_, _ string, m *descriptors.Matrix) []float32 {
		return project(m, func(rows []float32) *mat.Dense { return centre[float32](rows, m.Dim) }, w, 0.5, true)
	})
}

// whitening computes the whitening matrix from the training sequences.
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
	centred := centre[float64](rows, dim)
	var covariance mat.SymDense
	covariance.SymOuterK(1/float64(n), centred.T())
	return zca(&covariance, func(values []float64) error {
		least := values[int(clippedShare*float64(dim))]
		if least <= float64(dim)*0x1p-52*values[dim-1] { // no more than rounding
			return &patches.OptionError{Reason: "the training descriptors vary in too few directions for PCA"}
		}
		for j := range values {
			values[j] = max(values[j], least)
		}
		return nil
	})
}

// zca returns V·diag(λ^−½)·Vᵀ for a covariance with eigenvectors V. change changes the
// eigenvalues, which are in ascending order, to λ.
func zca(covariance mat.Symmetric, change func(values []float64) error) (*mat.Dense, error) {
	var eigen mat.EigenSym
	if !eigen.Factorize(covariance, true) {
		return nil, &patches.OptionError{Reason: "the eigenvalues of the training descriptors' covariance cannot be computed"}
	}
	values := eigen.Values(nil)
	if err := change(values); err != nil {
		return nil, err
	}
	var v, scaled, w mat.Dense
	eigen.VectorsTo(&v)
	scaled.Apply(func(_, j int, x float64) float64 { return x / math.Sqrt(values[j]) }, &v)
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

// project returns the rows of an image, centred, multiplied by w unless it is nil, and raised
// to signed powers. Rows with NaN or infinite values stay invalid, and are not centred.
func project(m *descriptors.Matrix, centre func(rows []float32) *mat.Dense, w *mat.Dense, power float64, l2 bool) []float32 {
	var projected *mat.Dense
	if finite := appendFinite(nil, m); len(finite) > 0 {
		projected = centre(finite)
		if w != nil {
			var product mat.Dense
			product.Mul(projected, w)
			projected = &product
		}
	}
	out := make([]float32, 0, m.Rows*m.Dim)
	next := 0
	for i := range m.Rows {
		if m.IsInvalid(i) {
			out = append(out, slices.Repeat([]float32{float32(math.NaN())}, m.Dim)...)
			continue
		}
		out = appendPowers(out, projected.RawRowView(next), power, l2)
		next++
	}
	return out
}

// appendPowers appends the signed powers of a row to dst, scaled to L2 norm 1 if l2 is
// set, with zeros where the result is undefined. It modifies the row.
func appendPowers(dst []float32, row []float64, power float64, l2 bool) []float32 {
	norm := 0.0
	for k, x := range row {
		row[k] = math.Copysign(math.Pow(math.Abs(x), power), x)
		norm += row[k] * row[k]
	}
	norm = math.Sqrt(norm)
	for _, x := range row {
		switch {
		case l2 && norm == 0:
			x = 0
		case l2:
			x /= norm
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
