package ranking

import (
	"math"
	"slices"
	"strings"
	"testing"

	"descbench/eval/fact"
	"descbench/eval/scope"
)

// truths returns a pair with 7 valid and 3 invalid candidates: valid queries with
// rank 1, some with an invalid ground truth, which is behind all others, and some
// invalid ones.
func truths(valid, invalidTruths, invalidQueries int) pairRecord {
	rows := slices.Concat(
		slices.Repeat([]row{{truth: 1, nearest: 1}}, valid),
		slices.Repeat([]row{{truth: 1, less: 9, nearest: 50}}, invalidTruths),
		slices.Repeat([]row{{truth: 1, less: 9, nearest: none, invalid: true}}, invalidQueries),
	)
	return pairOf("v_a", 2, 10, 3, rows...)
}

func TestExcludedInvalidRowsAreThoseOfQueriesAndOfTruths(t *testing.T) {
	for _, c := range []struct {
		opt       Options
		processed int
		micro     float64
	}{
		{Options{}, 10, (5 + 5*0.1) / 10},
		{Options{ExcludeInvalid: true}, 8, (5 + 3*0.1) / 8},
		{Options{ExcludeInvalidTruths: true}, 7, (5 + 2*0.1) / 7},
		{Options{ExcludeInvalid: true, ExcludeInvalidTruths: true}, 5, 1},
	} {
		c.opt.TolerancePx = 3
		a := newAccumulator(c.opt)
		add(t, a, truths(5, 3, 2))
		r := a.Result()
		for name, want := range map[string]float64{
			"true_map_micro": c.micro, "coverage": float64(c.processed) / 10, "mrr@10": c.micro,
			// Whatever is excluded:
			"true_map_micro_including_invalid": 0.55, "true_map_micro_excluding_invalid": 1, "total_queries_invalid": 5,
		} {
			if got, _ := value(r, "all", name); math.Abs(got-want) > 1e-15 {
				t.Errorf("%+v: %s is %v, want %v", c.opt, name, got, want)
			}
		}
	}
}

func TestAValidTruthBehindAllValidCandidatesIsValid(t *testing.T) {
	a := newAccumulator(Options{TolerancePx: 3, ExcludeInvalidTruths: true})
	add(t, a, pairOf("v_a", 2, 10, 3, row{truth: 1, less: 6, nearest: 50}, row{truth: 1, less: 2, equal: 4, nearest: 50}),
		pairOf("v_b", 2, 10, 0, row{truth: 1, less: 9, nearest: 50}))
	if got := a.Result().Scenes; got[0].Processed != 2 || got[1].Processed != 1 {
		t.Errorf("%d and %d processed, want 2 and 1", got[0].Processed, got[1].Processed)
	}
}

func TestBothFiguresAreGivenAboveFivePerCentOnly(t *testing.T) {
	warning := []fact.Fact{fact.New(fact.InvalidQueries).Counting(5, 99).With("share", 5./99).With("with", 94.5/99).With("without", 1)}
	for _, c := range []struct {
		valid int
		want  []fact.Fact
	}{{95, nil}, {94, warning}} { // 5 of 100, 5 of 99
		for _, exclude := range []bool{false, true} {
			a := newAccumulator(Options{TolerancePx: 3, ExcludeInvalid: exclude, ExcludeInvalidTruths: exclude})
			add(t, a, truths(c.valid, 3, 2))
			r := a.Result()
			reported := slices.ContainsFunc(r.Metrics, func(m scope.Metric) bool { return strings.HasSuffix(m.Name, "_invalid") })
			if got := ofKind(r.Facts, fact.InvalidQueries); reported != (c.want != nil) || !same(got, c.want) {
				t.Errorf("5 of %d, exclude %v: figures reported %v, want %v: %v", c.valid+5, exclude, reported, c.want, got)
			}
		}
	}
}
