package matching

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"descbench/eval/scope"
)

func TestOrderChangesNoBit(t *testing.T) {
	viewpoint := scope.Subset{Name: "v", Contains: func(scene string) bool { return strings.HasPrefix(scene, "v_") }}
	rapid.Check(t, func(t *rapid.T) {
		tolerancePx := rapid.SampledFrom([]float64{0, 2.5, 3, 10}).Draw(t, "tolerance")
		records := drawRecords(t)

		one := newAccumulator(tolerancePx)
		add(t, one, records...)
		want := text(one.Result(viewpoint))

		// The same again in another order, each pair's queries shuffled.
		other := newAccumulator(tolerancePx)
		for _, r := range rapid.Permutation(records).Draw(t, "order of pairs") {
			add(t, other, pairRecord{r.pair, rapid.Permutation(r.queries).Draw(t, "order of queries")})
		}
		if got := text(other.Result(viewpoint)); got != want {
			t.Fatalf("got:\n%s\nwant:\n%s", got, want)
		}
	})
}

// good returns the record of a pair with nothing wrong.
func good() pairRecord {
	r := pairOf("v_a", 2, 3,
		row{nearest: 1, mutual: true, truth: 1, d1: 1, d2: 2, shared: true},
		row{nearest: 9, mutual: true, truth: none, d1: 1, d2: 2},
		row{nearest: none, truth: none, invalid: true})
	p := &r.pair
	p.Shared1, p.SharedK, p.Repeated1, p.RepeatedK, p.RepeatedOnce, p.RepeatErrorSum1, p.RepeatErrorSumK = 1, 2, 1, 2, 1, 3, 2
	r.pair.CorrectSharedK = 1
	EnterEstimateErrors(&r.pair, []EstimateError{{Estimator: "magsac", Px: 1}, {Estimator: "ransac", Px: none}})
	return r
}

func TestAddRefusesWhatDoesNotStandBesideTheRest(t *testing.T) {
	a := newAccumulator(3)
	add(t, a, good())
	for _, c := range []struct {
		name   string
		change func(*pairRecord)
		want   string
	}{
		{"the same pair", func(*pairRecord) {}, "d: v_a/1_2: added twice"},
		{"another descriptor", func(r *pairRecord) {
			r.pair.Descriptor = "e"
			for i := range r.queries {
				r.queries[i].Descriptor = "e"
			}
		}, `d: v_a/1_2: records of descriptor "e"`},
		{"other estimators", func(r *pairRecord) {
			*r = moved(*r, "i_b", 2)
			EnterEstimateErrors(&r.pair, []EstimateError{{Estimator: "ransac", Px: 1}})
		}, `errors of estimators ["ransac"], want ["magsac" "ransac"]`},
	} {
		r := good()
		c.change(&r)
		before := text(a.Result())
		if err := r.addTo(a); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want ... %s ...", c.name, err, c.want)
		}
		if text(a.Result()) != before {
			t.Errorf("%s: it was added nevertheless", c.name)
		}
	}
	add(t, a, moved(good(), "v_a", 3), moved(good(), "i_b", 2))
}

// moved returns the record as one of another pair.
func moved(r pairRecord, scene string, k int32) pairRecord {
	r.pair.Scene, r.pair.K = scene, k
	for i := range r.queries {
		r.queries[i].Scene, r.queries[i].K = scene, k
	}
	return r
}

func TestNothingAddedGivesNoMeans(t *testing.T) {
	r := newAccumulator(3).Result(scope.Subset{Name: "x", Contains: func(string) bool { return true }})
	for _, m := range r.Metrics {
		if m.Name != "total_mutual_matches" || m.Value != 0 || m.Scope != "all" {
			t.Errorf("there is %+v", m)
		}
	}
	if len(r.Facts) != 0 || len(r.Sweeps) != 0 {
		t.Errorf("facts %v, %d sweeps", r.Facts, len(r.Sweeps))
	}
}
