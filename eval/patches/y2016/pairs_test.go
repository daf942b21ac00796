package y2016

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"descbench/eval/must"
	"descbench/eval/patches"
)

func TestTheClassOfPairsComesFromTheirLabels(t *testing.T) {
	for lines, want := range map[string]Label{
		"v_x.ref.0,v_x.e1.0,1\nv_x.ref.1,v_x.e1.1,1\n": Positive,
		"v_x.ref.0,v_x.e1.1,0\n":                       Negative,
		"v_x.ref.0,v_x.e1.1,0\nv_x.ref.1,v_x.e1.1,1\n": Both,
	} {
		p := must.Get(ReadPairs("a.pairs", strings.NewReader(lines), Both))(t)
		if got := p.Class(); got != want {
			t.Errorf("%q: got %v, want %v", lines, got, want)
		}
	}
}

func TestWithoutLabelsEqualIndexesOfASequenceAreACluster(t *testing.T) {
	b := must.Get(ReadRetrievalBenchmark("b", strings.NewReader("v_x.ref,v_y.ref,v_x.e1\nv_x.e1.3\n")))(t)
	want := [][]patches.Signature{{{Sequence: "v_x", Image: "ref", Index: 3}, {Sequence: "v_x", Image: "e1", Index: 3}}}
	if got := b.SamePlace(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestThePlaceOfResultsTellsTheDescriptor(t *testing.T) {
	path := ResultsPath("results", Matching, "sift", "b/test_easy_illum.benchmark")
	if want := filepath.FromSlash("results/matching/sift/test_easy_illum.results"); path != want {
		t.Errorf("got %s, want %s", path, want)
	}
	if got, err := DescriptorOf(path); got != "sift" || err != nil {
		t.Errorf("%s: got %q, %v", path, got, err)
	}
	refuses(t, func(path string) error { _, err := DescriptorOf(path); return err }, map[string]string{
		"results/sift/matching/a.results": "results/sift/matching/a.results: <descriptor>/<task>/<file>" + ofV2 + "<task>/<descriptor>/<file>, or --name",
	})
}
