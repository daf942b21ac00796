package charts

import (
	"fmt"
	"math"
	"slices"

	"descbench/eval/catalogue"
	"descbench/eval/fact"
	"descbench/eval/patches/y2017"
	"descbench/pipeline/notes"
	"descbench/pipeline/report"
	"descbench/pipeline/report/figure"
	"descbench/pipeline/report/table"
)

// OfPatches returns the charts of descriptors on the tasks of the patch benchmark: one per task,
// with a bar per descriptor, and the mean average precision of retrieval by pool size.
func OfPatches(results []*y2017.Result) *Report {
	r, setup := &Report{}, table.Sentences(report.PatchSetup(results[0])...)
	var shown []*figure.Bars
	for _, task := range []struct {
		name        y2017.Task
		title, what string
	}{
		{y2017.Verification, "Patch verification", "Do two patches show the same place? Imbalanced variant: a fifth of the positives, all negatives. Mean over three noise levels and two kinds of negatives."},
		{y2017.Matching, "Patch matching", "Nearest neighbours between the patches of two images, mean over three noise levels."},
		{y2017.Retrieval, "Patch retrieval", "Counterparts of a query among distractors, mean over three noise levels and all pool sizes."},
	} {
		bars := patchBars(results, task.name)
		said := append([]string{task.what + " Marks: the mean at each noise level."}, setup)
		if slices.ContainsFunc(bars.Bars, func(b figure.Bar) bool { return b.Interval != nil }) {
			text := "Intervals: 95 %, cluster bootstrap over sequences"
			if n := len(results[0].Sequences); report.TooNarrow(n) {
				text += fmt.Sprintf(", too narrow with only %d", n)
			}
			said = append(said, text+".")
		}
		if len(bars.Bars) > 0 {
			shown = append(shown, bars)
			r.Charts = append(r.Charts, patchChart(string(task.name), task.title, results, string(task.name), said, bars))
		}
	}
	figure.ShareX(shown)
	if pools := patchPools(results); len(pools.Curves) > 0 {
		r.Charts = append(r.Charts, patchChart("retrieval_pools", "Patch retrieval by pool size", results, string(y2017.Retrieval), []string{"Mean over three noise levels.", setup}, pools))
	} else if results[0].Ran(y2017.Retrieval) {
		r.Omitted = append(r.Omitted, Omission{"retrieval_pools", "Patch retrieval by pool size", "too few distractors: fewer than two pool sizes are filled"})
	}
	return r
}

// patchBars returns the chart of a task, with a bar per descriptor and its means at the noise levels.
func patchBars(results []*y2017.Result, task y2017.Task) *figure.Bars {
	bars := &figure.Bars{X: figure.Share("patch " + string(task) + " mAP"), Parts: []string{"easy", "hard", "tough"}}
	for i, r := range results {
		if m := r.Metric(catalogue.TaskMetrics[string(task)]); r.Ran(task) {
			bars.Bars = append(bars.Bars, figure.Bar{Name: r.Descriptor, System: i, Look: figure.NewLook(i), Value: m.Value, Interval: figure.Between(m.Low, m.High), Parts: r.ByNoise(task)})
		}
	}
	return bars
}

// patchChart returns a chart with what a reader of the values of a task must know.
func patchChart(id, title string, results []*y2017.Result, task string, said []string, drawn figure.Figure) Chart {
	var facts []fact.Fact
	var names []string
	for _, r := range results {
		names = append(names, r.Descriptor)
		facts = append(facts, fact.About(r.Descriptor, notes.OfPatches(r.Facts, catalogue.Of(catalogue.TaskMetrics[task])))...)
	}
	for _, note := range notes.Strings(notes.Lines(facts, names...)) {
		said = append(said, "Note: "+note+".")
	}
	return Chart{ID: id, Title: title, Caption: said, Figure: drawn}
}

// patchPools returns the graph of retrieval by pool size, with a curve per descriptor.
func patchPools(results []*y2017.Result) *figure.Graph {
	g := &figure.Graph{X: figure.Axis{Label: "nominal pool size (patches)", Log: true}, Y: figure.Share("patch retrieval mAP")}
	for i, r := range results {
		if !r.Ran(y2017.Retrieval) {
			continue
		}
		c := figure.Curve{Name: r.Descriptor, System: i, Look: figure.NewLook(i)}
		for _, size := range y2017.PoolSizes() {
			c.Points = append(c.Points, figure.Point{X: float64(size), Y: r.Metric(fmt.Sprintf("patch_retrieval_map_%d_mean", size)).Value})
		}
		last := len(c.Points) - 1
		same := slices.IndexFunc(c.Points, func(p figure.Point) bool { return p.Y == c.Points[last].Y })
		if same >= 0 && same < last { // too few distractors: these pools have the same patches, fewer than their size
			c.Points = c.Points[:same]
		}
		if len(c.Points) > 1 && !slices.ContainsFunc(c.Points, func(p figure.Point) bool { return math.IsNaN(p.Y) }) {
			g.Curves = append(g.Curves, c)
		}
	}
	return g
}
