package classify_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"descbench/eval/binary"
	"descbench/eval/matching"
	"descbench/eval/must"
	"descbench/pipeline"
	"descbench/pipeline/classify"
	"descbench/pipeline/config/configtest"
	"descbench/pipeline/fold"
	"descbench/pipeline/plan/plantest"
)

// expected holds figures of pipeline/testdata/reference/allpairs.py.
type expected struct {
	Positives       int64    `json:"positives"`
	Negatives       int64    `json:"negatives"`
	ROCAUC          float64  `json:"roc_auc"`
	AP              float64  `json:"average_precision"`
	FPR95           float64  `json:"fpr95"`
	YoudenThreshold float64  `json:"youden_threshold"`
	Youden          [4]int64 `json:"youden"` // TP, FP, FN, TN
	AtAll           [4]int64 `json:"at_all"`
	Nearest         [4]int64 `json:"nearest"`
	Mutual          [4]int64 `json:"mutual"`
	MutualRatio     [4]int64 `json:"mutual+ratio=0.8"`
}

// reference runs the descriptors of the reference and returns its systems.
func reference(t *testing.T, cache string) []*fold.System {
	t.Helper()
	reference := must.Get(filepath.Abs("../testdata/reference"))(t)
	features := strconv.Quote(filepath.Join(reference, "features", "{scene}", "{image}.npz"))
	folder := t.TempDir()
	cfg := configtest.Load(t, folder, fmt.Sprintf(`
experiment: {name: pairs}
dataset: {root: ROOT}
keypoint_sets:
  - {name: all, import: {path: %[1]s}}
  - {name: strong, from: all, border: 40, top: {by: response, per_image: 60}}
evaluation: {estimators: []}
descriptors:
  - {name: sift, type: file, path: %[1]s, keypoints: all}
  - {name: strong, type: file, path: %[1]s, keypoints: strong}
  - {name: raw, type: file, path: %[1]s, keypoints: all, normalize: none}
output: {root: %[2]q}
`, features, folder))
	outcome := must.Get(pipeline.Run(t.Context(), cfg, plantest.Options(cache)))(t)
	return must.Get(fold.Open([]string{outcome.Folder}, nil))(t).Systems
}

func TestAllPairsAreClassifiedAsAnIndependentProgramDoes(t *testing.T) {
	text := must.Get(os.ReadFile("../testdata/reference/allpairs.json"))(t)
	var want map[string]map[string]map[string]expected // by descriptor, score and scope
	must.Do(t, json.Unmarshal(text, &want))
	cache := t.TempDir()
	run := reference(t, cache)
	got, err := classify.All(t.Context(), classify.Request{
		Systems: run, At: binary.BestYouden, Jobs: 2,
		Matchers: []matching.Matcher{{}, {CrossCheck: true}, {CrossCheck: true, Ratio: 0.8}},
	}, plantest.Options(cache))
	must.Do(t, err)
	if len(got.Systems) != len(want) {
		t.Fatalf("got %d systems, want %d", len(got.Systems), len(want))
	}
	for _, s := range got.Systems {
		compareSystem(t, s.Name, s, want[s.Name]["distance"]["all"])
	}
	for _, d := range got.Decisions {
		w := want[d.System]["distance"]["all"]
		counts := [4]int64{d.Counts.TP, d.Counts.FP, d.Counts.FN, d.Counts.TN}
		wants := w.AtAll
		switch d.Rule {
		case "nearest neighbours":
			wants = w.Nearest
		case "mutual nearest neighbours":
			wants = w.Mutual
		case "mutual nearest neighbours, ratio 0.8":
			wants = w.MutualRatio
		}
		if counts != wants {
			t.Errorf("%s, %s: got %v, want %v", d.System, d.Rule, counts, wants)
		}
	}
	if len(got.Decisions) != 4*len(want) {
		t.Errorf("got %d decisions, want those of %d systems under 4 rules", len(got.Decisions), len(want))
	}
}

func TestNearestNeighboursHaveTheMatchesOfAllPairs(t *testing.T) {
	cache := t.TempDir()
	run := reference(t, cache)
	c := classify.Request{Systems: run, At: binary.BestYouden, Matchers: []matching.Matcher{{}, {CrossCheck: true, Ratio: 0.8}}}
	all := must.Get(classify.All(t.Context(), c, plantest.Options(cache)))(t)
	near := must.Get(classify.Nearest(t.Context(), c))(t)
	type key struct{ system, rule string }
	want := make(map[key]binary.Confusion)
	for _, d := range all.Decisions {
		want[key{d.System, d.Rule}] = d.Counts
	}
	compared := 0
	for _, d := range near.Decisions {
		w, found := want[key{d.System, d.Rule}]
		if !found {
			continue // by a threshold of other samples
		}
		compared++
		if d.Counts.TP != w.TP || d.Counts.FP != w.FP {
			t.Errorf("%s, %s: got %d true and %d false positives, want %d and %d", d.System, d.Rule, d.Counts.TP, d.Counts.FP, w.TP, w.FP)
		}
	}
	if compared < 3*2 {
		t.Errorf("compared %d decisions, want those of 3 systems by 2 matchers", compared)
	}
}

func compareSystem(t *testing.T, name string, s binary.System, want expected) {
	t.Helper()
	f := s.Summary
	if f.Positives != want.Positives || f.Negatives != want.Negatives {
		t.Errorf("%s: got %d positives and %d negatives, want %d and %d", name, f.Positives, f.Negatives, want.Positives, want.Negatives)
	}
	for _, x := range []struct {
		what      string
		got, want float64
	}{{"ROC AUC", f.ROCAUC, want.ROCAUC}, {"AP", f.AveragePrecision, want.AP}, {"FPR95", f.FPR95, want.FPR95}} {
		if math.Abs(x.got-x.want) > 1e-13 {
			t.Errorf("%s: %s: got %v, want %v", name, x.what, x.got, x.want)
		}
	}
	youden := f.Youden
	if got := [4]int64{youden.TP, youden.FP, youden.FN, youden.TN}; got != want.Youden || youden.Threshold != want.YoudenThreshold {
		t.Errorf("%s: got %v at %v, want %v at %v", name, got, youden.Threshold, want.Youden, want.YoudenThreshold)
	}
	if s.All.ROCAUCError != 0 || s.All.AveragePrecisionError != 0 {
		t.Errorf("%s: got errors up to %v and %v, want exact figures", name, s.All.ROCAUCError, s.All.AveragePrecisionError)
	}
	if !math.IsNaN(s.ROCAUC.Low) || !math.IsNaN(s.ROCAUC.High) { // fewer than five scenes
		t.Errorf("%s: the interval of four scenes is %v, want none", name, s.ROCAUC)
	}
}
