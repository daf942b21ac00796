package binary

import (
	"fmt"
	"math"
	"slices"

	"descbench/eval/internal/radix"
)

// Samples collects the distances of positives and negatives, 8 bytes each. The
// zero value is empty and ready for use.
type Samples struct {
	positives, negatives []radix.Key
}

// Add adds samples of one class. Distances must be finite; Curve panics if one
// is not.
func (s *Samples) Add(positive bool, distances ...float64) {
	class := &s.negatives
	if positive {
		class = &s.positives
	}
	*class = slices.Grow(*class, len(distances))
	for _, d := range distances {
		*class = append(*class, radix.KeyOf(d))
	}
}

// Merge adds the samples of other, which is not changed.
func (s *Samples) Merge(other *Samples) {
	s.positives = append(s.positives, other.positives...)
	s.negatives = append(s.negatives, other.negatives...)
}

// Len returns the number of samples of each class.
func (s *Samples) Len() (positives, negatives int) {
	return len(s.positives), len(s.negatives)
}

// Curve sorts the samples and moves them into a Curve; s is empty afterwards.
// Sorting needs 8 more bytes per sample of the larger class.
func (s *Samples) Curve() *Curve {
	c := &Curve{positives: s.positives, negatives: s.negatives, positiveCount: len(s.positives), negativeCount: len(s.negatives)}
	scratch := make([]radix.Key, max(len(c.positives), len(c.negatives)))
	for _, keys := range [][]radix.Key{c.positives, c.negatives} {
		radix.Sort(keys, scratch)
		// Non-finite values have been sorted to the ends.
		if n := len(keys); n > 0 {
			for _, k := range []radix.Key{keys[0], keys[n-1]} {
				if d := k.Value(); math.IsNaN(d) || math.IsInf(d, 0) {
					panic(fmt.Sprintf("binary: distance %v, want finite numbers", d))
				}
			}
		}
	}
	*s = Samples{}
	return c
}
