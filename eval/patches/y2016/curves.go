package y2016

// A MeanCurve is the mean of precision-recall curves at recalls 0, 0.01, .., 1. Recall is
// relative to the relevant items found, as in the average precisions. The precision of a
// curve at a recall is the maximum over this and all higher recalls (Manning, Raghavan,
// Schütze, Introduction to Information Retrieval, 2008, section 8.4), or 0 if nothing
// relevant is found.
type MeanCurve [101]float64

// meanCurve returns the mean over n rankings. ranks returns the ranks of the relevant items
// of a ranking in ascending order, from 1.
func meanCurve(n int, ranks func(i int) []int) (c MeanCurve) {
	for i := range n {
		of := ranks(i)
		best, found := 0.0, len(of)
		for level := len(c) - 1; level >= 0; level-- {
			// The points with a recall found/len(of) of at least level/100.
			for ; found > 0 && 100*found >= level*len(of); found-- {
				best = max(best, float64(found)/float64(of[found-1]))
			}
			c[level] += best
		}
	}
	for level := range c {
		c[level] /= float64(n)
	}
	return c
}

// Curves returns the mean curves over image pairs, with matches in ascending order of
// distance, and in descending order of the ratio of the second distance to the first.
func (r *MatchingResult) Curves() (byDistance, byRatio MeanCurve) {
	return meanCurve(len(r.Pairs), func(i int) []int { return r.Pairs[i].byDistance }),
		meanCurve(len(r.Pairs), func(i int) []int { return r.Pairs[i].byRatio })
}

// Curves returns the mean curves over queries for the 50 patches after the query.
func (r *RetrievalResult) Curves() (images, places MeanCurve) {
	return meanCurve(r.Queries, func(q int) []int { return r.imageRanks[q] }),
		meanCurve(r.Queries, func(q int) []int { return r.patchRanks[q] })
}
