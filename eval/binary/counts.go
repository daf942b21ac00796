package binary

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// PositiveCounts counts, for one positive, the other samples of either class
// that are nearer, and those that are exactly as near.
type PositiveCounts struct {
	Nearer, Equal int64
}

// AveragePrecisionFromCounts returns the AveragePrecision of a Summary from
// counts alone, so that the negatives need never be listed: positive i is
// retrieved among the first Nearer+Equal+1 samples, and the positives among
// them are those of which the same sum is no larger. The order of the positives
// does not matter. It is NaN without positives; counts that no samples can have
// are an error.
func AveragePrecisionFromCounts(positives []PositiveCounts) (float64, error) {
	if len(positives) == 0 {
		return math.NaN(), nil
	}
	sorted := slices.SortedFunc(slices.Values(positives), func(a, b PositiveCounts) int {
		return cmp.Or(cmp.Compare(a.Nearer, b.Nearer), cmp.Compare(a.Equal, b.Equal))
	})
	sum := 0.0
	retrieved := int64(0) // by the groups before
	for i := 0; i < len(sorted); {
		group := sorted[i]
		start := i
		for i < len(sorted) && sorted[i] == group {
			i++
		}
		// Whatever is nearer than a group was retrieved at its end or before;
		// the group's own positives are among its equals.
		end := group.Nearer + group.Equal + 1
		if group.Nearer < retrieved || group.Equal < int64(i-start)-1 {
			return 0, fmt.Errorf("%d positives with %d samples nearer and %d as near, behind %d positives that end at %d: no samples have such counts",
				i-start, group.Nearer, group.Equal, start, retrieved)
		}
		sum += float64(float64(i-start) * float64(i) / float64(end))
		retrieved = end
	}
	return sum / float64(len(positives)), nil
}
