package tasks

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"descbench/descriptors"
	"descbench/eval/patches"
)

// clippedShare of the eigenvalues are raised to the one behind them, so that
// directions without signal are not blown up.
const clippedShare = 0.6

// whiten returns the test descriptors whitened and power-law normalised as the
// benchmark's Python code does (--pcapl): the covariance C = XᵀX/n of the
// reference descriptors X of the training sequences, centred; its eigenvalues
// in ascending order, those up to place ⌊0.6 D⌋ raised to the one there; then
// for each test image x ↦ (x − mean of the image)·V·diag(λ^−½)·Vᵀ, signed
// square root, L2 norm 1, zeros where that is undefined.
//
// The result does not depend on the signs of the eigenvectors, nor on their
// choice among equal eigenvalues.
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
		return project(m, w)
	})
}

// whitening learns the matrix.
func whitening(set *patches.Set, train []string) (*mat.Dense, error) {
	var rows []float32
	for _, sequence := range train {
		rows = appendFinite(rows, set.Image(sequence, patches.Reference))
	}
	dim := set.Dim
	n := len(rows) / dim
	if n == 0 {
		return nil, &patches.OptionError{Reason: "no training descriptors that are finite, which PCA needs"}
	}
	centred := centre[float64](rows, dim)
	var covariance mat.SymDense
	covariance.SymOuterK(1/float64(n), centred.T())
	return eigenScaled(&covariance, func(values []float64) ([]float64, error) {
		least := values[int(clippedShare*float64(dim))]
		if least <= float64(dim)*0x1p-52*values[dim-1] { // no more than rounding
			return nil, &patches.OptionError{Reason: "the training descriptors vary in too few directions for PCA"}
		}
		for j := range values {
			values[j] = max(values[j], least)
		}
		return values, nil
	}, true)
}

// eigenScaled returns V·diag(λ^−½), and that times Vᵀ if back is true, of a
// covariance with the eigenvectors V. change makes λ of the eigenvalues, which it
// gets in ascending order.
func eigenScaled(covariance mat.Symmetric, change func(values []float64) ([]float64, error), back bool) (*mat.Dense, error) {
	var eigen mat.EigenSym
	if !eigen.Factorize(covariance, true) {
		return nil, &patches.OptionError{Reason: "the eigenvalues of the training descriptors' covariance cannot be computed"}
	}
	values, err := change(eigen.Values(nil))
	if err != nil {
		return nil, err
	}
	var v, scaled, w mat.Dense
	eigen.VectorsTo(&v)
	scaled.Apply(func(_, j int, x float64) float64 { return x / math.Sqrt(values[j]) }, &v)
	if !back {
		return &scaled, nil
	}
	w.Mul(&scaled, v.T())
	return &w, nil
}

// centre returns the rows less their mean, computed in T: the benchmark's code
// learns in float64 and centres test images in float32.
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

// project whitens the descriptors of one image. Rows that are not finite stay
// so, and do not enter the mean.
func project(m *descriptors.Matrix, w *mat.Dense) []float32 {
	finite := appendFinite(nil, m)
	out := make([]float32, 0, m.Rows*m.Dim)
	var projected mat.Dense
	if len(finite) > 0 {
		projected.Mul(centre[float32](finite, m.Dim), w)
	}
	next := 0
	for i := range m.Rows {
		if m.IsInvalid(i) {
			out = append(out, notFinite(m.Dim)...)
			continue
		}
		row := projected.RawRowView(next)
		next++
		out = appendPowers(out, row, 0.5, true)
	}
	return out
}

// appendPowers appends the signed powers of a row to dst, with L2 norm 1 if so
// asked for, zeros where that is undefined. It changes the row.
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

// appendFinite appends the rows of m that are finite to dst.
func appendFinite(dst []float32, m *descriptors.Matrix) []float32 {
	for i := range m.Rows {
		if !m.IsInvalid(i) {
			dst = patches.AppendRow(dst, m, i)
		}
	}
	return dst
}

// notFinite returns a row of NaN.
func notFinite(dim int) []float32 { return slices.Repeat([]float32{float32(math.NaN())}, dim) }
