package report

import (
	"fmt"
	"math"
	"slices"

	"descbench/eval/binary"
	"descbench/eval/catalogue"
	"descbench/eval/scope"
	"descbench/pipeline/fold"
	"descbench/pipeline/report/table"
)

// withUnit formats a value of a metric.
func withUnit(m *catalogue.Metric, v float64) string {
	text := UnitOf(m).Format(v)
	if m.Unit == catalogue.Share && !math.IsNaN(v) {
		text += " %"
	}
	return text
}

// matrixColumns are the columns of a confusion matrix with its totals but those of
// positives and negatives, and of its ratios, of which some have another priority than 8.
func matrixColumns(first int, ratios map[string]int) []table.Column {
	var columns []table.Column
	for i, name := range []string{"tp", "fp", "fn", "tn", "yes", "no"} {
		columns = append(columns, table.Titled(name, table.Count, min(first+i, first+2)))
		columns[i].Title = []string{"TP", "FP", "FN", "TN", "Yes", "No"}[i]
	}
	for _, r := range binary.Ratios {
		m := catalogue.Of(r.Name)
		c := table.Column{Name: r.Name, Title: r.Short, Unit: UnitOf(m), Better: m.Better, Unmarked: true, Priority: 8}
		if p, usual := ratios[r.Name]; usual {
			c.Priority = p
		}
		if r.Name == "false_positive_rate" {
			c.Unit = table.SmallShare // among all pairs
		}
		columns = append(columns, c)
	}
	return columns
}

func matrixCells(c binary.Confusion) []table.Cell {
	var cells []table.Cell
	for _, n := range []int64{c.TP, c.FP, c.FN, c.TN, c.Yes(), c.No()} {
		cells = append(cells, table.Integer(n))
	}
	for _, r := range binary.Ratios {
		cells = append(cells, table.Number(r.Of(c)))
	}
	return cells
}

// SystemsTable returns a table of the metrics of systems over all thresholds, with the confusion
// matrix and ratios at the operating point, and how many queries or pairs are behind it. Thresholds
// have as many significant digits, or with -1 all, so that they can be reused. run is nil for files; the
// areas of its systems are compared with others on the same keypoints.
func SystemsTable(systems []binary.System, digits int, run *fold.Run) *table.Table {
	t := table.New(slices.Concat([]table.Column{
		{Name: "system", Title: "system", Unit: table.Words},
		{Name: "positives", Title: "positives", Unit: table.Count, Priority: 1}, {Name: "negatives", Title: "negatives", Unit: table.Count, Priority: 1},
		areaColumn("roc_auc", 0), areaColumn("eer", 3), areaColumn("fpr95", 0), areaColumn("best_youden_j", 4),
		{Name: "youden_threshold", Title: "at distance", Unit: table.Digits(digits), Priority: 5},
		areaColumn("best_accuracy", 6), areaColumn("average_precision", 0), areaColumn("pr_auc_trapezoid", 7), areaColumn("pr_auc_interpolated", 7),
		table.Titled("at", table.Words, 8), table.Titled("threshold", table.Digits(digits), 8),
	}, matrixColumns(8, nil), []table.Column{
		{Name: "scenes", Title: "scenes", Unit: table.Count, Priority: 8, Told: true}, {Name: "excluded", Title: "excluded", Unit: table.Count, Priority: 8, Told: true},
		table.Titled("roc_auc_error", table.Share, 8), table.Titled("average_precision_error", table.Share, 8),
	})...)
	var sets map[*fold.System]int
	if t.Best = "of equal numbers of samples"; run != nil {
		t.Best = "on the same keypoints with equal numbers of samples"
		t.Interval = Interval(t, "scenes", FewestScenes(scope.All, run))
		sets, _ = fold.KeypointSets(run.Systems)
	}
	for _, s := range systems {
		f := s.Summary
		if s.Matches {
			t.Columns[7].Title = "at threshold"
		}
		cells := []table.Cell{
			table.Text(s.Name), table.Integer(f.Positives), table.Integer(f.Negatives), table.Between(f.ROCAUC, s.ROCAUC.Low, s.ROCAUC.High),
			table.Number(f.EER), table.Number(f.FPR95), table.Number(f.Youden.YoudenJ()), thresholdCell(f.Youden.Threshold),
			table.Number(f.BestAccuracy.Accuracy()), table.Between(f.AveragePrecision, s.AveragePrecision.Low, s.AveragePrecision.High),
			table.Number(f.PRAUCTrapezoid), table.Number(f.PRAUCInterpolated),
		}
		point := make([]table.Cell, len(t.Columns)-4-len(cells))
		if s.At != nil {
			at := s.Rule.String()
			if digits > 0 { // for people
				at = s.Rule.Words()
			}
			point = append([]table.Cell{table.Text(at), thresholdCell(s.At.Threshold)}, matrixCells(*s.At)...)
		}
		behind := make([]table.Cell, 4)
		if s.Scenes > 0 {
			if behind[0], behind[1] = table.Integer(s.Scenes), table.Integer(s.WithoutNearest); s.All != nil {
				behind[1], behind[2], behind[3] = table.Integer(s.All.Undefined), optional(s.All.ROCAUCError), optional(s.All.AveragePrecisionError)
			}
		}
		group := fmt.Sprint(f.Positives+f.Negatives, " samples") // of others, areas and precision cannot be compared
		if run != nil {
			group += fmt.Sprint(sets[run.Systems[s.Index]])
		}
		t.AddTo(group, slices.Concat(cells, point, behind)...)
	}
	if digits > 0 { // for people
		t.GroupRows()
	}
	return t
}

// areaColumn returns the column of a metric of a curve.
func areaColumn(name string, priority int) table.Column {
	m := catalogue.Of(name)
	return table.Column{Name: name, Title: m.Paper, Unit: UnitOf(m), Better: m.Better, Priority: priority}
}

// thresholdCell returns the cell of a threshold, which is -Inf if nothing counts as a match.
func thresholdCell(t float64) table.Cell {
	if math.IsInf(t, -1) {
		return table.Text("none")
	}
	return table.Number(t)
}

// DecisionsTable returns a table of decisions with the counts and ratios of the confusion matrix.
func DecisionsTable(decisions []binary.Decision) *table.Table {
	t := table.New(append([]table.Column{
		{Name: "system", Title: "system", Unit: table.Words}, {Name: "rule", Title: "Yes to", Unit: table.Words},
		{Name: "positives", Title: "P", Unit: table.Count, Priority: 5}, {Name: "negatives", Title: "N", Unit: table.Count, Priority: 5, Paired: true},
	}, matrixColumns(2, map[string]int{"true_positive_rate": 0, "false_positive_rate": 0, "true_negative_rate": 6, "precision": 0, "accuracy": 4, "youden_j": 0, "f1": 3})...)...)
	t.Columns = append(t.Columns, table.Titled("threshold", table.Digits(-1), 8))
	t.Keys = 2
	for _, d := range decisions {
		cells := append([]table.Cell{table.Text(d.System), table.Text(d.Rule), table.Integer(d.Counts.Positives()), table.Integer(d.Counts.Negatives())}, matrixCells(d.Counts)...)
		t.Add(append(cells, optional(d.Counts.Threshold))...)
	}
	return t
}
