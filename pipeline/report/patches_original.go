package report

import (
	"fmt"
	"io"
	"strconv"

	"descbench/eval/patches/original"
)

// ClassifiedPair is a file of positives against one of negatives.
type ClassifiedPair struct {
	Positives, Negatives string
	Figures              *original.ClassificationResult
}

// WriteClassification prints the balanced protocol by its ROC curve and the
// imbalanced one by precision and recall; roc adds the ROC curve of the latter.
func WriteClassification(out io.Writer, list []ClassifiedPair, roc bool) error {
	balanced := [][]string{{"positives", "negatives", "P", "N", "AUC", "EER", "FPR95", "accuracy", "Youden J"}}
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
	if err := writeTitled(out, "Balanced: as many negatives as positives, judged by the ROC curve", balanced); err != nil {
		return err
	}
	return writeTitled(out, "Imbalanced: all negatives, judged by precision and recall", imbalanced)
}

func classSizes(c ClassifiedPair, f *original.ClassFigures) []string {
	return []string{c.Positives, c.Negatives, strconv.FormatInt(f.P, 10), strconv.FormatInt(f.N, 10)}
}

// WriteOriginalMatching prints the means over the image pairs of a benchmark.
func WriteOriginalMatching(out io.Writer, r *original.MatchingResult) error {
	return writeTitled(out, fmt.Sprintf("Matching of 2016, %d image pairs", len(r.Pairs)), [][]string{
		{"mAP over right matches, by distance", fraction(r.MAPOverCorrect)},
		{"mAP over right matches, by ratio", fraction(r.MAP2NNR)},
		{"mAP over patches, by distance", fraction(r.MAPOverN)},
		{"mAP over patches, by trapezoids", fraction(r.MAPTrapOverN)},
		{"share of right matches", fraction(r.SuccessRate)},
	})
}

// WriteOriginalRetrieval prints the means over the queries of a benchmark.
func WriteOriginalRetrieval(out io.Writer, r *original.RetrievalResult) error {
	rows := [][]string{
		{"", "images", "patches"},
		{"mAP over what was found", fraction(r.ImageMAP), fraction(r.PatchMAP)},
		{"mAP over the cluster", "", fraction(r.PatchMAPOverCluster)},
		{"mAP over the cluster, by trapezoids", "", fraction(r.PatchMAPTrap)},
	}
	if r.ChanceImage != nil {
		rows = append(rows, []string{"chance", fraction(*r.ChanceImage), fraction(*r.ChancePatch)})
	}
	return writeTitled(out, fmt.Sprintf("Retrieval of 2016, %d queries, 50 nearest each", r.Queries), rows)
}
