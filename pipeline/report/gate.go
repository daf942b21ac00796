package report

import (
	"fmt"
	"math"

	"descbench/eval/fact"
	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/pipeline/report/table"
)

// Worse says why descriptors are worse than the baseline: their mean over all scenes is
// significantly worse or, unless by is NaN, worse by more than that (rates: points), or they lack
// values that the baseline has. Without by, undecided says of which descriptors significance
// cannot be claimed, whatever their values are, because there are too few scenes.
func (c Comparison) Worse(by float64) (worse, undecided []string) {
	_, unit := c.units()
	_, needed := c.overAll()
	noun, _ := c.drawn()
	for _, r := range c.Rows {
		if r.Scope != scope.All {
			continue
		}
		below, points := -r.Difference, ""
		if c.Metric.Lower() {
			below = r.Difference
		}
		if unit == table.Points {
			below, points = 100*below, " points"
		}
		var scenes []string
		for _, d := range r.Differences {
			scenes = append(scenes, d.Scene)
		}
		drawn := len(drawn(scenes))
		switch text := fmt.Sprintf("%s is worse than %s in %s by %.2f%s", r.Descriptor, c.Baseline, c.Metric.Short, below, points); {
		case below > by:
			worse = append(worse, text)
		case math.IsNaN(by) && r.Verdict == "worse":
			worse = append(worse, text+fmt.Sprintf(" (p %.3g)", r.PHolm))
		case math.IsNaN(by) && !r.Tested && drawn < needed && r.Ties < len(scenes):
			undecided = append(undecided, fmt.Sprintf("%s: %s, but significance needs %d", r.Descriptor, spelling.Count(drawn, noun), needed))
		}
	}
	for _, f := range c.Facts {
		switch lacks := len(f.Names["base"]) + len(f.Names["images"]) + len(f.Names["undefined"]); {
		case f.Kind == fact.Unshared && lacks > 0:
			worse = append(worse, fmt.Sprintf("%s lacks %s of %s", f.Descriptor, spelling.Count(lacks, "scene"), c.Baseline))
		case f.Kind == fact.NoValues, f.Kind == fact.OtherProtocol:
			worse = append(worse, fmt.Sprintf("%s cannot be compared with %s", f.Descriptor, c.Baseline))
		}
	}
	return worse, undecided
}
