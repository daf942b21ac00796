package report

import (
	"reflect"
	"testing"

	"descbench/eval/fact"
	"descbench/pipeline/store"
)

func TestOnlyEqualResultsOnTheSameKeypointsAreIdentical(t *testing.T) {
	of := func(name string, ap float64, ranks ...int64) store.SummaryDescriptor {
		return store.SummaryDescriptor{Name: name, Metrics: store.Figures{{Name: "true_map_micro", Value: ap}}, RankHistogram: ranks, Scenes: map[string]store.SummaryScene{"v_a": {}}}
	}
	failed := func(name string) store.SummaryDescriptor {
		return store.SummaryDescriptor{Name: name, Metrics: store.Figures{{Name: "total_matches"}}}
	}
	s := &store.Summary{Descriptors: []store.SummaryDescriptor{
		of("a", 0.5, 1, 2), of("b", 0.5, 1, 2), of("other ranks", 0.5, 2, 1), of("other value", 0.6, 1, 2), of("other keypoints", 0.5, 1, 2), failed("none"), failed("none either"),
	}}
	keypoints := func(name string) string { return map[bool]string{true: "b", false: "a"}[name == "other keypoints"] }
	if got, want := Identical(s, keypoints), []fact.Fact{fact.New(fact.Identical).Naming("descriptors", "a", "b")}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	s.Warnings = store.Facts{fact.New(fact.NotReproducible)}
	if got := Identical(s, keypoints); got != nil {
		t.Errorf("got %v of a program that is not reproducible", got)
	}
}
