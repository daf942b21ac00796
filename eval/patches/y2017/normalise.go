package y2017

import (
	"fmt"
	"math"
	"strconv"
	"strings"

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
	return project(set, split.Test, func(rows []float32) *mat.Dense { return centre[float32](rows, set.Dim) }, w, 0.5, true)
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
	return subtract(rows, mean)
}

// project returns the descriptors of the test sequences, those of each image centred, multiplied by w
// unless it is nil, and raised to signed powers. Rows with NaN or infinite values stay invalid, and
// are not centred.
func project(set *patches.Set, test []string, centre func(rows []float32) *mat.Dense, w *mat.Dense, power float64, l2 bool) (*patches.Set, error) {
	kept, err := set.Keep(test)
	if err != nil {
		return nil, err
	}
	return kept.Map(set.Dim, func(_, _ string, m *descriptors.Matrix) (out []float32) {
		var projected *mat.Dense
		if finite := appendFinite(nil, m); len(finite) > 0 {
			projected = centre(finite)
			if w != nil {
				var product mat.Dense
				product.Mul(projected, w)
				projected = &product
			}
		}
		next := 0
		for i := range m.Rows {
			if m.IsInvalid(i) {
				out = patches.AppendRow(out, m, i)
				continue
			}
			out = appendPowers(out, projected.RawRowView(next), power, l2)
			next++
		}
		return out
	})
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

// A Normalisation is the preprocessing of descriptors in the benchmark's MATLAB code
// of 2017 (normdesc): subtract the mean of the training descriptors, whiten, take
// signed powers, and scale to L2 norm 1, with zeros where the result is undefined.
// Training descriptors are the descriptors of all images in the split's training
// sequences.
//
// The MATLAB code also has PCA, by the transpose of its matrix. No published figure is
// known to use it: the files of best normalisations that come with the code list only ZCA.
type Normalisation struct {
	Split      string  // split whose training sequences are used; Read replaces ""
	ZCA        bool    // whiten by V·Λ^−½·Vᵀ
	ClipEnergy float64 // the smallest eigenvalues, up to this share of the energy, are raised to the next one
	Power      float64 // exponent of the values; 1 for no change
	L2         bool
}

// whiteningEpsilon is added to eigenvalues; it is normdesc's default.
const whiteningEpsilon = 1e-6

// ParseNormalisation parses the suffix that the MATLAB code adds to the names of
// normalised descriptors: nsplit_c_wzca_ceig0.25_pl0.50_l2n. Every part is optional.
// Without a split, Read takes the one to test on, or a if that has no training sequences.
func ParseNormalisation(text string) (*Normalisation, error) {
	n := &Normalisation{Power: 1}
	parts := strings.Split(strings.TrimPrefix(text, "_"), "_")
	for i := 0; i < len(parts); i++ {
		part := parts[i]
		number := func(prefix string, into *float64) bool {
			rest, found := strings.CutPrefix(part, prefix)
			v, err := strconv.ParseFloat(rest, 64)
			if found && err == nil {
				*into = v
			}
			return found && err == nil
		}
		switch {
		case part == "nsplit" && i+1 < len(parts):
			i++
			n.Split = parts[i]
		case part == "wzca":
			n.ZCA = true
		case part == "l2n":
			n.L2 = true
		case number("ceig", &n.ClipEnergy) && n.ClipEnergy >= 0 && n.ClipEnergy < 1:
		case number("pl", &n.Power) && n.Power > 0 && n.Power <= 1:
		default:
			return nil, &patches.OptionError{Reason: fmt.Sprintf("normalisation %q: found %q, want parts of nsplit_SPLIT_wzca_ceigSHARE_plPOWER_l2n, SHARE below 1, POWER up to 1", text, part)}
		}
	}
	if n.ClipEnergy > 0 && !n.ZCA {
		return nil, &patches.OptionError{Reason: fmt.Sprintf("normalisation %q: ceig changes the eigenvalues of whitening: add wzca", text)}
	}
	return n, nil
}

// String returns the suffix in the form used by the MATLAB code.
func (n *Normalisation) String() string {
	name := "nsplit_" + n.Split
	if n.ZCA {
		name += "_wzca"
	}
	if n.ClipEnergy > 0 {
		name += "_ceig" + atLeastTwoDecimals(n.ClipEnergy)
	}
	if n.Power != 1 {
		name += "_pl" + atLeastTwoDecimals(n.Power)
	}
	if n.L2 {
		name += "_l2n"
	}
	return name
}

// atLeastTwoDecimals formats a number with two decimals, as the MATLAB code does, or
// with more decimals if two would change its value.
func atLeastTwoDecimals(v float64) string {
	if text := strconv.FormatFloat(v, 'f', -1, 64); len(text) > len("0.00") {
		return text
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// apply returns the normalised test descriptors. The suffix is appended to the set's
// name.
func (n *Normalisation) apply(set *patches.Set, train, test []string) (*patches.Set, error) {
	mean, count := make([]float64, set.Dim), 0
	eachImage(set, train, func(rows []float32) {
		for i, v := range rows {
			mean[i%set.Dim] += float64(v)
		}
		count += len(rows) / set.Dim
	})
	if count == 0 {
		return nil, &patches.OptionError{Reason: "no finite training descriptors, but normalisation needs them"}
	}
	for k := range mean {
		mean[k] /= float64(count)
	}
	var w *mat.Dense
	if n.ZCA {
		var err error
		if w, err = n.learn(set, train, mean, count); err != nil {
			return nil, err
		}
	}
	out, err := project(set, test, func(rows []float32) *mat.Dense { return subtract(rows, mean) }, w, n.Power, n.L2)
	if err == nil {
		out.Name = set.Name + "_" + n.String()
	}
	return out, err
}

// eachImage calls use with the finite descriptors of every training image.
func eachImage(set *patches.Set, train []string, use func(rows []float32)) {
	for _, sequence := range train {
		for _, image := range set.Images(sequence) {
			use(appendFinite(nil, set.Image(sequence, image)))
		}
	}
}

// learn returns the whitening matrix of count descriptors; rows are multiplied by it from the right.
func (n *Normalisation) learn(set *patches.Set, train []string, mean []float64, count int) (*mat.Dense, error) {
	covariance := mat.NewSymDense(set.Dim, nil)
	eachImage(set, train, func(rows []float32) {
		if len(rows) == 0 {
			return
		}
		var part mat.SymDense // one image at a time: all images would not fit into memory
		part.SymOuterK(1, subtract(rows, mean).T())
		covariance.AddSym(covariance, &part)
	})
	covariance.ScaleSym(1/float64(count), covariance)
	return zca(covariance, func(values []float64) error {
		n.clip(values)
		for j := range values {
			values[j] += whiteningEpsilon
		}
		return nil
	})
}

// clip raises the smallest eigenvalues. values are in ascending order.
func (n *Normalisation) clip(values []float64) {
	if n.ClipEnergy == 0 {
		return
	}
	total, soFar := 0.0, 0.0
	for _, v := range values {
		total += math.Abs(v)
	}
	for _, v := range values {
		if soFar += math.Abs(v); soFar > n.ClipEnergy*total {
			for i := range values {
				values[i] = max(values[i], v)
			}
			return
		}
	}
}

// subtract returns the rows minus a mean.
func subtract[T float32 | float64](rows []float32, mean []T) *mat.Dense {
	dim := len(mean)
	centred := make([]float64, len(rows))
	for i, v := range rows {
		centred[i] = float64(T(v) - mean[i%dim])
	}
	return mat.NewDense(len(rows)/dim, dim, centred)
}
