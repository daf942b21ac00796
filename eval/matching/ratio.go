package matching

import (
	"fmt"

	"descbench/eval/record"
	"descbench/eval/scope"
	"descbench/eval/stats"
)

// The ratio test is evaluated at 0.50, 0.51, …, 1.00. Its precision and recall at
// Lowe's threshold also have intervals.
const (
	ratioSteps  = 51
	lowestRatio = 50 // hundredths
	loweRatio   = 80
)

// A ratioTally holds the counts of the ratio test of one or several pairs.
//
// The test accepts the nearest neighbour of a query if d1/d2 is at most the
// threshold, where d1 is its distance and d2 the distance of the second nearest
// neighbour. The ratio is 1 if d2 is 0. It is undefined if there is only one valid
// candidate; such queries are left out.
type ratioTally struct {
	// correspondences is the number of queries that have a candidate within the
	// tolerance of their projection, including queries with an invalid
	// descriptor. A perfect descriptor would find all of them, so it is the
	// denominator of recall (Mikolajczyk, Schmid 2005).
	correspondences int32
	bars            [ratioSteps]ratioBar // not cumulative
}

// A ratioBar counts the queries that one threshold accepts but the next lower one
// rejects, and those of them whose nearest neighbour is within the tolerance.
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
		if q.Second < 0 && !q.Invalid || q.Unknown() {
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

// metrics returns precision and recall at every threshold as metrics of a scope,
// ratio_precision@0.50, ratio_recall@0.50 and so on, without intervals.
func (t *ratioTally) metrics(within string) []scope.Metric {
	var list scope.List
	var sum ratioBar
	for step, bar := range t.bars {
		sum.accepted += bar.accepted
		sum.correct += bar.correct
		for _, m := range []struct {
			name string
			of   int32
		}{{"precision", sum.accepted}, {"recall", t.correspondences}} {
			list.Add(within, fmt.Sprintf("ratio_%s@%.2f", m.name, threshold(step)), mean(float64(sum.correct), int(m.of)), int(m.of), stats.NoInterval())
		}
	}
	return list.Metrics
}
