package report

import (
	"descbench/eval/binary"
	"descbench/pipeline/report/table"
)

// DecisionsTable returns a table of decisions with the counts of the confusion matrix
// and its ratios as fractions.
func DecisionsTable(decisions []binary.Decision) *table.Table {
	ratio := func(name, title, better string, priority int) table.Column {
		return table.Column{Name: name, Title: title, Unit: table.Fraction, Better: better, Unmarked: true, Priority: priority}
	}
	columns := []table.Column{
		{Name: "system", Title: "system", Unit: table.Words}, {Name: "rule", Title: "Yes to", Unit: table.Words}, {Name: "scope", Title: "scope", Unit: table.Words},
		table.Titled("positives", table.Count, 5), table.Titled("negatives", table.Count, 5),
	}
	columns[3].Title, columns[4].Title = "P", "N"
	columns = append(columns, matrixColumns()...)
	var ratios []binary.Ratio
	for _, of := range []struct {
		name     string
		priority int
	}{{"true_positive_rate", 0}, {"false_positive_rate", 0}, {"true_negative_rate", 6}, {"accuracy", 4}, {"precision", 0}, {"f1", 3}, {"youden_j", 0}} {
		r := binary.RatioOf(of.name)
		ratios = append(ratios, r)
		c := ratio(r.Name, r.Short, r.Better, of.priority)
		if r.Name == "false_positive_rate" {
			c.Unit = table.Digits(4) // close to 0 among all pairs
		}
		columns = append(columns, c)
	}
	t := table.New(append(columns, ratio("roc_auc", "ROC AUC", "higher", 2), ratio("average_precision", "AP", "higher", 2))...)
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
		t.AddTo(d.Scope, append(cells, optional(d.ROCAUC), optional(d.AveragePrecision))...)
	}
	return t
}
