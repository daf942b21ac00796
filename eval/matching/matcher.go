package matching

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"descbench/eval/record"
)

// A Matcher decides which pairs of keypoints a system matches. The candidates of a
// match are each query and its nearest neighbour in descriptor space. The zero
// value accepts all of them.
type Matcher struct {
	// CrossCheck requires that the query is also the nearest neighbour of its
	// nearest neighbour (mutual nearest neighbours).
	CrossCheck bool
	// Ratio is the maximum distance ratio of the nearest to the second nearest
	// neighbour (Lowe 2004); 0: none. A query with a single valid candidate has no
	// ratio and is rejected.
	Ratio float64
	// MaxDistance is the maximum descriptor distance of a match; 0: none.
	MaxDistance float64
	// MinSimilarity is the smallest cosine of the angle between the rows of a match, whose length
	// must be 1: 1 - distance²/2; 0: none.
	MinSimilarity float64
	// TopK is the maximum number of matches of an image pair: those of the
	// smallest distances, the lower query row first on ties; 0: all.
	TopK int
}

// Mutual is the matcher of mutual nearest neighbours.
var Mutual = Matcher{CrossCheck: true}

// Accepts reports whether the query and its nearest neighbour pass every test of
// the matcher but TopK, which depends on the other queries of the pair.
func (m Matcher) Accepts(q *record.Query) bool {
	switch {
	case q.Nearest < 0, m.CrossCheck && !q.Mutual:
		return false
	case m.Ratio > 0 && !(q.Second >= 0 && distanceRatio(q.NearestDistance, q.SecondDistance) <= m.Ratio):
		return false
	}
	d := q.NearestDistance
	return (m.MaxDistance == 0 || d <= m.MaxDistance) && (m.MinSimilarity == 0 || 1-d*d/2 >= m.MinSimilarity)
}

// Match returns the indices of the queries of an image pair that the system
// matches with their nearest neighbours, ascending.
func (m Matcher) Match(queries []record.Query) []int32 {
	var matches []int32
	for i := range queries {
		if m.Accepts(&queries[i]) {
			matches = append(matches, int32(i))
		}
	}
	if m.TopK == 0 || len(matches) <= m.TopK {
		return matches
	}
	slices.SortStableFunc(matches, func(a, b int32) int {
		return cmp.Compare(queries[a].NearestDistance, queries[b].NearestDistance)
	})
	matches = matches[:m.TopK]
	slices.Sort(matches)
	return matches
}

// String returns the matcher in words: "mutual nearest neighbours, ratio 0.8". Two
// matchers with the same text are equal.
func (m Matcher) String() string {
	if m.CrossCheck {
		return m.Of("mutual nearest neighbours")
	}
	return m.Of("nearest neighbours")
}

// Of returns in words what the matcher takes of some matches: "from its files, top 500".
func (m Matcher) Of(matches string) string {
	words := []string{matches}
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	if m.Ratio > 0 {
		words = append(words, "ratio "+number(m.Ratio))
	}
	if m.MaxDistance > 0 {
		words = append(words, "distance "+number(m.MaxDistance))
	}
	if m.MinSimilarity > 0 {
		words = append(words, "similarity "+number(m.MinSimilarity))
	}
	if m.TopK > 0 {
		words = append(words, "top "+strconv.Itoa(m.TopK))
	}
	return strings.Join(words, ", ")
}

// distanceRatio returns nearest / second, at most 1.
func distanceRatio(nearest, second float64) float64 {
	if second == 0 {
		return 1
	}
	return math.Min(nearest/second, 1)
}
