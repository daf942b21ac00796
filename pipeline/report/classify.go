package report

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"descbench/eval/binary"
	"descbench/eval/stats"
	"descbench/pipeline/report/table"
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

	All *AllPairs // nil unless the samples are all pairs of keypoints
}

// AllPairs says how all pairs of keypoints were counted.
type AllPairs struct {
	Undefined int64 // pairs left out because a descriptor is invalid
	// Bounds of the areas if the bins are not fine enough to tell all positives from
	// all negatives; else Low and High are equal.
	ROCAUC, AveragePrecision binary.Uncertainty
}

// Precision says how far the areas may be wrong.
func (a *AllPairs) Precision() string {
	if a.ROCAUC.Width() == 0 && a.AveragePrecision.Width() == 0 {
		return "exact"
	}
	return fmt.Sprintf("error of ROC AUC below %.1g, of AP below %.1g", a.ROCAUC.Width(), a.AveragePrecision.Width())
}

// WriteSystems prints a table of systems, no wider than width unless that is 0,
// followed by the confusion matrix of each at its operating point with all ratios.
// Values are fractions, not per cent.
func WriteSystems(out io.Writer, systems []System, width int) error {
	if err := SystemsTable(systems).Write(out, table.AsText, width); err != nil {
		return err
	}
	for _, s := range systems {
		if err := writeOperatingPoint(out, s); err != nil {
			return err
		}
	}
	return nil
}

// SystemsTable returns a table of the metrics of systems over all thresholds.
func SystemsTable(systems []System) *table.Table {
	t := table.New(
		table.Column{Name: "system", Title: "system", Unit: table.Words},
		table.Column{Name: "positives", Title: "positives", Unit: table.Count, Priority: 1},
		table.Column{Name: "negatives", Title: "negatives", Unit: table.Count, Priority: 1},
		table.Column{Name: "roc_auc", Title: "ROC AUC", Unit: table.Fraction, Better: "higher"},
		table.Column{Name: "eer", Title: "EER", Unit: table.Fraction, Better: "lower", Priority: 3},
		table.Column{Name: "fpr95", Title: "FPR95", Unit: table.Fraction, Better: "lower"},
		table.Column{Name: "best_youden_j", Title: "Youden J", Unit: table.Fraction, Better: "higher", Priority: 4},
		table.Column{Name: "youden_threshold", Title: "at distance", Unit: table.Words, Priority: 5},
		table.Column{Name: "best_accuracy", Title: "best accuracy", Unit: table.Fraction, Better: "higher", Priority: 6},
		table.Column{Name: "average_precision", Title: "AP", Unit: table.Fraction, Better: "higher"},
		table.Column{Name: "pr_auc_trapezoid", Title: "PR trapezoid", Unit: table.Fraction, Better: "higher", Priority: 7},
		table.Column{Name: "pr_auc_interpolated", Title: "PR interpolated", Unit: table.Fraction, Better: "higher", Priority: 7},
	)
	for _, s := range systems {
		f := s.Summary
		t.Add(
			table.Text(s.Name), table.Integer(f.Positives), table.Integer(f.Negatives), table.Between(f.ROCAUC, s.ROCAUC.Low, s.ROCAUC.High),
			table.Number(f.EER), table.Number(f.FPR95), table.Number(f.Youden.YoudenJ()), table.Text(thresholdText(f.Youden.Threshold)),
			table.Number(f.BestAccuracy.Accuracy()), table.Between(f.AveragePrecision, s.AveragePrecision.Low, s.AveragePrecision.High),
			table.Number(f.PRAUCTrapezoid), table.Number(f.PRAUCInterpolated),
		)
	}
	if note := IntervalNote(t); note != "" {
		t.Note("%s", note)
	}
	return t
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
	cell := func(name string, n int64, share float64) table.Cell {
		text := fixed(100*share, 2)
		if !math.IsNaN(share) {
			text += " %"
		}
		return table.Text(fmt.Sprintf("%s %d (%s)", name, n, text))
	}
	matrix := table.New(
		table.Column{Unit: table.Words}, table.Column{Title: "positive", Unit: table.Words}, table.Column{Title: "negative", Unit: table.Words},
	)
	matrix.Add(table.Text("  Yes"), cell("TP", c.TP, tp), cell("FP", c.FP, fp))
	matrix.Add(table.Text("  No"), cell("FN", c.FN, fn), cell("TN", c.TN, tn))
	if err := matrix.Write(out, table.AsText, 0); err != nil {
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
