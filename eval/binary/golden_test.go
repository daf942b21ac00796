package binary

import (
	"encoding/json"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"descbench/eval/must"
	"descbench/eval/patches/goldentest"
)

// figures are those of expected.json for one classification problem.
type figures struct {
	P, N         int
	AUC          float64  `json:"auc_mid"`
	AP           float64  `json:"ap_sklearn"`
	Trapezoid    float64  `json:"pr_auc_trap_grouped_start1"`
	Interpolated float64  `json:"pr_auc_integral"`
	EER          float64  `json:"eer_interp"`
	FPR95        float64  `json:"fpr95_step"`
	Threshold95  float64  `json:"fpr95_thr"`
	Accuracy     float64  `json:"best_accuracy"`
	J            float64  `json:"youden_j"`
	ThresholdJ   *float64 `json:"youden_thr"` // null: no threshold is better than none
	RateOfJ      float64  `json:"youden_tpr"`
	FalseRateOfJ float64  `json:"youden_fpr"`
	Exact        map[string]string
}

func readResults(t *testing.T, path string, firstNegatives int) *Samples {
	t.Helper()
	file := must.Get(os.Open(path))(t)
	defer file.Close()
	s, err := Read(path, file)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if firstNegatives > 0 && firstNegatives < len(s.negatives) {
		s.negatives = s.negatives[:firstNegatives] // in the file's order
	}
	return s
}

// The balanced problems take as many negatives as there are positives, from the
// beginning of the file.
func TestFiguresAreThoseOfIndependentFormulas(t *testing.T) {
	dir := goldentest.Folder(t, "../../..")
	problems := goldentest.Expected[struct {
		Original map[string]json.RawMessage `json:"original_formats"`
	}](t, dir).Original
	hand, files := 0, 0
	for name, raw := range problems {
		var positive, negative string
		balanced := false
		if rest, ok := strings.CutPrefix(name, "hand/classification/"); ok {
			positive = filepath.Join(dir, "hand", "classification", rest+"_pos.results")
			negative = filepath.Join(dir, "hand", "classification", rest+"_neg.results")
			hand++
		} else if rest, ok := strings.CutPrefix(name, "classification/sift/"); ok {
			problem, protocol, _ := strings.Cut(rest, "/")
			negatives, noise, _ := strings.Cut(problem, "_")
			positive = filepath.Join(dir, "v1", "results", "classification", "sift", "test_pos_"+noise+".results")
			negative = filepath.Join(dir, "v1", "results", "classification", "sift", "test_neg_"+negatives+".results")
			balanced = protocol == "balanced"
			files++
		} else {
			continue
		}
		var want figures
		must.Do(t, json.Unmarshal(raw, &want))
		s := readResults(t, positive, 0)
		first := 0
		if balanced {
			first, _ = s.Len()
		}
		s.Merge(readResults(t, negative, first))
		c := s.Curve()
		t.Run(name, func(t *testing.T) { compare(t, c, want) })
	}
	if hand != 6 || files != 8 {
		t.Errorf("%d problems by hand and %d of files, want 6 and 8", hand, files)
	}
}

func compare(t *testing.T, c *Curve, want figures) {
	s := c.Summary()
	at95 := c.AtTruePositiveRate(0.95)
	thresholdJ := math.Inf(-1)
	if want.ThresholdJ != nil {
		thresholdJ = *want.ThresholdJ
	}
	check := func(what string, got, want float64) {
		t.Helper()
		if got != want && !(math.Abs(got-want) <= 1e-9) {
			t.Errorf("%s: got %v, want %v", what, got, want)
		}
	}
	check("P", float64(s.Positives), float64(want.P))
	check("N", float64(s.Negatives), float64(want.N))
	check("roc_auc", s.ROCAUC, want.AUC)
	check("average_precision", s.AveragePrecision, want.AP)
	check("pr_auc_trapezoid", s.PRAUCTrapezoid, want.Trapezoid)
	check("pr_auc_interpolated", s.PRAUCInterpolated, want.Interpolated)
	check("eer", s.EER, want.EER)
	check("fpr95", s.FPR95, want.FPR95)
	check("threshold of fpr95", at95.Threshold, want.Threshold95)
	check("best accuracy", s.BestAccuracy.Accuracy(), want.Accuracy)
	check("J", s.Youden.YoudenJ(), want.J)
	check("threshold of J", s.Youden.Threshold, thresholdJ)
	check("true positive rate at J", s.Youden.TruePositiveRate(), want.RateOfJ)
	check("false positive rate at J", s.Youden.FalsePositiveRate(), want.FalseRateOfJ)

	// Fractions derived on paper. Without ties ap_trec is average precision
	// and ap_trap the trapezoids.
	ours := map[string]float64{
		"auc": s.ROCAUC, "ap_sklearn": s.AveragePrecision, "ap_trec": s.AveragePrecision, "ap_trap": s.PRAUCTrapezoid,
		"eer": s.EER, "fpr95": s.FPR95, "j": s.Youden.YoudenJ(),
	}
	for name, fraction := range want.Exact {
		got, known := ours[name]
		r, ok := new(big.Rat).SetString(fraction)
		if !ok {
			t.Fatalf("%s: %q is no fraction", name, fraction)
		}
		if exact, _ := r.Float64(); known {
			near(t, "exact "+name, got, exact)
		}
	}
}
