package binary

// GroupedPrecision adds up an average precision: samples are retrieved by
// ascending distance, all of a distance at once, and each positive scores the
// precision then (scikit-learn's average_precision_score). It depends on no
// order of equal distances. The zero value has retrieved nothing.
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

// Sum returns what all positives scored. The average precision is its share of
// the number of positives, those that are never retrieved included.
func (g *GroupedPrecision) Sum() float64 { return g.sum }
