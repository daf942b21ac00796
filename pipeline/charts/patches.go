package charts

import (
	"math"
	"slices"

	"descbench/eval/catalogue"
	"descbench/eval/fact"
	"descbench/eval/patches/y2017"
	"descbench/pipeline/notes"
	"descbench/pipeline/report"
	"descbench/pipeline/report/figure"
)

// OfPatches returns the charts of descriptors on the tasks of the patch benchmark: one per task,
// with a bar per descriptor, and the mean average precision of retrieval by pool size.
func OfPatches(results []*y2017.Result) *Report {
	r := &Report{}
	most := 0.1 // of the axes of all bars, which stand next to each other
	for _, task := range []struct {
		name        y2017.Task
		title, what string
		of          func(y2017.Summary) *y2017.Estimate
	}{
		{y2017.Verification, "Patch verification", "Do two patches show the same place? Imbalanced variant: a fifth of the positives, all negatives. Mean over three noise levels and two kinds of negatives.", func(s y2017.Summary) *y2017.Estimate { return s.Verification }},
		{y2017.Matching, "Patch matching", "Nearest neighbours between the patches of two images, mean over three noise levels.", func(s y2017.Summary) *y2017.Estimate { return s.Matching }},
		{y2017.Retrieval, "Patch retrieval", "Counterparts of a query among distractors, mean over three noise levels and all pool sizes.", func(s y2017.Summary) *y2017.Estimate { return s.Retrieval }},
	} {
		bars := patchBars(results, string(task.name), task.of)
		said := task.what + " Marks: the mean at each noise level. " + report.PatchCaption(results[0], string(task.name)) + "."
		most = max(most, bars.Most())
		if slices.ContainsFunc(bars.Bars, func(b figure.Bar) bool { return b.Interval != nil }) {
			said += " Intervals: 95 %, cluster bootstrap over sequences" + report.TooNarrow(len(results[0].Sequences), "sequence") + "."
		}
		said += patchNotes(results, string(task.name))
		if len(bars.Bars) > 0 {
			r.Charts = append(r.Charts, Chart{ID: string(task.name), Title: task.title, Caption: said, said: said, Figure: bars})
		}
	}
	for _, c := range r.Charts {
		c.Figure.(*figure.Bars).X.Max = math.Ceil(10*most) / 10
	}
	if pools := patchPools(results); len(pools.Curves) > 0 {
		said := "Mean over three noise levels. " + report.PatchCaption(results[0]) + "."
		said += patchNotes(results, string(y2017.Retrieval))
		r.Charts = append(r.Charts, Chart{ID: "retrieval_pools", Title: "Patch retrieval by pool size", Caption: said, said: said, Figure: pools})
	} else if results[0].Retrieval != nil {
		r.Omitted = append(r.Omitted, Omission{"retrieval_pools", "Patch retrieval by pool size", "too few distractors: fewer than two pool sizes are filled"})
	}
	return r
}

// patchBars returns the chart of a task, with a bar per descriptor and its means at the noise levels.
func patchBars(results []*y2017.Result, task string, of func(y2017.Summary) *y2017.Estimate) *figure.Bars {
	bars := &figure.Bars{X: figure.Share("patch " + task + " mAP"), Parts: []string{"easy", "hard", "tough"}}
	for i, r := range results {
		if e := of(r.Summary); e != nil {
			bars.Bars = append(bars.Bars, figure.Bar{Name: r.Descriptor, System: i, Value: float64(e.Value), Interval: figure.Between(e.Low, e.High), Parts: r.ByNoise(y2017.Task(task))})
		}
	}
	return bars
}

// patchNotes returns what a reader of the charts of a task must know.
func patchNotes(results []*y2017.Result, task string) string {
	var facts []fact.Fact
	for _, r := range results {
		facts = append(facts, fact.About(r.Descriptor, notes.OfPatches(r.Facts, catalogue.Of(catalogue.TaskMetrics[task])))...)
	}
	text := ""
	for _, note := range notes.Grouped(facts, len(results)) {
		text += " Note: " + note + "."
	}
	return text
}

// patchPools returns the graph of retrieval by pool size, with a curve per descriptor.
func patchPools(results []*y2017.Result) *figure.Graph {
	g := &figure.Graph{X: figure.Axis{Label: "nominal pool size (patches)", Log: true}, Y: figure.Share("patch retrieval mAP")}
	for i, r := range results {
		if r.Retrieval == nil {
			continue
		}
		sizes, _ := report.PoolSizes(r.Retrieval)
		c := figure.Curve{Name: r.Descriptor, System: i}
		if len(sizes) < len(y2017.PoolSizes()) { // the last ones have the same patches: fewer than their size
			sizes = sizes[:len(sizes)-1]
		}
		for _, size := range sizes {
			c.Points = append(c.Points, figure.Point{X: float64(size), Y: float64(r.Retrieval.MAP.Mean[size])})
		}
		if len(c.Points) > 1 && !slices.ContainsFunc(c.Points, func(p figure.Point) bool { return math.IsNaN(p.Y) }) {
			g.Curves = append(g.Curves, c)
		}
	}
	return g
}
