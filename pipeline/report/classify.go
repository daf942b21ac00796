package report

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strconv"

	"descbench/eval/binary"
	"descbench/eval/catalogue"
	"descbench/eval/scope"
	"descbench/pipeline/report/table"
)

// WriteOperatingPoints prints the confusion matrix of each system at its operating point
// with all ratios.
func WriteOperatingPoints(out io.Writer, systems []binary.System) error {
	for _, s := range systems {
		if s.At == nil {
			fmt.Fprintf(out, "\n%s: operating point %s is undefined\n", s.Name, s.Rule)
			continue
		}
		c := *s.At
		limits := cmp.Or(s.Limits, Distances)
		if math.IsInf(c.Threshold, -1) {
			fmt.Fprintf(out, "\n%s: %s: nothing counts as a match, since no limit of %s is better\n", s.Name, s.Rule.Words(), limits)
			continue
		}
		fmt.Fprintf(out, "\n%s: %s: %s up to %s count as matches (Yes)\n", s.Name, s.Rule.Words(), limits, thresholdText(c.Threshold, -1))
		if err := writeMatrix(out, c); err != nil {
			return err
		}
		for _, r := range binary.Ratios {
			formula := r.Formula
			if r.Numerator != nil {
				formula += fmt.Sprintf(" = %d / %d", r.Numerator(c), r.Denominator(c))
			}
			fmt.Fprintf(out, "  %-50s  %9s  %s\n", r.Title, withUnit(catalogue.Of(r.Name), r.Of(c)), formula)
		}
	}
	return nil
}

// withUnit formats a value of a metric.
func withUnit(m *catalogue.Metric, v float64) string {
	text := UnitOf(m).Format(v)
	if m.Unit == catalogue.Share && !math.IsNaN(v) {
		text += " %"
	}
	return text
}

// matrixColumns are the columns of a confusion matrix with its totals but those of
// positives and negatives.
func matrixColumns() []table.Column {
	var columns []table.Column
	for i, name := range []string{"tp", "fp", "fn", "tn", "yes", "no"} {
		columns = append(columns, table.Titled(name, table.Count, min(2+i, 4)))
		columns[i].Title = []string{"TP", "FP", "FN", "TN", "Yes", "No"}[i]
	}
	return columns
}

func matrixCells(c binary.Confusion) []table.Cell {
	var cells []table.Cell
	for _, n := range []int64{c.TP, c.FP, c.FN, c.TN, c.Yes(), c.No()} {
		cells = append(cells, table.Integer(n))
	}
	return cells
}

// WriteMatrices writes the confusion matrix of each decision over all scenes.
func WriteMatrices(out io.Writer, decisions []binary.Decision) error {
	for _, d := range decisions {
		if d.Scope != scope.All {
			continue
		}
		fmt.Fprintf(out, "\n%s: %s\n", d.System, d.Rule)
		if err := writeMatrix(out, d.Counts); err != nil {
			return err
		}
	}
	return nil
}

// SystemsTable returns a table of the metrics of systems over all thresholds. With
// matrices, it also has the confusion matrix at the operating point, and if whole, its ratios and
// how many queries or pairs are behind it. Thresholds have as many
// significant digits, or with -1 all, so that they can be reused. keypoints names the set of a
// system, whose areas are compared with others on it; it is nil for files. scenes are those of
// Interval.
func SystemsTable(systems []binary.System, matrices, whole bool, digits int, keypoints func(system string) string, scenes map[string]int) *table.Table {
	t := table.New(
		table.Column{Name: "system", Title: "system", Unit: table.Words},
		table.Column{Name: "positives", Title: "positives", Unit: table.Count, Priority: 1},
		table.Column{Name: "negatives", Title: "negatives", Unit: table.Count, Priority: 1},
		areaColumn("roc_auc", 0), areaColumn("eer", 3), areaColumn("fpr95", 0), areaColumn("best_youden_j", 4),
		table.Column{Name: "youden_threshold", Title: "at distance", Unit: table.Digits(digits), Priority: 5},
		areaColumn("best_accuracy", 6), areaColumn("average_precision", 0), areaColumn("pr_auc_trapezoid", 7), areaColumn("pr_auc_interpolated", 7),
	)
	if matrices {
		t.Columns = append(t.Columns, append([]table.Column{{Name: "at", Title: "at", Unit: table.Words}, {Name: "threshold", Title: "threshold", Unit: table.Digits(digits)}}, matrixColumns()...)...)
	}
	if whole {
		for _, r := range binary.Ratios {
			t.Columns = append(t.Columns, ratioColumn(r, 8))
		}
		t.Columns = append(t.Columns, table.Titled("scenes", table.Count, 8), table.Titled("excluded", table.Count, 8),
			table.Titled("roc_auc_error", table.Share, 8), table.Titled("average_precision_error", table.Share, 8))
	}
	for _, s := range systems {
		f := s.Summary
		if s.Limits != "" && s.Limits != Distances {
			t.Columns[7].Title = "at threshold"
		}
		cells := []table.Cell{
			table.Text(s.Name), table.Integer(f.Positives), table.Integer(f.Negatives), table.Between(f.ROCAUC, s.ROCAUC.Low, s.ROCAUC.High),
			table.Number(f.EER), table.Number(f.FPR95), table.Number(f.Youden.YoudenJ()), thresholdCell(f.Youden.Threshold),
			table.Number(f.BestAccuracy.Accuracy()), table.Between(f.AveragePrecision, s.AveragePrecision.Low, s.AveragePrecision.High),
			table.Number(f.PRAUCTrapezoid), table.Number(f.PRAUCInterpolated),
		}
		switch {
		case matrices && s.At != nil:
			at := s.Rule.String()
			if digits > 0 { // for people
				at = s.Rule.Words()
			}
			cells = append(append(cells, table.Text(at), thresholdCell(s.At.Threshold)), matrixCells(*s.At)...)
			for _, r := range binary.Ratios {
				cells = append(cells, table.Number(r.Of(*s.At)))
			}
		case matrices:
			cells = append(cells, make([]table.Cell, 2+len(matrixColumns())+len(binary.Ratios))...)
		}
		if s.Scenes > 0 {
			cells = append(cells, table.Integer(s.Scenes), table.Integer(s.WithoutNearest))
			if a := s.All; a != nil {
				cells[len(cells)-1] = table.Integer(a.Undefined)
				cells = append(cells, optional(a.ROCAUC.Width()), optional(a.AveragePrecision.Width()))
			}
		}
		cells = append(cells, make([]table.Cell, max(0, len(t.Columns)-len(cells)))...)[:len(t.Columns)]
		group := fmt.Sprint(f.Positives+f.Negatives, " samples") // of others, areas and precision cannot be compared
		if keypoints != nil {
			group += keypoints(s.Name)
		}
		t.AddTo(group, cells...)
	}
	t.Best = "of equal numbers of samples"
	if keypoints != nil {
		t.Best = "on the same keypoints with equal numbers of samples"
	}
	t.Interval = Interval(t, "scenes", scenes)
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

// ratioColumn returns the column of a ratio of a confusion matrix.
func ratioColumn(r binary.Ratio, priority int) table.Column {
	m := catalogue.Of(r.Name)
	c := table.Column{Name: r.Name, Title: r.Short, Unit: UnitOf(m), Better: m.Better, Unmarked: true, Priority: priority}
	if r.Name == "false_positive_rate" {
		c.Unit = table.SmallShare // among all pairs
	}
	return c
}

// thresholdCell returns the cell of a threshold, which is -Inf if nothing counts as a match.
func thresholdCell(t float64) table.Cell {
	if math.IsInf(t, -1) {
		return table.Text("none")
	}
	return table.Number(t)
}

// thresholdText formats a threshold with digits significant digits, -1 for all.
func thresholdText(t float64, digits int) string {
	switch {
	case math.IsNaN(t):
		return "undefined"
	case math.IsInf(t, -1):
		return "none"
	}
	return strconv.FormatFloat(t, 'g', digits, 64)
}

// Distances are what thresholds limit unless a system says otherwise.
const Distances = "distances"

// writeMatrix writes a confusion matrix with its totals.
func writeMatrix(out io.Writer, c binary.Confusion) error {
	tp, fp, fn, tn := c.Shares()
	cell := func(name string, n int64, share float64) table.Cell {
		return table.Text(fmt.Sprintf("%s %d (%s)", name, n, withUnit(catalogue.Of("accuracy"), share)))
	}
	matrix := table.New(
		table.Column{Unit: table.Words}, table.Column{Title: "positive", Unit: table.Words}, table.Column{Title: "negative", Unit: table.Words}, table.Column{Title: "total", Unit: table.Words},
	)
	total := func(name string, n int64) table.Cell { return table.Text(fmt.Sprintf("%s %d", name, n)) }
	matrix.Add(table.Text("  Yes"), cell("TP", c.TP, tp), cell("FP", c.FP, fp), total("Yes", c.Yes()))
	matrix.Add(table.Text("  No"), cell("FN", c.FN, fn), cell("TN", c.TN, tn), total("No", c.No()))
	matrix.Add(table.Text("  total"), total("#P", c.Positives()), total("#N", c.Negatives()), total("all", c.Total()))
	return matrix.Write(out, table.AsText, 0)
}

// DecisionsTable returns a table of decisions with the counts of the confusion matrix
// and its ratios, if whole all of them.
func DecisionsTable(decisions []binary.Decision, whole bool) *table.Table {
	columns := []table.Column{
		{Name: "system", Title: "system", Unit: table.Words}, {Name: "rule", Title: "Yes to", Unit: table.Words}, {Name: "scope", Title: "scope", Unit: table.Words},
		table.Titled("positives", table.Count, 5), table.Titled("negatives", table.Count, 5),
	}
	columns[3].Title, columns[4].Title = "P", "N"
	columns = append(columns, matrixColumns()...)
	priority := map[string]int{"true_positive_rate": 0, "false_positive_rate": 0, "true_negative_rate": 6, "precision": 0, "accuracy": 4, "youden_j": 0, "f1": 3}
	var ratios []binary.Ratio
	for _, r := range binary.Ratios {
		if p, usual := priority[r.Name]; usual || whole {
			ratios, columns = append(ratios, r), append(columns, ratioColumn(r, p))
		}
	}
	for _, name := range []string{"roc_auc", "average_precision"} {
		columns = append(columns, areaColumn(name, 2))
		columns[len(columns)-1].Unmarked = true
	}
	t := table.New(columns...)
	if whole {
		t.Columns = append(t.Columns, table.Titled("threshold", table.Digits(-1), 7))
	}
	t.Keys = 3
	for _, d := range decisions {
		c := d.Counts
		cells := []table.Cell{
			table.Text(d.System), table.Text(d.Rule), table.Text(d.Scope), table.Integer(c.Positives()), table.Integer(c.Negatives()),
		}
		cells = append(cells, matrixCells(c)...)
		for _, r := range ratios {
			cells = append(cells, table.Number(r.Of(c)))
		}
		t.AddTo(d.Scope, append(cells, optional(d.ROCAUC), optional(d.AveragePrecision), optional(c.Threshold))[:len(t.Columns)]...)
	}
	return t
}
