package stats

import (
	"fmt"
	"math"
)

// EnoughScenes is the least number of scenes with which a difference can be
// significant: the sign-flip test then has a p of 2/2⁶ = 0.03, below 0.05.
const EnoughScenes = 6

// negligible bounds differences that are taken for rounding.
const negligible = 1e-6

// A Comparison says how a first descriptor differs from a second one over the
// same scenes. Figures that are undefined are NaN.
type Comparison struct {
	Scenes     int
	Difference float64  // mean over scenes of first - second
	Interval   Interval // of Difference, as Bootstrap.Mean takes it

	// P is the probability, if the descriptors did not differ, of a mean
	// difference at least as large in either direction, by exchanging the
	// descriptors within scenes; 1 if no scene differs.
	P float64
	// Exact says that P comes from all exchanges, not from random ones.
	Exact bool

	// EffectSize is d_z: Difference over the standard deviation of the
	// scenes' differences. It is undefined if all are the same.
	EffectSize float64

	// Scenes in which the first is better, those in which they are within
	// 1e-6 of each other, and those in which it is worse.
	Wins, Ties, Losses int

	Warnings []Warning
}

// A Warning is a fact about a result that its reader must see. It has the fields
// of eval.Warning and converts to it; this package stands below eval.
type Warning struct {
	Kind string // a short fixed word for programs
	Text string // one line for people
}

// Compare compares two descriptors by one figure per scene, first[i] and
// second[i] being of the same scene. P is that of the paired permutation test by
// sign flips: from all 2ⁿ sign patterns if up to 20 scenes differ, else from
// 100 000 random ones with p = (1 + at least as extreme)/(1 + 100 000). Ties
// count as differences of 0 there.
//
// Sources: Smucker, Allan and Carterette, A Comparison of Statistical
// Significance Tests for Information Retrieval Evaluation, CIKM 2007; Phipson
// and Smyth, Permutation P-values Should Never Be Zero, 2010.
func Compare(seed uint64, first, second []float64) (Comparison, error) {
	differences, err := subtract(first, second)
	if err != nil {
		return Comparison{}, err
	}
	n := len(differences)
	c := Comparison{
		Scenes:     n,
		Interval:   NewBootstrap(seed, n).Mean(differences),
		EffectSize: effectSize(differences),
		Difference: mean(differences),
	}
	var differing []float64
	for _, d := range differences {
		switch {
		case math.Abs(d) < negligible:
			c.Ties++
			continue
		case d > 0:
			c.Wins++
		default:
			c.Losses++
		}
		differing = append(differing, d)
	}
	if n == 0 {
		c.P = math.NaN()
	} else {
		c.P, c.Exact = signFlips(seed, differing)
	}
	c.Warnings = warnings(n, len(differing))
	return c, nil
}

// warnings says so if no outcome could have been significant.
func warnings(scenes, differing int) []Warning {
	few := func(format string, args ...any) []Warning {
		return []Warning{{Kind: "few-scenes", Text: fmt.Sprintf(format, args...)}}
	}
	claim := fmt.Sprintf("significance cannot be claimed with fewer than %d", EnoughScenes)
	switch {
	case scenes == 0:
		return few("no scenes to compare")
	case scenes < EnoughScenes:
		return few("scenes compared: %d; %s (the smallest possible p is %.4g)", scenes, claim, math.Ldexp(2, -scenes))
	case differing > 0 && differing < EnoughScenes:
		return few("scenes that differ: %d of %d; %s (the smallest possible p is %.4g)", differing, scenes, claim, math.Ldexp(2, -differing))
	}
	return nil
}

// subtract returns first - second per scene.
func subtract(first, second []float64) ([]float64, error) {
	if len(first) != len(second) {
		return nil, fmt.Errorf("figures of %d and of %d scenes, want the same scenes", len(first), len(second))
	}
	differences := make([]float64, len(first))
	for i := range first {
		if notFinite(first[i]) || notFinite(second[i]) {
			return nil, fmt.Errorf("figures %v and %v of scene %d, want finite numbers", first[i], second[i], i)
		}
		differences[i] = first[i] - second[i]
	}
	return differences, nil
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

func effectSize(differences []float64) float64 {
	m := mean(differences)
	squares, largest := 0.0, 0.0
	for _, d := range differences {
		squares += float64((d - m) * (d - m))
		largest = max(largest, math.Abs(d-m))
	}
	if largest < negligible {
		return math.NaN()
	}
	return m / math.Sqrt(squares/float64(len(differences)-1))
}
