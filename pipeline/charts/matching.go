package charts

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"descbench/eval/catalogue"
	"descbench/eval/matching"
	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/pipeline/compare"
	"descbench/pipeline/fold"
	"descbench/pipeline/report"
	"descbench/pipeline/report/figure"
	"descbench/pipeline/report/table"
)

// mma draws the curves of mean matching accuracy over the threshold.
func mma(_ context.Context, d *data, in string) (drawing, error) {
	said := "Share of a pair's matches within a threshold of the projected keypoint, mean over pairs."
	drawn, err := d.overLimits(in, "threshold (px)", "MMA", said, catalogue.MMA, "", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
	if err == nil {
		drawn.said = append(drawn.said, published(drawn.Figure.(*figure.Graph), d.runs, in)...)
	}
	return drawn, err
}

// overLimits draws the curves of a metric of image pairs over the limits that are in its name, by one estimator if
// it needs any. said says what it is.
func (d *data) overLimits(in, limit, label, said, family, estimator string, limits ...int) (drawing, error) {
	metric := func(k int) string { return catalogue.With(family, estimator, k) }
	last := limits[len(limits)-1]
	g := &figure.Graph{X: figure.Axis{Label: limit, Min: float64(limits[0]), Max: float64(last), Whole: true}, Y: figure.Share(label)}
	return d.graph(g, []string{said, d.pairs(in, metric(last))}, bands, noPairs(in), func(s *fold.System) (c figure.Curve) {
		for _, k := range limits {
			addPoint(&c, float64(k), s, in, metric(k))
		}
		return c
	})
}

// mostPublished is the number of published methods up to which their grey curves can be told apart.
const mostPublished = 9

// published adds the curves of MMA that are published under the preset of runs, and says whose they are.
func published(g *figure.Graph, runs *fold.Runs, in string) []string {
	rows, beside := compare.PublishedBeside(runs, in)
	rows = slices.DeleteFunc(slices.Clone(rows), func(r report.PublishedRow) bool {
		_, near := r.Metrics["mma@1"]
		_, far := r.Metrics["mma@10"]
		return !near || !far
	})
	rows = Best(rows, mostPublished, func(r report.PublishedRow) float64 { return r.Metrics["mma@3"] }, func(report.PublishedRow) int { return 0 })
	var sources spelling.Groups // methods
	for i, r := range rows {
		line := figure.Reference{Name: r.Method + ", published", Look: &figure.Look{Colour: figure.Grey, Dash: i, Mark: i}}
		for px := 1; px <= 10; px++ {
			if v, has := r.Metrics[fmt.Sprintf("mma@%d", px)]; has {
				line.Points = append(line.Points, figure.Point{X: float64(px), Y: v})
			}
		}
		g.References = append(g.References, line)
		sources.Add(r.Source.String(), r.Method)
	}
	if rows == nil {
		return nil
	}
	for i, source := range sources.Texts {
		sources.Texts[i] = strings.Join(sources.Of[source], ", ") + " (" + source + ")"
	}
	return []string{table.Sentences("Grey: published values", spelling.Capital(beside), "Sources: "+strings.Join(sources.Texts, ", "))}
}

// noPairs says that a scope has no image pairs to match.
func noPairs(in string) missing {
	if in != scope.All {
		return missing("the run has no " + in + " image pairs with keypoints")
	}
	return "the run has no image pairs with keypoints"
}

// graph adds the curve of each system to show to a graph, unless it has no points, and
// returns the graph. why says why there is no curve.
func (d *data) graph(g *figure.Graph, said []string, as spread, why missing, curve func(s *fold.System) figure.Curve) (drawing, error) {
	for _, s := range d.systems {
		if c := curve(s); c.Points != nil {
			c.Name, c.System, c.Look = s.Name, s.Index, d.looks[s]
			g.Curves = append(g.Curves, c)
		}
	}
	if g.Curves == nil {
		return drawing{}, why
	}
	g.Y.Decimals = new(table.Share.Decimals(Intervals(d.runs.Systems, "")))
	return drawing{g, said, as}, nil
}

// addPoint adds a metric of a system with its interval to a curve, if it is defined.
func addPoint(c *figure.Curve, x float64, s *fold.System, in, metric string) {
	if v := s.Value(in, metric); !math.IsNaN(v) {
		c.Points = append(c.Points, figure.Point{X: x, Y: v})
		c.Along = append(c.Along, interval(s, in, metric))
	}
}

// by names an estimator with its inlier threshold.
func by(estimator string) string {
	e, _ := matching.ParseEstimator(estimator) // the config was checked
	name := cmp.Or(estimatorNames[estimator], estimator)
	if e.Type != matching.DLT && !e.ScaledThreshold {
		name += fmt.Sprintf(" with an inlier threshold of %g px", e.ThresholdPx)
	}
	return name
}

// accuracy returns the builder of the curves of the share of image pairs over the
// corner error, of one estimator.
func accuracy(estimator string) builder {
	return func(_ context.Context, d *data, in string) (drawing, error) {
		said := fmt.Sprintf("Share of image pairs whose homography, estimated from the matches by %s, maps the corners of image 1 with at most this mean error. A failed estimation counts as an infinite error.", by(estimator))
		return d.overLimits(in, "corner error (px)", "accuracy", said, catalogue.HomographyAccuracy, estimator, 1, 3, 5, 7, 10)
	}
}

// poseAUC returns the builder of the curves of the AUC of the pose error over its largest angle, of one
// estimator.
func poseAUC(estimator string) builder {
	return func(_ context.Context, d *data, in string) (drawing, error) {
		said := fmt.Sprintf("Area under the share of image pairs by pose error, from 0 to each angle, of relative poses estimated from the matches by %s. The error is the larger of the angles of rotation and of translation, infinite if the estimation failed.", by(estimator))
		return d.overLimits(in, "largest angle (°)", "pose AUC", said, catalogue.PoseAUC, estimator, 5, 10, 20)
	}
}

// pairs says how many image pairs are behind a figure.
func (d *data) pairs(in, metric string) string {
	var counts []int
	for _, s := range d.systems {
		if m, there := s.Metric(in, metric); there && m.N > 0 {
			counts = append(counts, m.N)
		}
	}
	return spelling.Counts(counts, "image pair") + "."
}

var estimatorNames = map[string]string{"dlt": "DLT on all matches", "ransac": "RANSAC", "magsac": "MAGSAC++"}

// matches draws the mean number of matches of an image pair.
func matches(_ context.Context, d *data, _ string) (drawing, error) {
	b := d.bars("matches_per_pair")
	if len(b.Bars) == 0 {
		return drawing{}, noPairs(scope.All)
	}
	if alike(b.Bars) {
		return drawing{}, missing(fmt.Sprintf("all shown descriptors have %.1f matches per pair", b.Bars[0].Value))
	}
	return drawing{b, []string{"Mean number of matches of an image pair, correct or not."}, intervals}, nil
}

// repeatability draws mAP against repeatability.
func repeatability(_ context.Context, d *data, _ string) (drawing, error) {
	const metric = "repeatability@3"
	g := &figure.Graph{X: figure.Share(catalogue.Of(metric).Paper), Y: figure.Share("mAP")}
	if all := d.bars(metric).Bars; alike(all) && len(all) == len(d.systems) {
		return drawing{}, missing(fmt.Sprintf("all shown descriptors have the same keypoints, with a repeatability of %s %%", table.Share.Format(all[0].Value)))
	}
	said := []string{"Repeatability is the share of keypoints in the shared region with a keypoint of the other image within 3 px. Descriptors on the same keypoints have the same repeatability."}
	return d.graph(g, said, "", "no descriptor has both repeatability and mAP", func(s *fold.System) figure.Curve {
		return markAt(s, s.Value(scope.All, metric), nil)
	})
}

// alike reports whether several bars are equal, so that a chart of them says nothing.
func alike(bars []figure.Bar) bool {
	return len(bars) > 1 && !slices.ContainsFunc(bars, func(b figure.Bar) bool { return b.Value != bars[0].Value })
}

// markAt returns the mark of a system at its mAP, with an interval if there is one, and
// another value. It has no points unless both are defined.
func markAt(s *fold.System, x float64, interval *figure.Interval) figure.Curve {
	c := figure.Curve{Marks: true}
	if y := s.Value(scope.All, catalogue.MAP); !math.IsNaN(x) && !math.IsNaN(y) {
		c.Points = []figure.Point{{X: x, Y: y}}
	}
	if interval != nil {
		c.Along = []*figure.Interval{interval}
	}
	return c
}
