package ranking

// A TieRule determines the rank of a ground truth among candidates at exactly the
// same descriptor distance.
type TieRule string

const (
	// Mean gives it the mean rank: a constant descriptor scores like chance.
	Mean TieRule = "mean"
	// Strict ranks it first: a constant descriptor scores perfectly.
	Strict TieRule = "strict"
	// Workbench gives it the mean rank, rounded up to an integer, as
	// DescriptorWorkbench does (github.com/F-Sossi/DescriptorWorkbench).
	Workbench TieRule = "workbench"
)

// Rank returns the rank, from 1, of a ground truth. less is the number of nearer
// candidates, equal the number of other candidates at the same distance. The rank
// is 1 + less + f(equal), where f(equal) is equal/2 (Mean, and by default), 0 (Strict) or
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
