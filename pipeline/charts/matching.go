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
	"descbench/eval/record"
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
	g := &figure.Graph{X: figure.Axis{Label: "threshold (px)", Min: 1, Max: 10, Whole: true}, Y: figure.Share("MMA")}
	said := []string{"Share of a pair's matches within a threshold of the projected keypoint, mean over pairs.", d.pairs(in, "mma@3")}
	drawn, err := d.graph(g, said, bands, noPairs(in), func(s *fold.System) (c figure.Curve) {
		for px := 1; px <= 10; px++ {
			addPoint(&c, float64(px), s, in, fmt.Sprintf("mma@%d", px))
		}
		return c
	})
	if err == nil {
		drawn.said = append(drawn.said, published(g, d.runs, in)...)
	}
	return drawn, err
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

// mostSteps is the number of curves in steps up to which a reader of a paper can tell them apart.
const mostSteps = 5

// eachPair calls a function with the record of each image pair of the systems to show.
func (d *data) eachPair(call func(s *fold.System, p *record.Pair)) error {
	for _, r := range d.runs.Runs {
		records, err := r.PairRecords()
		if err != nil {
			return err
		}
		for _, p := range records {
			if at := slices.IndexFunc(d.systems, func(s *fold.System) bool { return s.Run == r && s.Descriptor == p.Descriptor }); at >= 0 {
				call(d.systems[at], &p)
			}
		}
	}
	return nil
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
		const most, per = 10, 100 // px, and steps of the curve per px
		counts := make(map[*fold.System][]int)
		pairs := make(map[*fold.System]int)
		near := false // whether any curve leaves zero
		if err := d.eachPair(func(s *fold.System, p *record.Pair) {
			for _, found := range matching.EstimateErrors(p) {
				if found.Estimator != estimator {
					continue
				}
				if in != scope.All && scope.Category(p.Scene) != in {
					continue
				}
				if pairs[s]++; counts[s] == nil {
					counts[s] = make([]int, most*per+1)
				}
				if found.Px <= most {
					near = true
					counts[s][int(math.Ceil(found.Px*per-1e-9))]++
				}
			}
		}); err != nil {
			return drawing{}, err
		}
		if len(pairs) > mostSteps && !d.Page {
			return drawing{}, missing(fmt.Sprintf("curves in steps of more than %d descriptors cover each other: choose some with --only, or see descbench results --table homography", mostSteps))
		}
		if len(pairs) > 0 && !near {
			return drawing{}, missing(fmt.Sprintf("no image pair has a corner error up to %d px", most))
		}
		g := &figure.Graph{X: figure.Axis{Label: "corner error (px)", Max: most}, Y: figure.Share("image pairs up to this error")}
		said := []string{
			fmt.Sprintf("Share of image pairs whose homography, estimated from the matches by %s, maps the corners of image 1 with at most this mean error. A failed estimation counts as an infinite error.", by(estimator)),
			d.pairs(in, catalogue.With(catalogue.HomographyAccuracy, estimator, 3)),
		}
		return d.graph(g, said, "", noPairs(in), func(s *fold.System) (c figure.Curve) {
			c.Steps = true
			sum := 0
			for t, n := range counts[s] {
				if sum += n; n > 0 || t%per == 0 {
					c.Points = append(c.Points, figure.Point{X: float64(t) / per, Y: float64(sum) / float64(pairs[s])})
				}
			}
			return c
		})
	}
}

// poseAUC returns the builder of the curves of the AUC of the pose error over its largest angle, of one
// estimator.
func poseAUC(estimator string) builder {
	return func(_ context.Context, d *data, _ string) (drawing, error) {
		const most = 20 // degrees
		e, _ := matching.ParseEstimator(estimator)
		drawn := make(map[*fold.System][][]float64) // errors by draw
		if err := d.eachPair(func(s *fold.System, p *record.Pair) {
			found := slices.DeleteFunc(matching.EstimateErrors(p), func(f matching.EstimateError) bool { return f.Estimator != estimator })
			draws := max(1, len(found)/max(1, e.Repetitions))
			for i, f := range found {
				if drawn[s] == nil {
					drawn[s] = make([][]float64, draws)
				}
				at := i * draws / len(found)
				drawn[s][at] = append(drawn[s][at], f.Degrees())
			}
		}); err != nil {
			return drawing{}, err
		}
		g := &figure.Graph{X: figure.Axis{Label: "largest angle (°)", Max: most}, Y: figure.Share("pose AUC")}
		said := []string{
			fmt.Sprintf("Area under the share of image pairs by pose error, from 0 to each angle, of relative poses estimated from the matches by %s. The error is the larger of the angles of rotation and of translation, infinite if the estimation failed.", by(estimator)),
			d.pairs(scope.All, catalogue.With(catalogue.PoseAUC, estimator, 10)),
		}
		return d.graph(g, said, "", noPairs(scope.All), func(s *fold.System) (c figure.Curve) {
			for angle := 1.; angle <= most && drawn[s] != nil; angle++ {
				sum := 0.0
				for _, errors := range drawn[s] {
					sum += matching.NewPairValues([][]float64{errors}).AUC(nil, angle)
				}
				c.Points = append(c.Points, figure.Point{X: angle, Y: sum / float64(len(drawn[s]))})
			}
			return c
		})
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
