package report

import (
	"io"
	"slices"

	"descbench/eval/patches/y2016"
	"descbench/pipeline/report/table"
)

// ClassifiedPair holds the metrics of a file of positives and a file of negatives.
type ClassifiedPair struct {
	Positives, Negatives string
	Figures              *y2016.ClassificationResult
}

// WriteClassification prints the ROC metrics of the balanced protocol and the
// precision-recall metrics of the imbalanced protocol. roc adds the ROC metrics of
// the imbalanced protocol.
func WriteClassification(out io.Writer, list []ClassifiedPair, roc bool) error {
	balanced := classTable("AUC", "EER", "FPR95", "best accuracy", "Youden J")
	imbalanced := classTable("AP", "PR area")
	if roc {
		imbalanced = classTable("AP", "PR area", "AUC", "EER", "FPR95")
	}
	for _, c := range list {
		b, i := c.Figures.Balanced, c.Figures.Imbalanced
		balanced.Add(classRow(c, b, b.AUC, b.EER, b.FPR95, b.BestAccuracy, b.YoudenJ)...)
		values := []float64{i.AP, i.PRIntegral}
		if roc {
			values = append(values, i.AUC, i.EER, i.FPR95)
		}
		imbalanced.Add(classRow(c, i, values...)...)
	}
	if err := writeTitled(out, "Classification of 2016, balanced: as many negatives as positives, evaluated by the ROC curve", balanced); err != nil {
		return err
	}
	return writeTitled(out, "Classification of 2016, imbalanced: all negatives, evaluated by precision and recall", imbalanced)
}

// classTable returns a table of pairs of files with metrics.
func classTable(metrics ...string) *table.Table {
	t := sixDigits("positives", metrics...)
	t.Columns = slices.Insert(t.Columns, 1,
		table.Column{Title: "negatives", Unit: table.Words}, table.Column{Title: "P", Unit: table.Count}, table.Column{Title: "N", Unit: table.Count})
	return t
}

func classRow(c ClassifiedPair, f *y2016.ClassFigures, values ...float64) []table.Cell {
	return slices.Insert(fractions(c.Positives, values...), 1, table.Text(c.Negatives), table.Integer(f.P), table.Integer(f.N))
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
