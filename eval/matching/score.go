package matching

import (
	"math"

	"descbench/eval/record"
)

// A Score orders pairs of keypoints from a likely match to an unlikely one.
type Score string

// The scores.
const (
	// ByDistance is the descriptor distance.
	ByDistance Score = "distance"
	// ByRatio is the descriptor distance divided by the smallest distance of the query
	// to any other valid candidate. For the nearest neighbour it is the ratio of Lowe
	// (2004), 0 to 1; for any other candidate it is 1 or more.
	ByRatio Score = "ratio"
)

// Nearest returns the score of a query and its nearest neighbour. It returns false if
// there is none: without a nearest neighbour, or by ratio without a second nearest.
func (s Score) Nearest(q *record.Query) (score float64, ok bool) {
	switch {
	case q.Nearest < 0, s == ByRatio && q.Second < 0:
		return 0, false
	case s == ByRatio:
		return distanceRatio(q.NearestDistance, q.SecondDistance), true
	}
	return q.NearestDistance, true
}

// All replaces the distances of a query to candidates by scores. rows holds the rows
// of the candidates, or is nil if all are given in order. Undefined scores are NaN.
func (s Score) All(q *record.Query, rows []int32, distances []float64) {
	if s != ByRatio {
		return
	}
	for i, d := range distances {
		row := int32(i)
		if rows != nil {
			row = rows[i]
		}
		switch {
		case q.Nearest == row && q.Second < 0:
			distances[i] = math.NaN()
		case q.Nearest == row:
			distances[i] = distanceRatio(d, q.SecondDistance)
		case d > 0 && q.NearestDistance == 0:
			distances[i] = math.MaxFloat64 // infinite, as a number that can be sorted and drawn
		case q.NearestDistance == 0 && d == 0:
			distances[i] = 1
		default:
			distances[i] = math.Max(d/q.NearestDistance, 1)
			if d != d {
				distances[i] = d
			}
		}
	}
}
