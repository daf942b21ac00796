package fold

import (
	"slices"
	"testing"

	"descbench/eval/catalogue"
	"descbench/eval/ranking"
	"descbench/eval/record"
	"descbench/pipeline/config"
)

// Settings that can change a metric differ in the text; the preset is that of the
// keys it sets.
func TestProtocolNamesWhatDiffersFromTheDefaults(t *testing.T) {
	const r1 = "Ground truth within 3 px"
	for _, test := range []struct {
		invalid, truths bool
		beyond          float64
		want, key       string
	}{
		{false, true, 0, r1, "r1"},
		{false, false, 0, r1, "r1"},
		{true, true, 0, r1 + ", invalid queries and ground truths excluded", "r1 exclude_invalid=true exclude_invalid_truths=true"},
		{true, false, 0, r1 + ", invalid queries excluded", "r1 exclude_invalid=true"},
		{false, true, 2000, r1 + ", queries beyond 2000 px excluded", "r1 exclude_beyond_px=2000"},
		{true, false, 99.5, r1 + ", invalid queries excluded, queries beyond 99.5 px excluded", "r1 exclude_invalid=true exclude_beyond_px=99.5"},
	} {
		e := config.Evaluation{Options: ranking.Options{
			TolerancePx: 3, Ties: ranking.Mean, Relevance: ranking.NearestRelevant,
			ExcludeInvalid: test.invalid, ExcludeInvalidTruths: test.truths, ExcludeBeyondPx: test.beyond,
		}}
		c := &config.Config{Evaluation: e}
		if got, key := Protocol(c), protocol(c).Key(); got != test.want || key != test.key {
			t.Errorf("got %q, %q, want %q, %q", got, key, test.want, test.key)
		}
	}
}

func TestTheProtocolOfAMetricWithoutRanksIsUnranked(t *testing.T) {
	e := config.Evaluation{Options: ranking.Options{TolerancePx: 3, Ties: ranking.Strict, Relevance: ranking.NearestRelevant, ExcludeInvalid: true, ExcludeBeyondPx: 100}}
	const unranked = "Ground truth within 3 px"
	ranked := unranked + ", equal distances at their best rank, only the keypoint nearest to the projection is correct, invalid queries excluded, queries beyond 100 px excluded"
	for metric, want := range map[string]string{catalogue.MAP: ranked, "mma@3": unranked, "mean_precision": unranked} {
		if got := Setup(&config.Config{Evaluation: e}, catalogue.Of(metric)); !slices.Equal(got, []string{want}) {
			t.Errorf("%s: got %q, want %q", metric, got, want)
		}
	}
}

// The nearest candidate is the ground truth if and only if no other is as near or nearer,
// but a candidate at the same place may be the same answer.
func TestRanksThatContradictTheNearestCandidateAreRefused(t *testing.T) {
	for _, test := range []struct {
		truth, less, equal, nearest int32
		x                           float32 // of the nearest; the ground truth is at 0
		good                        bool
	}{
		{5, 0, 0, 5, 0, true}, {5, 3, 0, 7, 9, true}, {5, 0, 1, 4, 9, true}, {5, 0, 0, 4, 0.005, true},
		{-1, 0, 0, 4, 9, true}, {5, 0, 0, -1, 0, true},
		{5, 0, 0, 4, 9, false}, {5, 2, 0, 5, 0, false},
	} {
		q := record.Query{K: 2, Truth: test.truth, Less: test.less, Equal: test.equal, Nearest: test.nearest, NearestX: test.x}
		if err := contradiction([]record.Query{q}); (err == nil) != test.good {
			t.Errorf("%+v: %v", test, err)
		}
	}
}
