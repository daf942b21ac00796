package matching

import (
	"fmt"
	"math"

	"descbench/eval/record"
	"descbench/eval/scope"
)

// The ratio test is evaluated at 0.50, 0.51, …, 1.00. Its precision and recall at
// Lowe's threshold are also reported as metrics.
const (
	ratioSteps  = 51
	lowestRatio = 50 // hundredths
	loweRatio   = 80
)

// A Sweep holds the results of the ratio test of one scope at every threshold.
//
// The test accepts the nearest neighbour of a query if d1/d2 is at most the
// threshold, where d1 is its distance and d2 the distance of the second nearest
// neighbour. The ratio is 1 if d2 is 0. It is undefined if there is only one valid
// candidate; such queries are left out. The queries of all pairs of the scope are
// pooled.
type Sweep struct {
	Scope string // as in scope.Metric
	// Correspondences is the number of queries that have a candidate within the
	// tolerance of their projection, including queries with an invalid
	// descriptor. A perfect descriptor would find all of them, so it is the
	// denominator of recall (Mikolajczyk, Schmid 2005).
	Correspondences int
	Points          []RatioPoint // sorted by ratio
}

// A RatioPoint is the result of the ratio test at one threshold.
type RatioPoint struct {
	Ratio     float64 // the threshold
	Accepted  int     // queries with a ratio of at most Ratio
	Correct   int     // accepted queries whose nearest neighbour is within the tolerance
	Precision float64 // Correct / Accepted; NaN if Accepted is 0
	Recall    float64 // Correct / Correspondences; NaN if Correspondences is 0
}

// Metrics returns the sweep as metrics ratio_precision@0.50, ratio_recall@0.50
// and so on, without intervals.
func (s Sweep) Metrics() []scope.Metric {
	var out []scope.Metric
	add := func(name string, ratio, value float64, n int) {
		if n > 0 {
			out = append(out, scope.Metric{
				Scope: s.Scope, Name: fmt.Sprintf("%s@%.2f", name, ratio), Value: value, Low: math.NaN(), High: math.NaN(), N: n,
			})
		}
	}
	for _, p := range s.Points {
		add("ratio_precision", p.Ratio, p.Precision, p.Accepted)
		add("ratio_recall", p.Ratio, p.Recall, s.Correspondences)
	}
	return out
}

// A ratioTally holds the counts of the ratio test of one or several pairs.
type ratioTally struct {
	correspondences int32
	bars            [ratioSteps]ratioBar // not cumulative
}

// A ratioBar counts the queries that one threshold accepts but the next lower one
// rejects.
type ratioBar struct{ accepted, correct int32 }

// newRatioTally counts the queries of a pair with the given number of valid
// candidates.
func newRatioTally(queries []record.Query, validCandidates int32, tolerancePx float64) ratioTally {
	var t ratioTally
	if validCandidates < 2 {
		return t
	}
	for i := range queries {
		q := &queries[i]
		if q.Second < 0 && !q.Invalid {
			continue
		}
		near := q.Nearest >= 0 && q.NearestError <= tolerancePx
		if near || q.Truth >= 0 && q.TruthError <= tolerancePx {
			t.correspondences++
		}
		if q.Second < 0 {
			continue
		}
		ratio := distanceRatio(q.NearestDistance, q.SecondDistance)
		step := stepOf(ratio)
		t.bars[step].accepted++
		if near {
			t.bars[step].correct++
		}
	}
	return t
}

// stepOf returns the first step whose threshold accepts a ratio from 0 to 1.
func stepOf(ratio float64) int {
	step := max(0, int(ratio*100)-lowestRatio) // at most the step, even if the product is rounded up
	for ratio > threshold(step) {
		step++
	}
	return step
}

// threshold returns the threshold of a step, the float64 nearest to its hundredths.
func threshold(step int) float64 { return float64(lowestRatio+step) / 100 }

func (t *ratioTally) add(u *ratioTally) {
	t.correspondences += u.correspondences
	for i := range t.bars {
		t.bars[i].accepted += u.bars[i].accepted
		t.bars[i].correct += u.bars[i].correct
	}
}

func (t *ratioTally) points() []RatioPoint {
	out := make([]RatioPoint, ratioSteps)
	p := RatioPoint{}
	for i, bar := range t.bars {
		p.Ratio = threshold(i)
		p.Accepted += int(bar.accepted)
		p.Correct += int(bar.correct)
		p.Precision = mean(float64(p.Correct), p.Accepted)
		p.Recall = mean(float64(p.Correct), int(t.correspondences))
		out[i] = p
	}
	return out
}
