package patches

import (
	"fmt"
	"strings"
)

// A Distance compares two descriptors. Rankings by L2 and by L2Squared are the
// same; what is printed differs.
type Distance string

// The distances. MaskedL1 takes the first half of a row as values and the
// second as their mask: Σ|a·mask(a) − b·mask(b)|, each side masked by its own
// mask. Hamming wants descriptors of 0 and 1.
const (
	L2        Distance = "L2"
	L2Squared Distance = "L2squared"
	L1        Distance = "L1"
	MaskedL1  Distance = "masked_L1"
	Hamming   Distance = "hamming"
)

// ParseDistance returns the distance of that name, which must be among allowed.
func ParseDistance(name string, allowed ...Distance) (Distance, error) {
	var names []string
	for _, d := range allowed {
		if string(d) == name {
			return d, nil
		}
		names = append(names, string(d))
	}
	return "", &OptionError{fmt.Sprintf("distance %q, want one of %s", name, strings.Join(names, ", "))}
}
