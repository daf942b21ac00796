package patches

import "cmp"

// A Distance compares two descriptors. L2 and L2Squared give the same rankings; only
// the printed distances differ.
type Distance string

// The distances. Of descriptors of 0 and 1, L1 and L2Squared are the Hamming distance.
const (
	L2        Distance = "L2"
	L2Squared Distance = "L2squared"
	L1        Distance = "L1"
)

// Text names the distance, "" that of results that were read, and says whether the
// descriptors are whitened first.
func (d Distance) Text(pcaPowerLaw bool) string {
	text := cmp.Or(string(d), "as in the results")
	if pcaPowerLaw {
		text += " after PCA and power law"
	}
	return text
}
