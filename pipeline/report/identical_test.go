package report

import (
	"reflect"
	"testing"

	"descbench/eval/fact"
	"descbench/pipeline/fold"
	"descbench/pipeline/store"
)

func TestOnlyEqualResultsOnTheSameKeypointsAreIdentical(t *testing.T) {
	r := newRun(&store.Summary{})
	add := func(name, keypoints string, d store.SummaryDescriptor) {
		r.Systems = append(r.Systems, &fold.System{Name: name, Keypoints: keypoints, Run: r, Summary: d})
	}
	of := func(ap float64, ranks ...int64) store.SummaryDescriptor {
		return store.SummaryDescriptor{Metrics: store.Figures{{Name: "true_map_micro", Value: ap}}, RankHistogram: ranks, Scenes: map[string]store.SummaryScene{"v_a": {}}}
	}
	failed := store.SummaryDescriptor{Metrics: store.Figures{{Name: "total_matches"}}}
	add("a", "k", of(0.5, 1, 2))
	add("b", "k", of(0.5, 1, 2))
	add("other ranks", "k", of(0.5, 2, 1))
	add("other value", "k", of(0.6, 1, 2))
	add("other keypoints", "other", of(0.5, 1, 2))
	add("none", "k", failed)
	add("none either", "k", failed)
	if got, want := Identical(r), []fact.Fact{fact.New(fact.Identical).Naming("descriptors", "a", "b")}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	r.Summary.Warnings = store.Facts{fact.New(fact.NotReproducible)}
	if got := Identical(r); got != nil {
		t.Errorf("got %v of a program that is not reproducible", got)
	}
}
