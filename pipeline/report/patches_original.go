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
		share("auc", "AUC", "higher", 0), share("eer", "EER", "lower", 2), share("fpr95", "FPR95 (%)", "lower", 0), share("best_accuracy", "accuracy", "higher", 3),
		table.Column{Name: "youden_j", Title: "Youden J", Unit: table.Measure, Better: "higher", Priority: 4},
		table.Titled("all_N", table.Count, 5), share("ap", "AP", "higher", 0), share("pr_area", "PR area", "higher", 3),
	)
	t.Keys = 3
	if roc {
		t.Columns = append(t.Columns, share("imbalanced_auc", "all: AUC", "higher", 1), share("imbalanced_eer", "all: EER", "lower", 1), share("imbalanced_fpr95", "all: FPR95 (%)", "lower", 1))
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

// A BenchmarkRow is the result of a descriptor on a benchmark of 2016, or its mean over
// several, of which nothing is counted.
type BenchmarkRow[R any] struct {
	Descriptor, Benchmark string
	Result                *R
}

// MatchingOf2016 returns the table of results of matching, as fractions.
func MatchingOf2016(list []BenchmarkRow[y2016.MatchingResult], distance string) *table.Table {
	t := ofBenchmarks("Matching", "pairs", []table.Column{
		fraction("map_over_N", "mAP", 0), fraction("map_2nnr_over_N", "by ratio", 1), fraction("map_trap_over_N", "trapezoids", 4),
		fraction("map_over_correct", "correct: mAP", 2), fraction("map_2nnr_over_correct", "correct: ratio", 3), fraction("msr", "share correct", 1),
	}, list, distance, func(r *y2016.MatchingResult) (int, []*float64) {
		return len(r.Pairs), []*float64{&r.MAPOverN, &r.MAP2NNROverN, &r.MAPTrapOverN, &r.MAPOverCorrect, &r.MAP2NNR, &r.SuccessRate}
	})
	t.Note("mAP, by ratio, trapezoids: over patches; correct: over correct matches, as in the code of 2016; share correct: of patches")
	return t
}

// RetrievalOf2016 returns the table of results of retrieval, as fractions.
func RetrievalOf2016(list []BenchmarkRow[y2016.RetrievalResult], distance string) *table.Table {
	chance := func(name string) table.Column {
		return table.Column{Name: "chance_" + name, Title: "chance: " + name, Unit: table.LongFraction, Priority: 3}
	}
	t := ofBenchmarks("Retrieval", "queries", []table.Column{
		fraction("image_map", "images", 0), fraction("patch_map", "patches", 0),
		fraction("patch_map_over_cluster", "cluster", 0), fraction("patch_map_trap_over_cluster", "trapezoids", 4), chance("image"), chance("patch"),
	}, list, distance, func(r *y2016.RetrievalResult) (int, []*float64) {
		return r.Queries, []*float64{&r.ImageMAP, &r.PatchMAP, &r.PatchMAPOverCluster, &r.PatchMAPTrap, r.ChanceImage, r.ChancePatch}
	})
	t.Note("mAP of the 50 nearest; images, patches: over patches found, as in the code of 2016; cluster, trapezoids: over the cluster of a patch")
	return t
}

func fraction(name, title string, priority int) table.Column {
	return table.Column{Name: name, Title: title, Unit: table.LongFraction, Better: "higher", Priority: priority}
}

// ofBenchmarks returns a table with a row per descriptor and benchmark. values returns how
// many there are of what is counted, and the values of the columns, nil if they are unknown.
func ofBenchmarks[R any](task, counted string, columns []table.Column, list []BenchmarkRow[R], distance string, values func(*R) (n int, values []*float64)) *table.Table {
	t := table.New(append([]table.Column{table.Titled("descriptor", table.Words, 0), table.Titled("benchmark", table.Words, 0), table.Titled(counted, table.Count, 5)}, columns...)...)
	t.Keys = 2
	for _, row := range list {
		cells := []table.Cell{{}, table.Text(row.Benchmark), {}}
		if row.Descriptor != "" {
			cells[0] = table.Text(row.Descriptor)
		}
		n, values := values(row.Result)
		if n > 0 {
			cells[2] = table.Integer(n)
		}
		for _, v := range values {
			cell := table.Cell{}
			if v != nil {
				cell = table.Number(*v)
			}
			cells = append(cells, cell)
		}
		t.AddTo(row.Benchmark, cells...)
	}
	t.Caption = task + " of 2016, as fractions, distance " + distance
	t.Label = strings.Join(slices.Compact(append([]string{strings.ToLower(task)}, t.RowNames()...)), " ")
	return t
}
