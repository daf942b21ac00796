package charts

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"descbench/eval/catalogue"
	"descbench/eval/ranking"
	"descbench/eval/scope"
	"descbench/pipeline/fold"
	"descbench/pipeline/report"
	"descbench/pipeline/report/figure"
	"descbench/pipeline/report/table"
)

// mapOf maps scopes to the metric of scope "all" that is the mean of mAP over their
// scenes.
var mapOf = map[string]string{scope.All: catalogue.MAP, scope.Viewpoint: "viewpoint_map", scope.Illumination: "illumination_map"}

// mapBars draws the bars of mAP in a scope.
func mapBars(_ context.Context, d *data, in string) (drawing, error) {
	b := d.bars(mapOf[in])
	if len(b.Bars) == 0 {
		return drawing{}, noScenes(in)
	}
	base := d.baseline.Value(scope.All, mapOf[in])
	if alike(b.Bars) && base == b.Bars[0].Value {
		return drawing{}, missing(fmt.Sprintf("all shown descriptors have %s %%", table.Share.Format(base)))
	}
	said := []string{"For each query of image 1, all keypoints of image k are ranked by descriptor distance."}
	candidates, text := d.chance(in)
	if said = append(said, text); candidates > 0 {
		b.Levels = append(b.Levels, figure.Level{Name: "chance", Value: ranking.RandomAP(candidates)})
	}
	if d.Baseline != "" && !math.IsNaN(base) {
		b.Levels = append(b.Levels, figure.Level{Name: "baseline: " + d.baseline.Name, Value: base, Line: 1})
		said = append(said, fmt.Sprintf("Baseline: %s, on the keypoints %s.", d.baseline.Name, d.baseline.Set))
	}
	return drawing{b, said, intervals}, nil
}

// noScenes says that a scope has no scenes to rank in.
func noScenes(in string) missing {
	if in == scope.All {
		return noQueries
	}
	return missing("the run has no " + in + " scenes with ground truth")
}

// bars returns bars of a metric in scope "all", one per system that has it, the highest
// first, in a group for each keypoint set if there are several.
func (d *data) bars(metric string) *figure.Bars {
	m := catalogue.Of(metric)
	b := &figure.Bars{X: figure.Axis{Label: m.Paper}}
	if m.Unit == catalogue.Share {
		b.X = figure.Share(m.Paper)
	}
	b.X.Decimals = new(report.UnitOf(m).Decimals(Intervals(d.runs.Systems, "")))
	groups := fold.ByKeypoints(d.systems)
	for _, group := range groups {
		first, name := len(b.Bars), ""
		if len(groups) > 1 {
			name = d.setName(group)
		}
		for _, s := range group {
			if v := s.Value(scope.All, metric); !math.IsNaN(v) {
				b.Bars = append(b.Bars, figure.Bar{Name: s.Name, Group: name, System: s.Index, Look: d.looks[s], Value: v, Interval: interval(s, scope.All, metric)})
			}
		}
		slices.SortStableFunc(b.Bars[first:], func(a, b figure.Bar) int { return cmp.Compare(b.Value, a.Value) })
	}
	return b
}

// chance returns the mean number of candidates in a scope, from which chance follows, or 0
// without one or if the galleries of keypoints differ, and a sentence about it.
func (d *data) chance(in string) (candidates float64, text string) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, s := range d.systems {
		if v := s.Value(in, "mean_gallery_size"); !math.IsNaN(v) {
			low, high = min(low, v), max(high, v)
		}
	}
	switch {
	case low > high:
		return 0, ""
	case high > 1.02*low:
		return 0, fmt.Sprintf("Chance is not drawn: galleries differ (%.0f to %.0f candidates on average).", low, high)
	}
	text = fmt.Sprintf("Chance: random ranking of %.0f candidates, the mean gallery", low)
	if math.Round(low) < math.Round(high) {
		text += fmt.Sprintf(" where it is smallest (largest: %.0f)", high)
	}
	return low, text + "."
}

// ladder returns 1, 2, 5, 10, 20, ... up to the first that is not less than n.
func ladder(n int) (list []int) {
	for power := 1; ; power *= 10 {
		for _, f := range []int{1, 2, 5} {
			if list = append(list, f*power); f*power >= n {
				return list
			}
		}
	}
}

// upTo returns the share of processed queries with a rank of at most each of the
// given ranks, or nil without queries.
func upTo(histogram []int64, ranks []int) []float64 {
	if len(histogram) == 0 {
		return nil
	}
	total := int64(0)
	for _, n := range histogram {
		total += n
	}
	sum, next := int64(0), 0
	shares := make([]float64, len(ranks))
	for i, rank := range ranks {
		for ; next < min(rank, len(histogram)); next++ {
			sum += histogram[next]
		}
		shares[i] = float64(sum) / float64(total)
	}
	return shares
}

var noQueries = missing("no query has ground truth")

// cumulative draws the cumulative match curves: the share of queries whose ground
// truth is among the r nearest candidates.
func cumulative(_ context.Context, d *data, _ string) (drawing, error) {
	longest := 0
	for _, s := range d.systems {
		longest = max(longest, len(s.Summary.RankHistogram))
	}
	ranks := ladder(longest)
	g := &figure.Graph{X: figure.Axis{Label: "rank", Log: true, Whole: true}, Y: figure.Share("hit rate")}
	g.X.Min, g.X.Max = 1, float64(ranks[len(ranks)-1])
	said := []string{"Share of queries whose ground truth has at most this rank. Excluded queries do not count."}
	candidates, text := d.chance(scope.All)
	if said = append(said, text); candidates > 0 {
		chance := figure.Reference{Name: "chance"}
		for _, rank := range ranks {
			chance.Points = append(chance.Points, figure.Point{X: float64(rank), Y: min(1, float64(rank)/candidates)})
		}
		g.References = append(g.References, chance)
	}
	return d.graph(g, said, "", noQueries, func(s *fold.System) (c figure.Curve) {
		for i, share := range upTo(s.Summary.RankHistogram, ranks) {
			c.Points = append(c.Points, figure.Point{X: float64(ranks[i]), Y: share})
		}
		return c
	})
}

// difficulty draws the curves of mAP over the image number k.
func difficulty(_ context.Context, d *data, in string) (drawing, error) {
	most := d.mostImages()
	g := &figure.Graph{
		X: figure.Axis{Label: "image k (paired with image 1)", Min: 2, Max: float64(most), Whole: true},
		Y: figure.Share("mAP"),
	}
	said := []string{"AP of the pairs of image 1 and image k, mean over scenes. Difficulty usually grows with k, though not in every scene.", d.scenesByK(in, most)}
	return d.graph(g, said, bands, noScenes(in), func(s *fold.System) (c figure.Curve) {
		for k := 2; k <= most; k++ {
			addPoint(&c, float64(k), s, fmt.Sprintf("k:%d", k), mapOf[in])
		}
		return c
	})
}

// mostImages returns the number of images of the largest scene, at least 3, so that an
// axis has a length.
func (d *data) mostImages() int {
	most := 3
	for _, s := range d.systems {
		for k := scope.MaxImages; k > most; k-- {
			if !math.IsNaN(s.Value(fmt.Sprintf("k:%d", k), catalogue.MAP)) {
				most = k
			}
		}
	}
	return most
}

// scenesByK says that scenes differ in their number of images, "" if they do not.
func (d *data) scenesByK(in string, most int) string {
	for _, s := range d.systems {
		first, _ := s.Metric("k:2", mapOf[in])
		if last, _ := s.Metric(fmt.Sprintf("k:%d", most), mapOf[in]); last.N < first.N {
			return fmt.Sprintf("Scenes differ in their number of images: %d have image 2, %d have image %d.", first.N, last.N, most)
		}
	}
	return ""
}
