package matching

import (
	"fmt"

	"descbench/eval/record"
)

// check fails if the record of a pair was not made from its queries and under the
// matcher of matches, the indices of the matched queries.
func check(r record.Records, matches []int32) error {
	p := &r.Pair
	shared, correct := int32(0), int32(0)
	for i := range r.Queries {
		if r.Queries[i].Shared {
			shared++
		}
	}
	for _, i := range matches {
		if r.Queries[i].NearestError <= TolerancePx {
			correct++
		}
	}
	switch {
	case shared != p.Shared1:
		return fmt.Errorf("%d queries are in the shared region, want %d as in the record of the pair", shared, p.Shared1)
	case p.CorrectSharedK > correct:
		return fmt.Errorf("%d correct matches in the shared region, but only %d in total", p.CorrectSharedK, correct)
	}
	return nil
}
