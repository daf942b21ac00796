package binary

// GroupedPrecision accumulates an average precision. Samples are retrieved by
// ascending distance, all samples of equal distance at once, and each positive
// scores the precision at that point (scikit-learn's average_precision_score).
// It does not depend on the order of equal distances. The zero value has
// retrieved nothing.
type GroupedPrecision struct {
	tp, fp int64
	sum    float64
}

// Add retrieves the samples of the next distance.
func (g *GroupedPrecision) Add(positives, negatives int64) {
	g.tp += positives
	g.fp += negatives
	if positives > 0 {
		g.sum += float64(float64(positives) * ratio(g.tp, g.tp+g.fp))
	}
}

// Sum returns the sum of the scores of all positives. Divide it by the number
// of positives, including those never retrieved, to get the average precision.
func (g *GroupedPrecision) Sum() float64 { return g.sum }

// GroupedSum returns the Sum of positives at these ascending distances. upTo returns the
// number of negatives that are at most as far as positive i; it is called with ascending i.
func GroupedSum(distances []float64, upTo func(i int) int64) float64 {
	var g GroupedPrecision
	tied := int64(0)
	for i, d := range distances {
		if tied++; i == len(distances)-1 || distances[i+1] != d {
			g.Add(tied, upTo(i)-g.fp)
			tied = 0
		}
	}
	return g.Sum()
}
