package y2016

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"descbench/eval/patches"
)

func TestTheClassOfPairsComesFromLabelsElseFromTheName(t *testing.T) {
	for _, c := range []struct {
		name, lines string
		want        Label
	}{
		{"a.pairs", "v_x.ref.0,v_x.e1.0,1\nv_x.ref.1,v_x.e1.1,1\n", Positive},
		{"a.pairs", "v_x.ref.0,v_x.e1.1,0\n", Negative},
		{"a.pairs", "v_x.ref.0,v_x.e1.1,0\nv_x.ref.1,v_x.e1.1,1\n", Unlabelled},
		{"test_easy_pos.pairs", "v_x.ref.0,v_x.e1.0\n", Positive},
		{"test_diffseq_neg.pairs", "v_x.ref.0,v_y.e1.0\n", Negative},
	} {
		p, err := ReadPairs(c.name, strings.NewReader(c.lines), LabelOf(c.name))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := p.Class(); got != c.want || err != nil {
			t.Errorf("%s %q: got %v, %v; want %v", c.name, c.lines, got, err, c.want)
		}
	}
	p, err := ReadPairs("a.pairs", strings.NewReader("v_x.ref.0,v_x.e1.0\n"), Unlabelled)
	if err != nil {
		t.Fatal(err)
	}
	var fault *patches.Fault
	if _, err := p.Class(); !errors.As(err, &fault) || fault.File != "a.pairs" {
		t.Errorf("pairs without labels and with a name that tells nothing: got %v, want a fault of a.pairs", err)
	}
}

func TestABenchmarkOfTheSecondVariantLabelsItsPairs(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"x.benchmark": "p.pairs\nn.pairs\n",
		"p.pairs":     "v_x.ref.0,v_x.e1.0\n",
		"n.pairs":     "v_x.ref.0,v_y.e1.0\nv_x.ref.1,v_y.e1.1\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	positives, negatives, err := OpenClassificationBenchmark(filepath.Join(dir, "x.benchmark"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := positives.Labels(), []Label{1}; !reflect.DeepEqual(got, want) {
		t.Errorf("positives are labelled %v, want %v", got, want)
	}
	if got, want := negatives.Labels(), []Label{0, 0}; !reflect.DeepEqual(got, want) {
		t.Errorf("negatives are labelled %v, want %v", got, want)
	}
	if err := os.Remove(filepath.Join(dir, "n.pairs")); err != nil {
		t.Fatal(err)
	}
	if _, _, err := OpenClassificationBenchmark(filepath.Join(dir, "x.benchmark")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a list that is missing: got %v, want one that says so", err)
	}
}

func TestWithoutLabelsEqualIndexesOfASequenceAreACluster(t *testing.T) {
	b, err := ReadRetrievalBenchmark("b", strings.NewReader("v_x.ref,v_y.ref,v_x.e1\nv_x.e1.3\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := [][]patches.Signature{{{Sequence: "v_x", Image: "ref", Index: 3}, {Sequence: "v_x", Image: "e1", Index: 3}}}
	if got := b.SamePlace(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestThePlaceOfResultsTellsTheDescriptor(t *testing.T) {
	for _, v := range []Variant{V1, V2} {
		path := ResultsPath("results", v, Matching, "sift", "b/test_easy_illum.benchmark")
		if got := DescriptorOf(path); got != "sift" {
			t.Errorf("%s: got %q, want sift", path, got)
		}
	}
}
