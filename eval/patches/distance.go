package patches

import "cmp"

// A Distance compares two descriptors. L2 and L2Squared give the same rankings; only
// the printed distances differ.
type Distance string

// The distances. MaskedL1 uses the first half of a row as values and the second half
// as their mask: Σ|a·mask(a) − b·mask(b)|, each side masked by its own mask. Hamming
// needs descriptors of 0 and 1.
const (
	L2        Distance = "L2"
	L2Squared Distance = "L2squared"
	L1        Distance = "L1"
	MaskedL1  Distance = "masked_L1"
	Hamming   Distance = "hamming"
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
