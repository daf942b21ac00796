package ranking

import (
	"fmt"
	"slices"
	"strings"
)

// A TieRule determines the rank of a ground truth among candidates at exactly the
// same descriptor distance.
type TieRule uint8

const (
	// Mean gives it the mean rank: a constant descriptor scores like chance.
	Mean TieRule = iota
	// Strict ranks it first: a constant descriptor scores perfectly.
	Strict
	// Workbench gives it the mean rank, rounded up to an integer, as
	// DescriptorWorkbench does (github.com/F-Sossi/DescriptorWorkbench).
	Workbench
)

var tieRules = []string{"mean", "strict", "workbench"}

// String returns the name of the rule in configs.
func (r TieRule) String() string { return tieRules[r] }

// MarshalText returns the name of the rule.
func (r TieRule) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText sets the rule to that of a name.
func (r *TieRule) UnmarshalText(name []byte) error {
	i := slices.Index(tieRules, string(name))
	if i < 0 {
		return fmt.Errorf("tie rule %q, want one of %s", name, strings.Join(tieRules, ", "))
	}
	*r = TieRule(i)
	return nil
}

// Rank returns the rank, from 1, of a ground truth. less is the number of nearer
// candidates, equal the number of other candidates at the same distance. The rank
// is 1 + less + f(equal), where f(equal) is equal/2 (Mean), 0 (Strict) or
// ⌊(equal+1)/2⌋ (Workbench). With one relevant candidate, the average precision of
// the query is 1/Rank.
func Rank(less, equal int32, ties TieRule) float64 {
	rank := 1 + float64(less)
	switch ties {
	case Strict:
		return rank
	case Workbench:
		return rank + float64((int64(equal)+1)/2)
	}
	return rank + float64(equal)/2
}
