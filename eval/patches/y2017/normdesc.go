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
	mean, err := n.mean(set, train)
	if err != nil {
		return nil, err
	}
	var w *mat.Dense
	if n.ZCA {
		if w, err = n.learn(set, train, mean); err != nil {
			return nil, err
		}
	}
	kept, err := set.Keep(test)
	if err != nil {
		return nil, err
	}
	out, err := kept.Map(set.Dim, func(_, _ string, m *descriptors.Matrix) []float32 {
		return project(m, func(rows []float32) *mat.Dense { return subtract(rows, mean) }, w, n.Power, n.L2)
	})
	if err != nil {
		return nil, err
	}
	out.Name = set.Name + "_" + n.String()
	return out, nil
}

// eachImage calls use with the finite descriptors of every training image.
func eachImage(set *patches.Set, train []string, use func(rows []float32)) {
	for _, sequence := range train {
		for _, image := range set.Images(sequence) {
			use(appendFinite(nil, set.Image(sequence, image)))
		}
	}
}

func (n *Normalisation) mean(set *patches.Set, train []string) ([]float64, error) {
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
	return mean, nil
}

// learn returns the whitening matrix; rows are multiplied by it from the right.
func (n *Normalisation) learn(set *patches.Set, train []string, mean []float64) (*mat.Dense, error) {
	dim, count := set.Dim, 0
	covariance := mat.NewSymDense(dim, nil)
	eachImage(set, train, func(rows []float32) {
		if len(rows) == 0 {
			return
		}
		var part mat.SymDense // one image at a time: all images would not fit into memory
		part.SymOuterK(1, subtract(rows, mean).T())
		covariance.AddSym(covariance, &part)
		count += len(rows) / dim
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
func subtract(rows []float32, mean []float64) *mat.Dense {
	dim := len(mean)
	centred := make([]float64, len(rows))
	for i, v := range rows {
		centred[i] = float64(v) - mean[i%dim]
	}
	return mat.NewDense(len(rows)/dim, dim, centred)
}
