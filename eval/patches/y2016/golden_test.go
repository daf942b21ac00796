package y2016

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"descbench/eval/must"
	"descbench/eval/patches"
	"descbench/eval/patches/goldentest"
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

func open[T any](t testing.TB, read func(name string, r io.Reader) (T, error), path ...string) T {
	t.Helper()
	name := filepath.Join(path...)
	f := must.Get(os.Open(name))(t)
	defer f.Close()
	return must.Get(read(name, f))(t)
}

func openResults(t testing.TB, path ...string) *Results {
	return open(t, func(name string, r io.Reader) (*Results, error) { return ReadResults(name, r, LabelOf(name)) }, path...)
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
	expected := expectedOf(t, handCases)
	for _, name := range []string{"alltied", "imbalanced", "inverted", "perfect", "simple", "ties"} {
		positives := openResults(t, handCases, "hand", "classification", name+"_pos.results")
		negatives := openResults(t, handCases, "hand", "classification", name+"_neg.results")
		same(t, name, evaluateClasses(t, positives, negatives)["imbalanced"], expected["hand/classification/"+name])
	}
}

func TestClassificationOfResultFilesAndOfDescriptors(t *testing.T) {
	dir := goldentest.Folder(t, "../../../..")
	expected := expectedOf(t, dir)
	set := loadSift(t, dir)
	for _, negative := range []string{"diffseq", "sameseq"} {
		for _, positive := range []string{"easy", "hard"} {
			var results [2]*Results
			for i, name := range []string{"test_pos_" + positive, "test_neg_" + negative} {
				results[i] = openResults(t, dir, "v1", "results", "classification", "sift", name+".results")
				pairs := open(t, func(name string, r io.Reader) (*Pairs, error) { return ReadPairs(name, r, LabelOf(name)) },
					dir, "v1", "benchmarks", "classification", name+".pairs")
				computed := must.Get(Compare(context.Background(), set, pairs, patches.L2Squared, 0))(t)
				if !slices.Equal(computed.Distance, results[i].Distance) {
					t.Fatalf("%s: distances differ from those of the results", name)
				}
			}
			got := evaluateClasses(t, results[0], results[1])
			for _, protocol := range []string{"balanced", "imbalanced"} {
				name := "classification/sift/" + negative + "_" + positive + "/" + protocol
				same(t, name, got[protocol], expected[name])
			}
		}
	}
}

func openMatching(t testing.TB, benchmarks, results, name string) (*MatchingBenchmark, *MatchingLabels, []Matches) {
	t.Helper()
	b := open(t, ReadMatchingBenchmark, benchmarks, name+".benchmark")
	labels := open(t, func(name string, r io.Reader) (*MatchingLabels, error) { return ReadMatchingLabels(name, r, b) }, benchmarks, name+".labels")
	matches := open(t, func(name string, r io.Reader) ([]Matches, error) { return ReadMatches(name, r, b, labels) }, results, name+".results")
	return b, labels, matches
}

func TestMatchingByHand(t *testing.T) {
	expected := expectedOf(t, handCases)
	folder := filepath.Join(handCases, "hand", "matching")
	for _, name := range []string{"boring_crossed", "boring_identity", "five", "five_ties"} {
		_, labels, matches := openMatching(t, folder, folder, name)
		r := must.Get(EvaluateMatching(matches, labels))(t)
		same(t, name, asJSON(t, r), expected["hand/matching/"+name])
	}
}

// wantFile compares what is written with a file.
func wantFile(t *testing.T, path string, write func(io.Writer) error) {
	t.Helper()
	var got bytes.Buffer
	must.Do(t, write(&got))
	if want := must.Get(os.ReadFile(path))(t); !bytes.Equal(got.Bytes(), want) {
		t.Errorf("the results written differ from %s", path)
	}
}

func TestMatchingOfResultFilesAndOfDescriptors(t *testing.T) {
	dir := goldentest.Folder(t, "../../../..")
	expected := expectedOf(t, dir)
	set := loadSift(t, dir)
	results := filepath.Join(dir, "v1", "results", "matching", "sift")
	for _, name := range []string{"test_easy_illum", "test_easy_viewpoint", "test_hard_illum", "test_hard_viewpoint"} {
		b, labels, matches := openMatching(t, filepath.Join(dir, "v1", "benchmarks", "matching"), results, name)
		r := must.Get(EvaluateMatching(matches, labels))(t)
		same(t, name, asJSON(t, r), expected["matching/sift/"+name])
		computed := must.Get(Match(context.Background(), set, b, patches.L2Squared, 0))(t)
		wantFile(t, filepath.Join(results, name+".results"), func(w io.Writer) error { return WriteMatches(w, computed) })
	}
}

func openRetrieval(t testing.TB, set *patches.Set, benchmarks, results, name string) (*RetrievalBenchmark, [][]patches.Signature, [][]patches.Signature) {
	t.Helper()
	b := open(t, ReadRetrievalBenchmark, benchmarks, name+".benchmark")
	clusters := open(t, func(name string, r io.Reader) ([][]patches.Signature, error) {
		return ReadClusters(name, r, b, set)
	}, benchmarks, name+".labels")
	rankings := open(t, func(name string, r io.Reader) ([][]patches.Signature, error) {
		return ReadRankings(name, r, b, set)
	}, results, name+".results")
	return b, clusters, rankings
}

func TestRetrievalByHand(t *testing.T) {
	folder := filepath.Join(handCases, "hand", "retrieval")
	b, clusters, rankings := openRetrieval(t, nil, folder, folder, "ranks")
	r := must.Get(EvaluateRetrieval(b, clusters, rankings, nil))(t)
	same(t, "ranks", asJSON(t, r), expectedOf(t, handCases)["hand/retrieval/ranks"])
}

func TestRetrievalOfResultFilesAndOfDescriptors(t *testing.T) {
	dir := goldentest.Folder(t, "../../../..")
	expected := expectedOf(t, dir)
	set := loadSift(t, dir)
	results := filepath.Join(dir, "v1", "results", "retrieval", "sift")
	for _, name := range []string{"test_easy_2s_00", "test_easy_5s_00", "test_hard_2s_00", "test_hard_5s_00"} {
		b, clusters, rankings := openRetrieval(t, set, filepath.Join(dir, "v1", "benchmarks", "retrieval"), results, name)
		r := must.Get(EvaluateRetrieval(b, clusters, rankings, set))(t)
		same(t, name, asJSON(t, r), expected["retrieval/sift/"+name])
		computed, _, err := Retrieve(context.Background(), set, b, patches.L2Squared, 0)
		must.Do(t, err)
		wantFile(t, filepath.Join(results, name+".results"), func(w io.Writer) error { return WriteRankings(w, b, computed) })
	}
}

func expectedOf(t *testing.T, dir string) map[string]any {
	t.Helper()
	return goldentest.Expected[map[string]map[string]any](t, dir)["original_formats"]
}

// same compares JSON with what is expected, which has a value for every field.
func same(t *testing.T, path string, got, want any) {
	t.Helper()
	switch got := got.(type) {
	case map[string]any:
		want, _ := want.(map[string]any)
		for name, g := range got {
			w, ok := want[name]
			if !ok {
				t.Errorf("%s: field %s is not expected", path, name)
				continue
			}
			same(t, path+"/"+name, g, w)
		}
	case []any:
		want, _ := want.([]any)
		if len(got) != len(want) {
			t.Errorf("%s: %d entries, want %d", path, len(got), len(want))
			return
		}
		for i := range want {
			same(t, path+"/"+strconv.Itoa(i), got[i], want[i])
		}
	case float64:
		w, ok := want.(float64)
		if !ok || !(math.Abs(got-w) <= 1e-9) {
			t.Errorf("%s: got %v, want %v", path, got, want)
		}
	default:
		if got != want {
			t.Errorf("%s: got %v, want %v", path, got, want)
		}
	}
}
