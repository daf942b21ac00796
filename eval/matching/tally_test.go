package matching

import (
	"math"
	"testing"

	"descbench/eval/record"
)

// matchAt returns the record of a query at (x, y) of image 1 that is matched with (u, v) of
// image K, in which everything is twice as large.
func matchAt(x, y, u, v float32) record.Query {
	return record.Query{
		X: x, Y: y, Nearest: 0, NearestX: u, NearestY: v, Shared: true,
		NearestError: math.Hypot(float64(u)-2*float64(x), float64(v)-2*float64(y)),
	}
}

func tallyOf(queries ...record.Query) *pairTally {
	r := record.Records{Queries: queries, Pair: record.Pair{Shared1: int32(len(queries)), Width1: 1, Height1: 1, WidthK: 2, HeightK: 2}}
	r.Pair.SetHomography([9]float64{2, 0, 0, 0, 2, 0, 0, 0, 1})
	matches := make([]int32, len(queries))
	for i := range matches {
		matches[i] = int32(i)
	}
	return newPairTally(r, matches, 3)
}

// glue-factory's error is the mean of the distances in both images, and its precision
// counts the errors below the limit: 4 px in image K are 2 px in image 1, in the mean 3.
func TestSymmetricPrecisionCountsWhatIsBelowTheLimit(t *testing.T) {
	tally := tallyOf(matchAt(10, 10, 20, 24), matchAt(10, 10, 20, 23.9), matchAt(10, 10, 20, 21.4), matchAt(10, 10, 20, 21.2))
	if one, three := tally.symmetric(0), tally.symmetric(1); one != 1./4 || three != 3./4 {
		t.Errorf("%v below 1 px and %v below 3 px, want 1/4 and 3/4", one, three)
	}
	none, unknown := tallyOf(), newPairTally(record.Records{}, nil, 3)
	if none.symmetric(1) != 0 || !math.IsNaN(unknown.symmetric(1)) {
		t.Errorf("%v without matches, %v without mapping, want 0 and NaN", none.symmetric(1), unknown.symmetric(1))
	}
}
