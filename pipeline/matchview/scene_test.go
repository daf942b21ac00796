package matchview

import (
	"testing"

	"descbench/eval"
)

// The first system ranks every ground truth first. What the second one does with the
// only query of the pair tells whether it has lost it.
func TestAQueryIsLostByAWrongMatchThatCounts(t *testing.T) {
	found := eval.Query{Truth: 1, TruthError: 1, Nearest: 1, NearestError: 1, Candidates: 9}
	for _, c := range []struct {
		what  string
		rules eval.Options
		q     eval.Query
		lost  bool
	}{
		{"a wrong match", eval.Options{}, eval.Query{Truth: 1, TruthError: 1, Less: 4, Nearest: 5, NearestError: 50, Candidates: 9}, true},
		{"another keypoint within the tolerance", eval.Options{}, eval.Query{Truth: 1, TruthError: 1, Less: 4, Nearest: 5, NearestError: 2, Candidates: 9}, false},
		{"also found", eval.Options{}, found, false},
		{"no match", eval.Options{}, eval.Query{Truth: 1, TruthError: 1, Less: 8, Nearest: -1, Candidates: 9, Invalid: true}, false},
		{"an invalid ground truth that the run excludes", eval.Options{ExcludeInvalidTruths: true}, eval.Query{Truth: 1, TruthError: 1, Less: 8, Nearest: 5, NearestError: 50, Candidates: 9}, false},
		{"beyond the limit of the run", eval.Options{ExcludeBeyondPx: 100}, eval.Query{ProjectedX: -101, Truth: 1, TruthError: 1, Less: 4, Nearest: 5, NearestError: 50, Candidates: 9}, false},
	} {
		c.rules.TolerancePx = 3
		v := &View{Systems: []*System{{rules: c.rules}, {rules: c.rules}}}
		pair := eval.Pair{Scene: "v_a", K: 2, InvalidK: 1}
		got := v.decided(0, []int{0, 0}, []*eval.Records{{Pair: pair, Queries: []eval.Query{found}}, {Pair: pair, Queries: []eval.Query{c.q}}})
		if (len(got) == 1) != c.lost {
			t.Errorf("%s: %d decided queries, lost %v", c.what, len(got), c.lost)
		}
		if c.lost && (got[0].Answers[0].Wrong || !got[0].Answers[1].Wrong) {
			t.Errorf("%s: answers %+v", c.what, got[0].Answers)
		}
	}
}
