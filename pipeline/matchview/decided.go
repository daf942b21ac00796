package matchview

import (
	"fmt"

	"descbench/eval/matching"
	"descbench/eval/record"
	"descbench/pipeline/report/figure"
)

// decided returns what a matcher decides about the queries of a pair, with a random
// sample of at most limit matches of each class: false negatives, which are queries
// with a ground truth that the matcher does not find, drawn to it; false positives; and
// true positives. A query with a wrong match and a ground truth is of two classes.
func (s *System) decided(r record.Records, m matching.Matcher, limit int) []figure.MatchClass {
	accepted := make(map[int32]bool)
	for _, i := range m.Match(r.Queries) {
		accepted[i] = true
	}
	const falseNegatives, falsePositives, truePositives = 0, 1, 2
	classes := []figure.MatchClass{{Name: "false negatives"}, {Name: "false positives"}, {Name: "true positives"}}
	var count [3]int
	add := func(class int, q *record.Query, x, y float32) {
		count[class]++
		if len(classes[class].Matches) < limit {
			classes[class].Matches = append(classes[class].Matches, figure.Match{
				Left: figure.Point{X: float64(q.X), Y: float64(q.Y)}, Right: figure.Point{X: float64(x), Y: float64(y)},
			})
		}
	}
	for _, row := range priorities(r.Pair.Scene, int(r.Pair.K), len(r.Queries)) {
		q := &r.Queries[row]
		right := q.NearestError <= s.rules.TolerancePx
		switch {
		case accepted[int32(row)] && right:
			add(truePositives, q, q.NearestX, q.NearestY)
			continue
		case accepted[int32(row)]:
			add(falsePositives, q, q.NearestX, q.NearestY)
		}
		if q.Truth >= 0 && q.TruthError <= s.rules.TolerancePx {
			add(falseNegatives, q, q.TruthX, q.TruthY)
		}
	}
	for i := range classes {
		shown := len(classes[i].Matches)
		classes[i].Name += fmt.Sprintf(": %d", count[i])
		if shown < count[i] {
			classes[i].Name += fmt.Sprintf(", %d shown", shown)
		}
	}
	return classes
}
