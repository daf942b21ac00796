package report

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"descbench/eval/binary"
	"descbench/eval/stats"
)

// A System is a binary classifier by distance, with its results.
type System struct {
	Name    string
	Index   int            // selects the look in figures
	Summary binary.Summary // with its warnings

	// Intervals over scenes, only for systems of a run; else NaN.
	ROCAUC, AveragePrecision stats.Interval

	Rule string            // the requested operating point
	At   *binary.Confusion // the operating point; nil if one class has no samples

	Curve  []binary.Confusion // for drawing: all points, or a subset if there are many
	Points int                // number of points of the whole curve

	Scenes         int // number of scenes of a run, else 0
	WithoutNearest int // queries of a run excluded because they have no nearest neighbour
}

// WriteSystems prints a table of systems, followed by the confusion matrix of
// each at its operating point with all ratios. Values are fractions, not per
// cent.
func WriteSystems(out io.Writer, systems []System) error {
	rows := [][]string{{
		"system", "positives", "negatives", "ROC AUC", "EER", "FPR95", "Youden J", "at distance", "best accuracy",
		"AP", "PR trapezoid", "PR interpolated",
	}}
	for _, s := range systems {
		f := s.Summary
		rows = append(rows, []string{
			s.Name, count(f.Positives), count(f.Negatives), bounded(f.ROCAUC, s.ROCAUC), fixed(f.EER, 4), fixed(f.FPR95, 4),
			fixed(f.Youden.YoudenJ(), 4), thresholdText(f.Youden.Threshold), fixed(f.BestAccuracy.Accuracy(), 4),
			bounded(f.AveragePrecision, s.AveragePrecision), fixed(f.PRAUCTrapezoid, 4), fixed(f.PRAUCInterpolated, 4),
		})
	}
	if err := writeAligned(out, rows); err != nil {
		return err
	}
	for _, s := range systems {
		if err := writeOperatingPoint(out, s); err != nil {
			return err
		}
	}
	return nil
}

func count(n int64) string { return strconv.FormatInt(n, 10) }

// bounded formats a value with its interval, if it has one.
func bounded(v float64, i stats.Interval) string {
	if math.IsNaN(i.Low) {
		return fixed(v, 4)
	}
	return fmt.Sprintf("%s [%s, %s]", fixed(v, 4), fixed(i.Low, 4), fixed(i.High, 4))
}

// thresholdText formats a threshold with all its digits, so that it can be
// reused.
func thresholdText(t float64) string {
	switch {
	case math.IsNaN(t):
		return "undefined"
	case math.IsInf(t, -1):
		return "none"
	}
	return strconv.FormatFloat(t, 'g', -1, 64)
}

func writeOperatingPoint(out io.Writer, s System) error {
	if s.At == nil {
		_, err := fmt.Fprintf(out, "\n%s: operating point %s is undefined\n", s.Name, s.Rule)
		return err
	}
	c := *s.At
	yes := "Yes for distances up to " + thresholdText(c.Threshold)
	if math.IsInf(c.Threshold, -1) {
		yes = "No to everything"
	}
	if _, err := fmt.Fprintf(out, "\n%s: operating point %s, %s\n", s.Name, s.Rule, yes); err != nil {
		return err
	}
	tp, fp, fn, tn := c.Shares()
	cell := func(name string, n int64, share float64) string {
		text := fixed(100*share, 2)
		if !math.IsNaN(share) {
			text += " %"
		}
		return fmt.Sprintf("%s %d (%s)", name, n, text)
	}
	if err := writeAligned(out, [][]string{
		{"", "positive", "negative"},
		{"  Yes", cell("TP", c.TP, tp), cell("FP", c.FP, fp)},
		{"  No", cell("FN", c.FN, fn), cell("TN", c.TN, tn)},
	}); err != nil {
		return err
	}
	for _, r := range ratios(c) {
		if _, err := fmt.Fprintf(out, "  %-50s  %9s  %s\n", r[0], r[1], r[2]); err != nil {
			return err
		}
	}
	return nil
}

// ratios lists every ratio of a confusion matrix: name, value and formula.
func ratios(c binary.Confusion) [][3]string {
	ratio := func(name string, v float64, of string, a, b int64) [3]string {
		return [3]string{name, fixed(v, 4), fmt.Sprintf("%s = %d / %d", of, a, b)}
	}
	return [][3]string{
		ratio("true positive rate (recall, sensitivity, hit rate)", c.TruePositiveRate(), "TP / positives", c.TP, c.Positives()),
		ratio("false positive rate (fallout, false alarm rate)", c.FalsePositiveRate(), "FP / negatives", c.FP, c.Negatives()),
		ratio("true negative rate (specificity)", c.TrueNegativeRate(), "TN / negatives", c.TN, c.Negatives()),
		ratio("false negative rate (miss rate)", c.FalseNegativeRate(), "FN / positives", c.FN, c.Positives()),
		ratio("precision", c.Precision(), "TP / Yes", c.TP, c.Yes()),
		ratio("accuracy (Rand index)", c.Accuracy(), "(TP + TN) / all", c.TP+c.TN, c.Total()),
		{"Youden J (informedness)", fixed(c.YoudenJ(), 4), "sensitivity + specificity - 1"},
		{"balanced accuracy", fixed(c.BalancedAccuracy(), 4), "(sensitivity + specificity) / 2"},
		ratio("F1", c.F1(), "2 TP / (2 TP + FP + FN)", 2*c.TP, 2*c.TP+c.FP+c.FN),
		{"Matthews correlation", fixed(c.MatthewsCorrelation(), 4), "correlation of prediction and truth"},
	}
}
