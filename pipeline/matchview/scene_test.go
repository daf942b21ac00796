package matchview

import (
	"syscall"
	"testing"

	"descbench/eval/ranking"
	"descbench/eval/record"
	"descbench/pipeline/fold"
	"descbench/pipeline/store"
)

// The first system ranks every ground truth first. What the second one does with the
// only query of the pair tells whether it has lost it.
func TestAQueryIsLostByAWrongMatchThatCounts(t *testing.T) {
	found := record.Query{Truth: 1, TruthError: 1, Nearest: 1, NearestError: 1, Candidates: 9}
	for _, c := range []struct {
		what  string
		rules ranking.Options
		q     record.Query
		lost  bool
	}{
		{"a wrong match", ranking.Options{}, record.Query{Truth: 1, TruthError: 1, Less: 4, Nearest: 5, NearestError: 50, Candidates: 9}, true},
		{"another keypoint within the tolerance", ranking.Options{}, record.Query{Truth: 1, TruthError: 1, Less: 4, Nearest: 5, NearestError: 2, Candidates: 9}, false},
		{"also found", ranking.Options{}, found, false},
		{"no match", ranking.Options{}, record.Query{Truth: 1, TruthError: 1, Less: 8, Nearest: -1, Candidates: 9, Invalid: true}, false},
		{"an invalid ground truth that the run excludes", ranking.Options{ExcludeInvalidTruths: true}, record.Query{Truth: 1, TruthError: 1, Less: 8, Nearest: 5, NearestError: 50, Candidates: 9}, false},
		{"beyond the limit of the run", ranking.Options{ExcludeBeyondPx: 100}, record.Query{ProjectedX: -101, Truth: 1, TruthError: 1, Less: 4, Nearest: 5, NearestError: 50, Candidates: 9}, false},
	} {
		c.rules.TolerancePx = 3
		systems := []*fold.System{{Rules: c.rules}, {Rules: c.rules}}
		pair := record.Pair{Scene: "v_a", K: 2, InvalidK: 1}
		won := [][]int{{0, 0}, {0, 0}}
		got := decided(0, []int{0, 0}, systems, []*record.Records{{Pair: pair, Queries: []record.Query{found}}, {Pair: pair, Queries: []record.Query{c.q}}}, won)
		if (len(got) == 1) != c.lost || (won[0][1] == 1) != c.lost {
			t.Errorf("%s: %d decided queries, lost %v", c.what, len(got), c.lost)
		}
		if c.lost && (got[0].Answers[0].Wrong || !got[0].Answers[1].Wrong) {
			t.Errorf("%s: answers %+v", c.what, got[0].Answers)
		}
	}
}

func TestImagesAreLeftOutUnlessTheMachineIsAtFault(t *testing.T) {
	for err, fails := range map[error]bool{syscall.ENOENT: false, syscall.EMFILE: true, syscall.ENFILE: true, syscall.ENOMEM: true} {
		var page ScenePage
		got := page.withoutImages(t.Context(), &store.Fault{Where: "v_a", Err: err})
		if (got != nil) != fails || (page.NoImages == "") != fails {
			t.Errorf("%v: %v, without images: %s", err, got, page.NoImages)
		}
	}
}
