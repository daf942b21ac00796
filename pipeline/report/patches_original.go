package report

import (
	"io"
	"strconv"

	"descbench/eval/patches/original"
)

// ClassifiedPair holds the metrics of a file of positives and a file of negatives.
type ClassifiedPair struct {
	Positives, Negatives string
	Figures              *original.ClassificationResult
}

// WriteClassification prints the ROC metrics of the balanced protocol and the
// precision-recall metrics of the imbalanced protocol. roc adds the ROC metrics of
// the imbalanced protocol.
func WriteClassification(out io.Writer, list []ClassifiedPair, roc bool) error {
	balanced := [][]string{{"positives", "negatives", "P", "N", "AUC", "EER", "FPR95", "best accuracy", "Youden J"}}
	imbalanced := [][]string{{"positives", "negatives", "P", "N", "AP", "PR area"}}
	if roc {
		imbalanced[0] = append(imbalanced[0], "AUC", "EER", "FPR95")
	}
	for _, c := range list {
		b, i := c.Figures.Balanced, c.Figures.Imbalanced
		balanced = append(balanced, append(classSizes(c, b), fraction(b.AUC), fraction(b.EER), fraction(b.FPR95), fraction(b.BestAccuracy), fraction(b.YoudenJ)))
		row := append(classSizes(c, i), fraction(i.AP), fraction(i.PRIntegral))
		if roc {
			row = append(row, fraction(i.AUC), fraction(i.EER), fraction(i.FPR95))
		}
		imbalanced = append(imbalanced, row)
	}
	if err := writeTitled(out, "Balanced: as many negatives as positives, evaluated by the ROC curve", balanced); err != nil {
		return err
	}
	return writeTitled(out, "Imbalanced: all negatives, evaluated by precision and recall", imbalanced)
}

func classSizes(c ClassifiedPair, f *original.ClassFigures) []string {
	return []string{c.Positives, c.Negatives, strconv.FormatInt(f.P, 10), strconv.FormatInt(f.N, 10)}
}

// WriteOriginalMatching prints the means over one or several benchmarks.
func WriteOriginalMatching(out io.Writer, title string, m original.MatchingMean) error {
	return writeTitled(out, title, [][]string{
		{"mAP over correct matches, by distance", fraction(m.MAPOverCorrect)},
		{"mAP over correct matches, by ratio", fraction(m.MAP2NNR)},
		{"mAP over patches, by distance", fraction(m.MAPOverN)},
		{"mAP over patches, by trapezoids", fraction(m.MAPTrapOverN)},
		{"share of correct matches", fraction(m.SuccessRate)},
	})
}

// WriteOriginalRetrieval prints the means over one or several benchmarks. The
// chance levels are nil if they are unknown.
func WriteOriginalRetrieval(out io.Writer, title string, m original.RetrievalMean, chanceImage, chancePatch *float64) error {
	rows := [][]string{
		{"", "images", "patches"},
		{"mAP over patches found", fraction(m.ImageMAP), fraction(m.PatchMAP)},
		{"mAP over the cluster", "", fraction(m.PatchMAPOverCluster)},
		{"mAP over the cluster, by trapezoids", "", fraction(m.PatchMAPTrap)},
	}
	if chanceImage != nil {
		rows = append(rows, []string{"chance", fraction(*chanceImage), fraction(*chancePatch)})
	}
	return writeTitled(out, title, rows)
}
