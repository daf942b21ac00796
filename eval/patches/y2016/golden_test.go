package y2016

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"descbench/eval/patches"
	"descbench/eval/patches/goldentest"
	"descbench/internal/must"
)

// handCases is the folder of cases to work out on paper, laid out as the golden
// data.
const handCases = "testdata"

func asJSON(t testing.TB, v any) any {
	t.Helper()
	data := must.Get(json.Marshal(v))(t)
	var out any
	must.Do(t, json.Unmarshal(data, &out))
	return out
}

func open[T any](t testing.TB, read func(name string, f *os.File) (T, error), path ...string) T {
	t.Helper()
	name := filepath.Join(path...)
	f := must.Get(os.Open(name))(t)
	defer f.Close()
	return must.Get(read(name, f))(t)
}

func openResults(t testing.TB, path ...string) *Results {
	return open(t, func(name string, f *os.File) (*Results, error) { return ReadResults(name, f, LabelOf(name)) }, path...)
}

func loadSift(t testing.TB, dir string) *patches.Set {
	t.Helper()
	folder := filepath.Join(dir, "small", "descriptors", "sift")
	wanted := must.Get(patches.Find(folder, ".csv", "descriptors"))(t)
	return must.Get(patches.Load(context.Background(), goldentest.Open, folder, wanted, 0))(t)
}

func evaluateClasses(t testing.TB, positives, negatives *Results) map[string]any {
	t.Helper()
	r := must.Get(EvaluateClassification(NewClasses(positives, negatives)))(t)
	return asJSON(t, r).(map[string]any)
}

func TestClassificationByHand(t *testing.T) {
	const dir = handCases
	expected := goldentest.Expected[map[string]map[string]any](t, dir)["original_formats"]
	c := &comparison{t: t}
	for _, name := range []string{"alltied", "imbalanced", "inverted", "perfect", "simple", "ties"} {
		positives := openResults(t, dir, "hand", "classification", name+"_pos.results")
		negatives := openResults(t, dir, "hand", "classification", name+"_neg.results")
		c.same(name, evaluateClasses(t, positives, negatives)["imbalanced"], expected["hand/classification/"+name])
	}
	c.report()
}

func TestClassificationOfResultFilesAndOfDescriptors(t *testing.T) {
	dir := goldentest.Folder(t, "../../../..")
	expected := goldentest.Expected[map[string]map[string]any](t, dir)["original_formats"]
	set := loadSift(t, dir)
	fromFile, computed := &comparison{t: t}, &comparison{t: t}
	for _, negative := range []string{"diffseq", "sameseq"} {
		for _, positive := range []string{"easy", "hard"} {
			var results, written [2]*Results
			for i, name := range []string{"test_pos_" + positive, "test_neg_" + negative} {
				results[i] = openResults(t, dir, "v1", "results", "classification", "sift", name+".results")
				pairs := open(t, func(name string, f *os.File) (*Pairs, error) { return ReadPairs(name, f, LabelOf(name)) },
					dir, "v1", "benchmarks", "classification", name+".pairs")
				r, err := Compare(context.Background(), set, pairs, patches.L2Squared, 0)
				if err != nil {
					t.Fatal(err)
				}
				for k, d := range r.Distance {
					if d != results[i].Distance[k] {
						t.Fatalf("%s: pair %d is at %v, want %v as in the results", name, k, d, results[i].Distance[k])
					}
				}
				var file bytes.Buffer
				must.Do(t, r.Write(&file))
				if written[i], err = ReadResults(name, &file, LabelOf(name)); err != nil {
					t.Fatal(err)
				}
			}
			got := evaluateClasses(t, results[0], results[1])
			again := evaluateClasses(t, written[0], written[1])
			for _, protocol := range []string{"balanced", "imbalanced"} {
				name := "classification/sift/" + negative + "_" + positive + "/" + protocol
				fromFile.same(name, got[protocol], expected[name])
				computed.same(name, again[protocol], expected[name])
			}
		}
	}
	fromFile.report()
	computed.report()
}

func openMatching(t testing.TB, set *patches.Set, benchmarks, results, name string) (*MatchingBenchmark, *MatchingLabels, []Matches) {
	t.Helper()
	b := open(t, func(name string, f *os.File) (*MatchingBenchmark, error) { return ReadMatchingBenchmark(name, f) }, benchmarks, name+".benchmark")
	labels := open(t, func(name string, f *os.File) (*MatchingLabels, error) { return ReadMatchingLabels(name, f, b) }, benchmarks, name+".labels")
	matches := open(t, func(name string, f *os.File) ([]Matches, error) { return ReadMatches(name, f, b, labels) }, results, name+".results")
	return b, labels, matches
}

func TestMatchingByHand(t *testing.T) {
	const dir = handCases
	expected := goldentest.Expected[map[string]map[string]any](t, dir)["original_formats"]
	c := &comparison{t: t}
	for _, name := range []string{"boring_crossed", "boring_identity", "five", "five_ties"} {
		folder := filepath.Join(dir, "hand", "matching")
		_, labels, matches := openMatching(t, nil, folder, folder, name)
		r := must.Get(EvaluateMatching(matches, labels))(t)
		c.same(name, asJSON(t, r), expected["hand/matching/"+name])
	}
	c.report()
}

func TestMatchingOfResultFilesAndOfDescriptors(t *testing.T) {
	dir := goldentest.Folder(t, "../../../..")
	expected := goldentest.Expected[map[string]map[string]any](t, dir)["original_formats"]
	set := loadSift(t, dir)
	fromFile, computed := &comparison{t: t}, &comparison{t: t}
	for _, name := range []string{"test_easy_illum", "test_easy_viewpoint", "test_hard_illum", "test_hard_viewpoint"} {
		b, labels, matches := openMatching(t, set, filepath.Join(dir, "v1", "benchmarks", "matching"), filepath.Join(dir, "v1", "results", "matching", "sift"), name)
		r, err := EvaluateMatching(matches, labels)
		if err != nil {
			t.Fatal(err)
		}
		fromFile.same(name, asJSON(t, r), expected["matching/sift/"+name])

		matches, err = Match(context.Background(), set, b, patches.L2Squared, 0)
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		must.Do(t, WriteMatches(&file, matches))
		want, err := os.ReadFile(filepath.Join(dir, "v1", "results", "matching", "sift", name+".results"))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(file.Bytes(), want) {
			t.Errorf("%s: the results written differ from the file", name)
		}
		again, err := ReadMatches(name, &file, b, labels)
		if err != nil {
			t.Fatal(err)
		}
		if r, err = EvaluateMatching(again, labels); err != nil {
			t.Fatal(err)
		}
		computed.same(name, asJSON(t, r), expected["matching/sift/"+name])
	}
	fromFile.report()
	computed.report()
}

func openRetrieval(t testing.TB, set *patches.Set, benchmarks, results, name string) (*RetrievalBenchmark, [][]patches.Signature, [][]patches.Signature) {
	t.Helper()
	b := open(t, func(name string, f *os.File) (*RetrievalBenchmark, error) { return ReadRetrievalBenchmark(name, f) }, benchmarks, name+".benchmark")
	clusters := open(t, func(name string, f *os.File) ([][]patches.Signature, error) {
		return ReadClusters(name, f, b, set)
	}, benchmarks, name+".labels")
	rankings := open(t, func(name string, f *os.File) ([][]patches.Signature, error) {
		return ReadRankings(name, f, b, set)
	}, results, name+".results")
	return b, clusters, rankings
}

func TestRetrievalByHand(t *testing.T) {
	const dir = handCases
	folder := filepath.Join(dir, "hand", "retrieval")
	b, clusters, rankings := openRetrieval(t, nil, folder, folder, "ranks")
	r := must.Get(EvaluateRetrieval(b, clusters, rankings, nil))(t)
	c := &comparison{t: t}
	c.same("ranks", asJSON(t, r), goldentest.Expected[map[string]map[string]any](t, dir)["original_formats"]["hand/retrieval/ranks"])
	c.report()
}

func TestRetrievalOfResultFilesAndOfDescriptors(t *testing.T) {
	dir := goldentest.Folder(t, "../../../..")
	expected := goldentest.Expected[map[string]map[string]any](t, dir)["original_formats"]
	set := loadSift(t, dir)
	fromFile, computed := &comparison{t: t}, &comparison{t: t}
	for _, name := range []string{"test_easy_2s_00", "test_easy_5s_00", "test_hard_2s_00", "test_hard_5s_00"} {
		results := filepath.Join(dir, "v1", "results", "retrieval", "sift")
		b, clusters, rankings := openRetrieval(t, set, filepath.Join(dir, "v1", "benchmarks", "retrieval"), results, name)
		r := must.Get(EvaluateRetrieval(b, clusters, rankings, set))(t)
		fromFile.same(name, asJSON(t, r), expected["retrieval/sift/"+name])

		ranked, _, err := Retrieve(context.Background(), set, b, patches.L2Squared, 0)
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		must.Do(t, WriteRankings(&file, b, ranked))
		want := must.Get(os.ReadFile(filepath.Join(results, name+".results")))(t)
		if !bytes.Equal(file.Bytes(), want) {
			t.Errorf("%s: the results written differ from the file", name)
		}
		again := must.Get(ReadRankings(name, &file, b, set))(t)
		if r, err = EvaluateRetrieval(b, clusters, again, set); err != nil {
			t.Fatal(err)
		}
		computed.same(name, asJSON(t, r), expected["retrieval/sift/"+name])
	}
	fromFile.report()
	computed.report()
}

// A comparison holds JSON against what is expected, which has a value for every field.
type comparison struct {
	t       *testing.T
	largest float64
	count   int
}

// same compares the values at a path.
func (c *comparison) same(path string, got, want any) {
	c.t.Helper()
	switch got := got.(type) {
	case map[string]any:
		want, _ := want.(map[string]any)
		for name, g := range got {
			w, ok := want[name]
			if !ok {
				c.t.Errorf("%s: field %s is not expected", path, name)
				continue
			}
			c.same(path+"/"+name, g, w)
		}
	case []any:
		want, _ := want.([]any)
		if len(got) != len(want) {
			c.t.Errorf("%s: %d entries, want %d", path, len(got), len(want))
			return
		}
		for i := range want {
			c.same(path+"/"+strconv.Itoa(i), got[i], want[i])
		}
	case float64:
		c.count++
		w, ok := want.(float64)
		d := math.Abs(got - w)
		c.largest = max(c.largest, d)
		if !ok || !(d <= 1e-9) {
			c.t.Errorf("%s: got %v, want %v", path, got, want)
		}
	default:
		c.count++
		if got != want {
			c.t.Errorf("%s: got %v, want %v", path, got, want)
		}
	}
}

// report logs the largest deviation, and fails if nothing was compared.
func (c *comparison) report() {
	c.t.Helper()
	if c.count == 0 {
		c.t.Error("nothing was compared")
	}
	c.t.Logf("%d figures, largest deviation %.1e", c.count, c.largest)
}
