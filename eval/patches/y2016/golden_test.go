package y2016

import (
	"bytes"
	"context"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"descbench/eval/binary"
	"descbench/eval/must"
	"descbench/eval/patches"
	"descbench/eval/patches/goldentest"
)

// handCases is the folder of cases to work out on paper, laid out as the golden
// data.
const handCases = "testdata"

// figures are those of expected.json for a file of a task.
type figures struct {
	// Classification.
	P, N  int64
	AUC   float64 `json:"auc_mid"`
	EER   float64 `json:"eer_interp"`
	FPR95 float64 `json:"fpr95_step"`
	AP    float64 `json:"ap_sklearn"`
	// Matching.
	MAP      float64 `json:"map_over_correct"`
	MAPRatio float64 `json:"map_2nnr_over_correct"`
	Share    float64 `json:"msr"`
	Pairs    []struct {
		AP      float64 `json:"ap_over_correct"`
		APRatio float64 `json:"ap_2nnr_over_correct"`
		Share   float64 `json:"sr"`
	}
	// Retrieval.
	ImageMAP    float64   `json:"image_map"`
	PatchMAP    float64   `json:"patch_map"`
	ChanceImage float64   `json:"chance_image"`
	ChancePatch float64   `json:"chance_patch"`
	ImageAP     []float64 `json:"image_ap"`
	PatchAP     []float64 `json:"patch_ap"`
}

func expectedOf(t *testing.T, dir string) map[string]figures {
	t.Helper()
	return goldentest.Expected[struct {
		Formats map[string]figures `json:"original_formats"`
	}](t, dir).Formats
}

// equals compares the metrics of classes.
func (want figures) equals(t *testing.T, name string, got binary.Summary) {
	t.Helper()
	if got.Positives != want.P || got.Negatives != want.N {
		t.Errorf("%s: %d positives and %d negatives, want %d and %d", name, got.Positives, got.Negatives, want.P, want.N)
	}
	near(t, name, []float64{got.ROCAUC, got.EER, got.FPR95, got.AveragePrecision}, []float64{want.AUC, want.EER, want.FPR95, want.AP})
}

// equalsMeans compares the means of a result, in their order, and their values.
func (want figures) equalsMeans(t *testing.T, name string, got *Result) {
	t.Helper()
	means, values := []float64{want.ImageMAP, want.PatchMAP, want.ChanceImage, want.ChancePatch}, [][]float64{want.ImageAP, want.PatchAP, nil, nil}
	if want.Pairs != nil {
		means, values = []float64{want.MAP, want.MAPRatio, want.Share}, make([][]float64, 3)
		for _, p := range want.Pairs {
			values[0], values[1], values[2] = append(values[0], p.AP), append(values[1], p.APRatio), append(values[2], p.Share)
		}
	}
	for i, f := range got.Figures {
		near(t, name+" "+f.Metric, append([]float64{f.Mean}, f.Values...), append([]float64{means[i]}, values[i]...))
	}
}

func near(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d values, want %d", what, len(got), len(want))
		return
	}
	for i, v := range got {
		if !(math.Abs(v-want[i]) <= 1e-9) {
			t.Errorf("%s: value %d is %v, want %v", what, i, v, want[i])
		}
	}
}

func open[T any](t testing.TB, read func(name string, r io.Reader) (T, error), path ...string) T {
	t.Helper()
	name := filepath.Join(path...)
	f := must.Get(os.Open(name))(t)
	defer f.Close()
	return must.Get(read(name, f))(t)
}

func loadSift(t testing.TB, dir string) *patches.Set {
	t.Helper()
	folder := filepath.Join(dir, "small", "descriptors", "sift")
	wanted := must.Get(patches.Find(folder, ".csv", "descriptors"))(t)
	return must.Get(patches.Load(context.Background(), goldentest.Open, folder, wanted, 0))(t)
}

func TestClassificationByHand(t *testing.T) {
	expected := expectedOf(t, handCases)
	for _, name := range []string{"alltied", "imbalanced", "inverted", "perfect", "simple", "ties"} {
		file := filepath.Join(handCases, "hand", "classification", name)
		c := EvaluateClassification(open(t, ReadResults, file+"_pos.results"), open(t, ReadResults, file+"_neg.results"))
		expected["hand/classification/"+name].equals(t, name, c.Curves[1].Summary())
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
				results[i] = open(t, ReadResults, dir, "v1", "results", "classification", "sift", name+".results")
				pairs := open(t, ReadPairs, dir, "v1", "benchmarks", "classification", name+".pairs")
				computed := must.Get(Compare(context.Background(), set, pairs, patches.L2Squared, 0))(t)
				if computed.Positive != (i == 0) || results[i].Positive != (i == 0) || !slices.Equal(computed.Distances, results[i].Distances) {
					t.Fatalf("%s: computed and stored results differ", name)
				}
			}
			c := EvaluateClassification(results[0], results[1])
			for i, protocol := range Protocols {
				name := "classification/sift/" + negative + "_" + positive + "/" + protocol
				expected[name].equals(t, name, c.Curves[i].Summary())
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

// wantFile compares what is written with a file.
func wantFile(t *testing.T, path string, write func(io.Writer) error) {
	t.Helper()
	var got bytes.Buffer
	must.Do(t, write(&got))
	if want := must.Get(os.ReadFile(path))(t); !bytes.Equal(got.Bytes(), want) {
		t.Errorf("the results written differ from %s", path)
	}
}

func TestMatchingByHand(t *testing.T) {
	folder := filepath.Join(handCases, "hand", "matching")
	for _, name := range []string{"boring_crossed", "boring_identity", "five", "five_ties"} {
		_, labels, matches := openMatching(t, folder, folder, name)
		expectedOf(t, handCases)["hand/matching/"+name].equalsMeans(t, name, must.Get(EvaluateMatching(matches, labels))(t))
	}
}

func TestMatchingOfResultFilesAndOfDescriptors(t *testing.T) {
	dir := goldentest.Folder(t, "../../../..")
	expected := expectedOf(t, dir)
	set := loadSift(t, dir)
	results := filepath.Join(dir, "v1", "results", "matching", "sift")
	for _, name := range []string{"test_easy_illum", "test_easy_viewpoint", "test_hard_illum", "test_hard_viewpoint"} {
		b, labels, matches := openMatching(t, filepath.Join(dir, "v1", "benchmarks", "matching"), results, name)
		expected["matching/sift/"+name].equalsMeans(t, name, must.Get(EvaluateMatching(matches, labels))(t))
		computed := must.Get(Match(context.Background(), set, b, patches.L2Squared, 0))(t)
		wantFile(t, filepath.Join(results, name+".results"), func(w io.Writer) error { return WriteMatches(w, computed) })
	}
}

func openRetrieval(t testing.TB, set *patches.Set, benchmarks, results, name string) (*RetrievalBenchmark, *Result) {
	t.Helper()
	b := open(t, ReadRetrievalBenchmark, benchmarks, name+".benchmark")
	clusters := open(t, func(name string, r io.Reader) ([][]patches.Signature, error) {
		return ReadClusters(name, r, b, set)
	}, benchmarks, name+".labels")
	rankings := open(t, func(name string, r io.Reader) ([][]patches.Signature, error) {
		return ReadRankings(name, r, b, set)
	}, results, name+".results")
	return b, must.Get(EvaluateRetrieval(b, clusters, rankings, set))(t)
}

func TestRetrievalByHand(t *testing.T) {
	folder := filepath.Join(handCases, "hand", "retrieval")
	_, r := openRetrieval(t, nil, folder, folder, "ranks")
	expectedOf(t, handCases)["hand/retrieval/ranks"].equalsMeans(t, "ranks", r)
}

func TestRetrievalOfResultFilesAndOfDescriptors(t *testing.T) {
	dir := goldentest.Folder(t, "../../../..")
	expected := expectedOf(t, dir)
	set := loadSift(t, dir)
	results := filepath.Join(dir, "v1", "results", "retrieval", "sift")
	for _, name := range []string{"test_easy_2s_00", "test_easy_5s_00", "test_hard_2s_00", "test_hard_5s_00"} {
		b, r := openRetrieval(t, set, filepath.Join(dir, "v1", "benchmarks", "retrieval"), results, name)
		expected["retrieval/sift/"+name].equalsMeans(t, name, r)
		computed, _, err := Retrieve(context.Background(), set, b, patches.L2Squared, 0)
		must.Do(t, err)
		wantFile(t, filepath.Join(results, name+".results"), func(w io.Writer) error { return WriteRankings(w, b, computed) })
	}
}
