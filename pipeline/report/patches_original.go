package report

import (
	"slices"

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
	const balanced, imbalanced = "balanced, as many negatives as positives", "imbalanced, all negatives"
	share := func(name, title, better string, priority int, note string) table.Column {
		return table.Column{Name: name, Title: title, Unit: table.Share, Better: better, Priority: priority, Note: note}
	}
	t := table.New(
		table.Titled("descriptor", table.Words, 0), table.Titled("positives", table.Words, 0), table.Titled("negatives", table.Words, 0),
		table.Titled("P", table.Count, 5), table.Titled("N", table.Count, 5),
		share("auc", "AUC", "higher", 0, balanced), share("eer", "EER", "lower", 2, balanced), share("fpr95", "FPR95", "lower", 0, balanced),
		table.Titled("all_N", table.Count, 5), share("ap", "AP", "higher", 0, imbalanced),
	)
	t.Keys = 3
	if roc {
		t.Columns = append(t.Columns, share("imbalanced_auc", "all: AUC", "higher", 1, imbalanced), share("imbalanced_eer", "all: EER", "lower", 1, imbalanced), share("imbalanced_fpr95", "all: FPR95", "lower", 1, imbalanced))
	}
	for _, c := range list {
		b, i := c.Figures.Balanced, c.Figures.Imbalanced
		cells := []table.Cell{table.Text(c.Descriptor), table.Text(c.Positives), table.Text(c.Negatives), table.Integer(b.P), table.Integer(b.N)}
		if c.Descriptor == "" {
			cells[0] = table.Cell{}
		}
		for _, v := range []float64{b.AUC, b.EER, b.FPR95} {
			cells = append(cells, table.Number(v))
		}
		cells = append(cells, table.Integer(i.N), table.Number(i.AP), table.Number(i.AUC), table.Number(i.EER), table.Number(i.FPR95))
		t.AddTo(c.Positives+"\n"+c.Negatives, cells[:len(t.Columns)]...)
	}
	t.Title = of2016("Classification", t)
	t.Caption = []string{"Distance " + distance}
	return t
}

// A BenchmarkRow is the result of a descriptor on a benchmark of 2016, or its mean over
// several, of which nothing is counted.
type BenchmarkRow[R any] struct {
	Descriptor, Benchmark string
	Result                *R
}

// MatchingOf2016 returns the table of results of matching.
func MatchingOf2016(list []BenchmarkRow[y2016.MatchingResult], distance string) *table.Table {
	const correct = "over correct matches"
	return ofBenchmarks("Matching", "pairs", []table.Column{
		shareOf2016("map_over_correct", "mAP", 0, correct), shareOf2016("map_2nnr_over_correct", "by ratio", 1, correct), shareOf2016("msr", "share correct", 1, "of patches"),
	}, list, distance, func(r *y2016.MatchingResult) (int, []*float64) {
		return len(r.Pairs), []*float64{&r.MAPOverCorrect, &r.MAP2NNR, &r.SuccessRate}
	})
}

// RetrievalOf2016 returns the table of results of retrieval.
func RetrievalOf2016(list []BenchmarkRow[y2016.RetrievalResult], distance string) *table.Table {
	chance := func(name string) table.Column {
		return table.Column{Name: "chance_" + name, Title: "chance: " + name, Unit: table.Share, Priority: 3}
	}
	const found = "mAP of the 50 nearest over patches found"
	return ofBenchmarks("Retrieval", "queries", []table.Column{
		shareOf2016("image_map", "images", 0, found), shareOf2016("patch_map", "patches", 0, found), chance("image"), chance("patch"),
	}, list, distance, func(r *y2016.RetrievalResult) (int, []*float64) {
		return r.Queries, []*float64{&r.ImageMAP, &r.PatchMAP, r.ChanceImage, r.ChancePatch}
	})
}

func shareOf2016(name, title string, priority int, note string) table.Column {
	return table.Column{Name: name, Title: title, Unit: table.Share, Better: "higher", Priority: priority, Note: note}
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
	t.Title = of2016(task, t)
	t.Caption = []string{"Distance " + distance}
	return t
}

// of2016 is the title of a table of a task.
func of2016(task string, t *table.Table) string {
	title := task + " of 2016"
	if names := slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(t.RowNames()))), func(name string) bool { return name == "" }); len(names) > 0 {
		title += " of " + Listed(names)
	}
	return title
}
