package stats

import (
	"fmt"
	"math"
	"slices"
)

// negligible is the limit below which differences count as rounding errors.
const negligible = 1e-6

// A Comparison is the difference between a first and a second descriptor over
// the same scenes. Undefined values are NaN.
type Comparison struct {
	Scenes     int
	Difference float64  // mean over scenes of first - second
	Interval   Interval // of Difference, by the Bootstrap of the clusters

	// P is the probability of a mean difference at least as large in either
	// direction if the descriptors did not differ, computed by exchanging the
	// descriptors within clusters of scenes. It is 1 if no scene differs.
	P float64
	// Clusters is the number of clusters that differ.
	Clusters int
	// Exact says that P comes from all exchanges instead of random ones.
	Exact bool

	// EffectSize is d_z: Difference divided by the standard deviation of the
	// per-scene differences, within clusters or not. It is undefined if all differences are equal.
	EffectSize float64

	// Number of scenes in which the first descriptor is better, in which both
	// are within 1e-6 of each other, and in which it is worse.
	Wins, Ties, Losses int
}

// Compare compares two descriptors with one value per scene; first[i] and
// second[i] belong to the same scene, which is in a cluster. P is the p-value of the paired
// permutation test by sign flips. It uses all 2ⁿ sign patterns if up to 20
// scenes differ, otherwise 100 000 random patterns with p = (1 + at least as
// extreme)/(1 + 100 000), where the signs are those of clusters. Ties count as differences of 0.
//
// Sources: Smucker, Allan and Carterette, A Comparison of Statistical
// Significance Tests for Information Retrieval Evaluation, CIKM 2007; Phipson
// and Smyth, Permutation P-values Should Never Be Zero, 2010.
func Compare(first, second []float64, clusters Clustering) (Comparison, error) {
	differences, err := subtract(first, second)
	if err != nil {
		return Comparison{}, err
	}
	n := len(differences)
	c := Comparison{
		Scenes:     n,
		Interval:   MeanInterval(differences, clusters),
		EffectSize: effectSize(differences),
		Difference: Mean(differences),
	}
	for _, d := range differences {
		switch {
		case math.Abs(d) < negligible:
			c.Ties++
		case d > 0:
			c.Wins++
		default:
			c.Losses++
		}
	}
	differing := slices.DeleteFunc(clusters.Sums(differences), func(d float64) bool { return math.Abs(d) < negligible })
	c.Clusters = len(differing)
	if n == 0 {
		c.P = math.NaN()
	} else {
		c.P, c.Exact = signFlips(FixedSeed, differing)
	}
	return c, nil
}

// subtract returns first - second for each scene.
func subtract(first, second []float64) ([]float64, error) {
	if len(first) != len(second) {
		return nil, fmt.Errorf("values for %d and %d scenes, want the same scenes", len(first), len(second))
	}
	differences := make([]float64, len(first))
	for i := range first {
		if notFinite(first[i]) || notFinite(second[i]) {
			return nil, fmt.Errorf("values %v and %v for scene %d, want finite numbers", first[i], second[i], i)
		}
		differences[i] = first[i] - second[i]
	}
	return differences, nil
}

// MeanInterval returns the interval of the mean of one value per scene, by the Bootstrap of the clusters.
func MeanInterval(values []float64, clusters Clustering) Interval {
	return Resamples(clusters.Len()).Ratio(clusters.Sums(values), clusters.Sums(ones(len(values))))
}

// Mean returns the mean, NaN without values.
func Mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// Deviation returns the sample standard deviation of two or more values.
func Deviation(values []float64) float64 {
	mean, sum := Mean(values), 0.0
	for _, v := range values {
		sum += float64((v - mean) * (v - mean))
	}
	return math.Sqrt(sum / float64(len(values)-1))
}

func effectSize(differences []float64) float64 {
	mean := Mean(differences)
	if !slices.ContainsFunc(differences, func(d float64) bool { return math.Abs(d-mean) >= negligible }) {
		return math.NaN()
	}
	return mean / Deviation(differences)
}
