package report

import (
	"slices"
	"strings"

	"descbench/eval/patches/y2016"
	"descbench/pipeline/report/table"
)

// ClassifiedPair holds the metrics of a file of positives and a file of negatives.
type ClassifiedPair struct {
	Descriptor, Positives, Negatives string
	Figures                          *y2016.ClassificationResult
}

// Classification returns the table of the ROC metrics of the balanced protocol and the
// precision-recall metrics of the imbalanced protocol. roc adds the ROC metrics of the
// imbalanced protocol. distance is that between descriptors.
func Classification(list []ClassifiedPair, distance string, roc bool) *table.Table {
	share := func(name, title, better string, priority int) table.Column {
		return table.Column{Name: name, Title: title, Unit: table.Share, Better: better, Priority: priority}
	}
	t := table.New(
		table.Titled("descriptor", table.Words, 0), table.Titled("positives", table.Words, 0), table.Titled("negatives", table.Words, 0),
		table.Titled("P", table.Count, 5), table.Titled("N", table.Count, 5),
		share("auc", "AUC", "higher", 0), share("eer", "EER", "lower", 2), share("fpr95", "FPR95", "lower", 0), share("best_accuracy", "accuracy", "higher", 3),
		table.Column{Name: "youden_j", Title: "Youden J", Unit: table.Measure, Better: "higher", Priority: 4},
		table.Titled("all_N", table.Count, 5), share("ap", "AP", "higher", 0), share("pr_area", "PR area", "higher", 3),
	)
	t.Keys = 3
	if roc {
		t.Columns = append(t.Columns, share("imbalanced_auc", "all: AUC", "higher", 1), share("imbalanced_eer", "all: EER", "lower", 1), share("imbalanced_fpr95", "all: FPR95", "lower", 1))
	}
	for _, c := range list {
		b, i := c.Figures.Balanced, c.Figures.Imbalanced
		cells := []table.Cell{table.Text(c.Descriptor), table.Text(c.Positives), table.Text(c.Negatives), table.Integer(b.P), table.Integer(b.N)}
		if c.Descriptor == "" {
			cells[0] = table.Cell{}
		}
		for _, v := range []float64{b.AUC, b.EER, b.FPR95, b.BestAccuracy, b.YoudenJ} {
			cells = append(cells, table.Number(v))
		}
		cells = append(cells, table.Integer(i.N), table.Number(i.AP), table.Number(i.PRIntegral), table.Number(i.AUC), table.Number(i.EER), table.Number(i.FPR95))
		t.AddTo(c.Positives+"\n"+c.Negatives, cells[:len(t.Columns)]...)
	}
	t.Caption = "Classification of 2016 (%), distance " + distance
	t.Label = strings.Join(slices.Compact(append([]string{"classification"}, t.RowNames()...)), " ")
	t.Note("AUC, EER, FPR95, accuracy, Youden J: balanced, as many negatives as positives; AP, PR area, all: imbalanced, all negatives")
	return t
}

// MatchingOf2016 returns the table of the means over one or several benchmarks.
func MatchingOf2016(title string, m y2016.MatchingMean) *table.Table {
	t := sixDigits("", "")
	t.Caption = title
	t.Add(fractions("mAP over correct matches, by distance", m.MAPOverCorrect)...)
	t.Add(fractions("mAP over correct matches, by ratio", m.MAP2NNR)...)
	t.Add(fractions("mAP over patches, by distance", m.MAPOverN)...)
	t.Add(fractions("mAP over patches, by ratio", m.MAP2NNROverN)...)
	t.Add(fractions("mAP over patches, by trapezoids", m.MAPTrapOverN)...)
	t.Add(fractions("share of correct matches", m.SuccessRate)...)
	return t
}

// RetrievalOf2016 returns the table of the means over one or several benchmarks. The
// chance levels are nil if they are unknown.
func RetrievalOf2016(title string, m y2016.RetrievalMean, chanceImage, chancePatch *float64) *table.Table {
	t := sixDigits("", "images", "patches")
	t.Caption = title
	t.Add(fractions("mAP over patches found", m.ImageMAP, m.PatchMAP)...)
	t.Add(table.Text("mAP over the cluster"), table.Text(""), table.Number(float64(m.PatchMAPOverCluster)))
	t.Add(table.Text("mAP over the cluster, by trapezoids"), table.Text(""), table.Number(float64(m.PatchMAPTrap)))
	if chanceImage != nil {
		t.Add(fractions("chance", *chanceImage, *chancePatch)...)
	}
	return t
}
