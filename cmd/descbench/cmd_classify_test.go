package main

import (
	"encoding/json"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"descbench/eval/patches/goldentest"
)

// TestHandCasesOfClassifyAreThoseOfIndependentFormulas runs the command on the
// problems of the golden data that were worked out by hand.
func TestHandCasesOfClassifyAreThoseOfIndependentFormulas(t *testing.T) {
	dir := goldentest.Folder(t, "../../..")
	golden := goldentest.Expected(t, dir)
	expected := func(problem string) map[string]any {
		figures, ok := golden["original_formats"][problem].(map[string]any)
		if !ok {
			t.Fatalf("nothing expected of %s", problem)
		}
		return figures
	}
	count := 0
	for name := range golden["original_formats"] {
		problem, ok := strings.CutPrefix(name, "hand/classification/")
		if !ok {
			continue
		}
		count++
		stem := filepath.Join(dir, "hand", "classification", problem)
		compareClassified(t, problem, []string{stem + "_pos.results", stem + "_neg.results"}, expected(name))
	}
	if count < 6 {
		t.Errorf("found %d problems by hand, want 6", count)
	}
	// One of the problems on real files, with all negatives.
	files := filepath.Join(dir, "v1", "results", "classification", "sift")
	compareClassified(t, "sift", []string{filepath.Join(files, "test_pos_hard.results"), filepath.Join(files, "test_neg_sameseq.results")},
		expected("classification/sift/sameseq_hard/imbalanced"))
}

func compareClassified(t *testing.T, problem string, files []string, want map[string]any) {
	t.Helper()
	args := append([]string{"classify", "--json"}, files...)
	for i, f := range args[2:] {
		path, err := filepath.Abs(f)
		if err != nil {
			t.Fatal(err)
		}
		args[2+i] = path
	}
	var got struct{ Systems []map[string]any }
	if err := json.Unmarshal([]byte(runIn(t, t.TempDir(), args)), &got); err != nil || len(got.Systems) != 1 {
		t.Fatalf("%s: %d systems, %v", problem, len(got.Systems), err)
	}
	for theirs, ours := range map[string]string{
		"P": "positives", "N": "negatives", "auc_mid": "roc_auc", "ap_sklearn": "average_precision", "pr_auc_trap_grouped_start1": "pr_auc_trapezoid",
		"pr_auc_integral": "pr_auc_interpolated", "eer_interp": "eer", "fpr95_step": "fpr95", "youden_j": "youden_j",
		"youden_thr": "youden_threshold", "best_accuracy": "best_accuracy",
	} {
		w, defined := want[theirs].(float64) // null: No to everything
		g, there := got.Systems[0][ours].(float64)
		if defined != there || defined && math.Abs(g-w) > 1e-9 {
			t.Errorf("%s: %s is %v, want %v", problem, ours, got.Systems[0][ours], want[theirs])
		}
	}
}
