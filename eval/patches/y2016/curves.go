package y2016

import (
	"iter"
	"slices"

	"descbench/eval/patches"
	"descbench/eval/patches/internal/rank"
)

// A MeanCurve is the mean of precision-recall curves at recalls 0, 0.01, .., 1. The
// precision of a curve at a recall is the maximum over this and all higher recalls,
// or 0 if the curve does not reach the recall (Manning, Raghavan, Schütze,
// Introduction to Information Retrieval, 2008, section 8.4).
type MeanCurve [101]float64

// add adds the curve of a ranking. ranks yields the ranks of the relevant items in
// ascending order, from 1; total is the number of all relevant items.
func (c *MeanCurve) add(ranks iter.Seq[int], total int) {
	var precision []float64 // precision[i] after i+1 relevant items are found
	for r := range ranks {
		precision = append(precision, float64(len(precision)+1)/float64(r))
	}
	best, found := 0.0, len(precision)
	for level := len(c) - 1; level >= 0; level-- {
		// The points with a recall found/total of at least level/100.
		for ; found > 0 && 100*found >= level*total; found-- {
			best = max(best, precision[found-1])
		}
		c[level] += best
	}
}

// over divides the sum of n curves by n.
func (c *MeanCurve) over(n int) {
	for level := range c {
		c[level] /= float64(n)
	}
}

// MatchingCurves returns the mean curves over image pairs, with matches in ascending
// order of distance, and in descending order of the ratio of the second distance to
// the first. Recall is relative to all patches. labels may be nil, as for
// EvaluateMatching.
func MatchingCurves(matches []Matches, labels *MatchingLabels) (byDistance, byRatio MeanCurve) {
	for p, m := range matches {
		target := labels.target(p, m)
		correct, ratio := make([]bool, len(target)), make([]float64, len(target))
		for i, j := range m.Nearest {
			correct[i] = j == target[i]
			ratio[i], _ = ratioOrder(m.Distance[i], m.SecondDistance[i])
		}
		byDistance.add(rank.Ordered(m.Distance, correct), len(target))
		byRatio.add(rank.Ordered(ratio, correct), len(target))
	}
	byDistance.over(len(matches))
	byRatio.over(len(matches))
	return byDistance, byRatio
}

// RetrievalCurves returns the mean curves over queries for the 50 patches after the
// query. For patches, recall is relative to the cluster without the query. For images,
// it is relative to the relevant patches found, because the number of all relevant
// patches is not always known.
func RetrievalCurves(clusters, rankings [][]patches.Signature) (images, places MeanCurve) {
	for q, cluster := range clusters {
		imageRanks, patchRanks := relevantRanks(cluster, rankings[q])
		images.add(slices.Values(imageRanks), len(imageRanks))
		places.add(slices.Values(patchRanks), len(cluster)-1)
	}
	images.over(len(clusters))
	places.over(len(clusters))
	return images, places
}
