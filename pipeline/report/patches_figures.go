package report

import (
	"math"
	"path/filepath"
	"slices"

	"descbench/eval/patches/y2017"
	"descbench/pipeline/report/figure"
)

// DrawPatchTasks writes a chart per task, with a bar per descriptor, and the mean average
// precision of retrieval by pool size. It returns the paths of the files.
func DrawPatchTasks(dir, format string, results []*y2017.Result) (files []string, err error) {
	most := 0.1 // of the axes of all bars, which stand next to each other
	draw := func(name string, d figure.Drawing) {
		if err == nil {
			path := filepath.Join(dir, name+"."+format)
			files, err = append(files, path), figure.Write(path, d, figure.Column)
		}
	}
	tasks := []struct {
		name y2017.Task
		of   func(y2017.Summary) *y2017.Estimate
	}{
		{y2017.Verification, func(s y2017.Summary) *y2017.Estimate { return s.Verification }},
		{y2017.Matching, func(s y2017.Summary) *y2017.Estimate { return s.Matching }},
		{y2017.Retrieval, func(s y2017.Summary) *y2017.Estimate { return s.Retrieval }},
	}
	for _, task := range tasks {
		for _, bar := range patchBars(results, string(task.name), task.of).Bars {
			if most = max(most, bar.Value); bar.Interval != nil {
				most = max(most, bar.Interval.High)
			}
		}
	}
	for _, task := range tasks {
		if bars := patchBars(results, string(task.name), task.of); len(bars.Bars) > 0 {
			bars.X.Max = math.Ceil(10*most) / 10
			draw(string(task.name), bars)
		}
	}
	if pools := patchPools(results); len(pools.Curves) > 0 {
		draw("retrieval_pools", pools)
	}
	return files, err
}

// patchBars returns the chart of a task, with a bar per descriptor.
func patchBars(results []*y2017.Result, task string, of func(y2017.Summary) *y2017.Estimate) *figure.Bars {
	bars := &figure.Bars{X: figure.Share("patch " + task + ", mean average precision")}
	for i, r := range results {
		if e := of(r.Summary); e != nil {
			bar := figure.Bar{Name: r.Descriptor, System: i, Value: float64(e.Value)}
			if !math.IsNaN(e.Low) {
				bar.Interval = &figure.Interval{Low: e.Low, High: e.High}
			}
			bars.Bars = append(bars.Bars, bar)
		}
	}
	return bars
}

// patchPools returns the graph of retrieval by pool size, with a curve per descriptor.
func patchPools(results []*y2017.Result) *figure.Graph {
	g := &figure.Graph{X: figure.Axis{Label: "nominal pool size (patches)", Log: true}, Y: figure.Share("patch retrieval mAP")}
	for i, r := range results {
		if r.Retrieval == nil {
			continue
		}
		for _, w := range r.Warnings {
			if w.Kind == "short-pool" {
				g.Title = w.Text
			}
		}
		sizes, _ := poolSizes(r.Retrieval)
		c := figure.Curve{Name: r.Descriptor, System: i}
		for _, size := range sizes {
			c.Points = append(c.Points, figure.Point{X: float64(size), Y: float64(r.Retrieval.MAP.Mean[size])})
		}
		if len(c.Points) > 1 && !slices.ContainsFunc(c.Points, func(p figure.Point) bool { return math.IsNaN(p.Y) }) {
			g.Curves = append(g.Curves, c)
		}
	}
	return g
}
