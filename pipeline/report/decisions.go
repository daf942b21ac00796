package report

import (
	"math"

	"descbench/eval/binary"
	"descbench/pipeline/report/table"
)

// A Decision is the confusion matrix of what a system decides about the pairs of
// keypoints of one scope.
type Decision struct {
	System string
	Index  int    // of the system, selects the look in figures
	Rule   string // what the system says Yes to
	Scope  string
	Counts binary.Confusion

	// Areas under the curves of the scope; NaN unless the rule is a threshold of them.
	ROCAUC, AveragePrecision float64
}

// NewDecision returns a decision without areas.
func NewDecision(system string, index int, rule, scope string, counts binary.Confusion) Decision {
	return Decision{system, index, rule, scope, counts, math.NaN(), math.NaN()}
}

// DecisionsTable returns a table of decisions with the counts of the confusion matrix
// and its ratios as fractions.
func DecisionsTable(decisions []Decision) *table.Table {
	ratio := func(name, title, better string, priority int) table.Column {
		return table.Column{Name: name, Title: title, Unit: table.Fraction, Better: better, Unmarked: true, Priority: priority}
	}
	rate := ratio("false_positive_rate", "FPR", "lower", 0)
	rate.Unit = table.Digits(4) // close to 0 among all pairs
	count := func(name, title string, priority int) table.Column {
		return table.Column{Name: name, Title: title, Unit: table.Count, Priority: priority}
	}
	t := table.New(
		table.Column{Name: "system", Title: "system", Unit: table.Words},
		table.Column{Name: "rule", Title: "Yes to", Unit: table.Words},
		table.Column{Name: "scope", Title: "scope", Unit: table.Words},
		count("positives", "P", 5), count("negatives", "N", 5),
		count("tp", "TP", 0), count("fp", "FP", 0), count("fn", "FN", 2), count("tn", "TN", 3),
		ratio("true_positive_rate", "TPR", "higher", 0), rate,
		ratio("true_negative_rate", "TNR", "higher", 6), ratio("accuracy", "accuracy", "higher", 4),
		ratio("precision", "precision", "higher", 0), ratio("f1", "F1", "higher", 3),
		ratio("youden_j", "Youden J", "higher", 0),
		ratio("roc_auc", "ROC AUC", "higher", 2), ratio("average_precision", "AP", "higher", 2),
	)
	for _, d := range decisions {
		c := d.Counts
		area := func(v float64) table.Cell {
			if math.IsNaN(v) {
				return table.Cell{}
			}
			return table.Number(v)
		}
		t.AddTo(d.Scope,
			table.Text(d.System), table.Text(d.Rule), table.Text(d.Scope),
			table.Integer(c.Positives()), table.Integer(c.Negatives()),
			table.Integer(c.TP), table.Integer(c.FP), table.Integer(c.FN), table.Integer(c.TN),
			table.Number(c.TruePositiveRate()), table.Number(c.FalsePositiveRate()), table.Number(c.TrueNegativeRate()),
			table.Number(c.Accuracy()), table.Number(c.Precision()), table.Number(c.F1()), table.Number(c.YoudenJ()),
			area(d.ROCAUC), area(d.AveragePrecision),
		)
	}
	t.DropEmpty()
	return t
}
