package report

import (
	"slices"

	"descbench/eval/patches/y2016"
	"descbench/pipeline/report/table"
)

// ClassifiedPair holds the metrics of a file of positives and a file of negatives.
type ClassifiedPair struct {
	Descriptor, Positives, Negatives string
	Result                           *y2016.ClassificationResult
}

// Classification returns the table of the ROC metrics of the balanced protocol and the
// precision-recall metrics of the imbalanced protocol. distance is that between descriptors.
func Classification(list []ClassifiedPair, distance string) *table.Table {
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
	for _, c := range list {
		b, i := c.Result.Curves[0].Summary(), c.Result.Curves[1].Summary()
		cells := []table.Cell{table.Text(c.Descriptor), table.Text(c.Positives), table.Text(c.Negatives), table.Integer(b.Positives), table.Integer(b.Negatives)}
		if c.Descriptor == "" {
			cells[0] = table.Cell{}
		}
		for _, v := range []float64{b.ROCAUC, b.EER, b.FPR95} {
			cells = append(cells, table.Number(v))
		}
		cells = append(cells, table.Integer(i.Negatives), table.Number(i.AveragePrecision))
		t.AddTo(c.Positives+"\n"+c.Negatives, cells...)
	}
	entitle2016("Classification", t, distance)
	return t
}

// A BenchmarkRow is the result of a descriptor on a benchmark of 2016, or its mean over
// several, of which nothing is counted.
type BenchmarkRow struct {
	Descriptor, Benchmark string
	Result                *y2016.Result
}

// MatchingOf2016 returns the table of results of matching.
func MatchingOf2016(list []BenchmarkRow, distance string) *table.Table {
	const correct = "over correct matches"
	return ofBenchmarks("Matching", "pairs", list, distance,
		shareOf2016("map_over_correct", "mAP", 0, correct), shareOf2016("map_2nnr_over_correct", "by ratio", 1, correct), shareOf2016("msr", "share correct", 1, "of patches"))
}

// RetrievalOf2016 returns the table of results of retrieval.
func RetrievalOf2016(list []BenchmarkRow, distance string) *table.Table {
	chance := func(name string) table.Column {
		return table.Column{Name: "chance_" + name, Title: "chance: " + name, Unit: table.Share, Priority: 3}
	}
	const found = "mAP of the 50 nearest over patches found"
	return ofBenchmarks("Retrieval", "queries", list, distance,
		shareOf2016("image_map", "images", 0, found), shareOf2016("patch_map", "patches", 0, found), chance("image"), chance("patch"))
}

func shareOf2016(name, title string, priority int, note string) table.Column {
	return table.Column{Name: name, Title: title, Unit: table.Share, Better: "higher", Priority: priority, Note: note}
}

// ofBenchmarks returns a table with a row per descriptor and benchmark. The columns are the figures of
// results, of which the last may be unknown.
func ofBenchmarks(task, counted string, list []BenchmarkRow, distance string, columns ...table.Column) *table.Table {
	t := table.New(append([]table.Column{table.Titled("descriptor", table.Words, 0), table.Titled("benchmark", table.Words, 0), table.Titled(counted, table.Count, 5)}, columns...)...)
	t.Keys = 2
	for _, row := range list {
		cells := make([]table.Cell, len(t.Columns))
		if row.Descriptor != "" {
			cells[0] = table.Text(row.Descriptor)
		}
		cells[1] = table.Text(row.Benchmark)
		if n := len(row.Result.Sequences); n > 0 {
			cells[2] = table.Integer(n)
		}
		for i, f := range row.Result.Figures {
			cells[3+i] = table.Number(f.Mean)
		}
		t.AddTo(row.Benchmark, cells...)
	}
	entitle2016(task, t, distance)
	return t
}

// entitle2016 sets the title, caption and label of a table of a task, whose rows have the names of a
// descriptor and of its pairs or benchmark.
func entitle2016(task string, t *table.Table, distance string) {
	var names []string
	for i, name := range t.RowNames() {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
		if of := t.Rows[i].Group; !slices.Contains(t.Of, of) {
			t.Of = append(t.Of, of)
		}
	}
	if t.Title = task + " of 2016"; names != nil {
		t.Title += " of " + Listed(names)
	}
	t.Caption, t.Of = []string{"Distance " + distance}, append(t.Of, distance)
}
