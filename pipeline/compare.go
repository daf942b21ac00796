package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"descbench/eval"
	"descbench/eval/scope"
	"descbench/eval/stats"
	"descbench/pipeline/config"
	"descbench/pipeline/report"
)

const (
	// compareSeed is the seed of resamples and random sign flips.
	compareSeed = 1
	// significant bounds the corrected p of a difference that is claimed.
	significant = 0.05
)

// CompareOptions say what is compared.
type CompareOptions struct {
	Baseline string   // a descriptor, or RUN:descriptor
	Metric   string   // a figure of scenes; "" is true_map_macro_by_scene
	Set      []string // changes to the evaluation section of all runs, recomputed from records
	Wilcoxon bool     // also Wilcoxon's test
}

// Compare sets every descriptor of folded runs against the baseline, by the
// scenes that both have: of the same name and digest, evaluated under the same
// protocol. What they do not share is left out and said so. The unit of all
// statistics is the scene.
func Compare(ctx context.Context, runs []string, opt CompareOptions) (*report.Comparison, error) {
	metric, figure, err := sceneFigure(cmp.Or(opt.Metric, "true_map_macro_by_scene"))
	if err != nil {
		return nil, err
	}
	all, err := comparedDescriptors(ctx, runs, opt.Set, figure)
	if err != nil {
		return nil, err
	}
	base, err := findBaseline(all, opt.Baseline)
	if err != nil {
		return nil, err
	}
	c := &comparing{base: base, out: &report.Comparison{
		Metric: metric, Baseline: base.name, Protocol: Protocol(base.cfg.Evaluation), Wilcoxon: opt.Wilcoxon,
		Rows: []report.ComparisonRow{}, NotShared: []string{}, Warnings: []report.WarningMessage{},
	}}
	for _, d := range all {
		if d == base {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := c.add(d); err != nil {
			return nil, err
		}
	}
	if len(c.out.Rows) == 0 {
		if len(c.out.NotShared) == 0 {
			return nil, &config.Error{File: "compare", Msg: fmt.Sprintf("the runs have no descriptor but the baseline %s", base.name)}
		}
		return nil, dataErrorf("nothing can be compared with %s: %s", base.name, strings.Join(c.out.NotShared, "; "))
	}
	c.correct()
	c.warnings(all)
	return c.out, nil
}

// scenesOfMetric are the figures of single scenes of which a metric is the mean
// over scenes, where they have another name.
var scenesOfMetric = map[string]string{
	"true_map_macro_by_scene":                 "true_map_micro",
	"true_map_macro_by_scene_including_zeros": "true_map_micro_including_zeros",
	"legacy_macro_precision_by_scene":         "mean_precision",
	"fixed_gallery_map_macro_by_scene":        "fixed_gallery_map",
}

// sceneFigure returns the name of a metric, and that of the figure of single
// scenes that is compared.
func sceneFigure(text string) (metric, figure string, err error) {
	d, known := eval.Define(text)
	switch figure, other := scenesOfMetric[d.Name]; {
	case !known:
		return "", "", &config.Error{File: "--metric " + text, Msg: "no metric of this name; descbench metrics lists them"}
	case other:
		return d.Name, figure, nil
	case d.Better != "higher" || strings.HasSuffix(text, "_K") || strings.HasSuffix(text, "@K"):
		return "", "", &config.Error{File: "--metric " + text, Msg: "want a figure of which more is better, with its number in place of K: " +
			"true_map_macro_by_scene, precision_at_1, mma@3, keypoint_retrieval_ap, ...; descbench metrics lists them"}
	case strings.Contains(d.Name, "@") || strings.Contains(d.Name, "_K"):
		return text, text, nil
	}
	return d.Name, d.Name, nil
}

// comparing builds a comparison.
type comparing struct {
	base *comparedDescriptor
	out  *report.Comparison
	p    []float64 // of the rows, not yet corrected
}

// add compares one descriptor with the baseline.
func (c *comparing) add(d *comparedDescriptor) error {
	if differs := protocolDifferences(c.base.cfg, d.cfg, c.out.Metric); len(differs) > 0 {
		c.out.NotShared = append(c.out.NotShared, fmt.Sprintf("%s is left out, its protocol is another (%s); --set computes all runs again from their records under one",
			d.name, strings.Join(differs, ", ")))
		return nil
	}
	return c.addShared(d)
}

// addShared compares one descriptor with the baseline on the scenes that both
// have, however they were judged.
func (c *comparing) addShared(d *comparedDescriptor) error {
	shared, note := join(c.base, d)
	if note != "" {
		c.out.NotShared = append(c.out.NotShared, note)
	}
	if len(shared) == 0 {
		return nil
	}
	for _, scope := range []string{scope.All, scope.Viewpoint, scope.Illumination} {
		scenes := shared
		if scope != "all" {
			scenes = slices.DeleteFunc(slices.Clone(shared), func(s report.SceneDifference) bool { return s.Category != scope })
		}
		if len(scenes) == 0 {
			continue
		}
		if err := c.addRow(d, scope, scenes); err != nil {
			return err
		}
	}
	if text := otherKeypoints(c.base, d, shared); text != "" {
		c.warn("other-keypoints", text, d.name)
	}
	return nil
}

func (c *comparing) addRow(d *comparedDescriptor, scope string, scenes []report.SceneDifference) error {
	var first, second []float64
	row := report.ComparisonRow{Descriptor: d.name, Scope: scope, WilcoxonP: report.Number(math.NaN())}
	for _, s := range scenes {
		first = append(first, s.Value)
		second = append(second, s.Baseline)
		row.Mean += report.Number(s.Value / float64(len(scenes)))
		row.BaselineMean += report.Number(s.Baseline / float64(len(scenes)))
	}
	found, err := stats.Compare(compareSeed, first, second)
	if err != nil {
		return fmt.Errorf("%s against %s: %w", d.name, c.base.name, err)
	}
	row.Scenes, row.Wins, row.Ties, row.Losses = found.Scenes, found.Wins, found.Ties, found.Losses
	row.Difference, row.Low, row.High = report.Number(found.Difference), report.Number(found.Interval.Low), report.Number(found.Interval.High)
	row.P, row.Exact, row.EffectSize = report.Number(found.P), found.Exact, report.Number(found.EffectSize)
	if c.out.Wilcoxon {
		w, err := stats.Wilcoxon(first, second)
		if err != nil {
			return fmt.Errorf("%s against %s: %w", d.name, c.base.name, err)
		}
		row.WilcoxonP = report.Number(w.P)
	}
	if scope == "all" {
		row.Differences = slices.SortedStableFunc(slices.Values(scenes), func(a, b report.SceneDifference) int {
			return cmp.Compare(math.Abs(b.Difference), math.Abs(a.Difference))
		})
	}
	for _, w := range found.Warnings {
		text := w.Text
		if scope != "all" {
			text = scope + ": " + text
		}
		c.warn(w.Kind, text, d.name)
	}
	c.out.Rows = append(c.out.Rows, row)
	c.p = append(c.p, found.P)
	return nil
}

func (c *comparing) warn(kind, text, descriptor string) {
	c.out.Warnings = append(c.out.Warnings, report.WarningMessage{Kind: kind, Text: text, Descriptor: descriptor})
}

// correct applies Holm's correction over all rows, and judges.
func (c *comparing) correct() {
	for i, p := range stats.Holm(c.p) {
		row := &c.out.Rows[i]
		row.PHolm = report.Number(p)
		switch {
		case !(p <= significant):
			row.Verdict = "~"
		case row.Difference > 0:
			row.Verdict = "better"
		default:
			row.Verdict = "worse"
		}
	}
}

// warnings adds those of the runs about the descriptors compared. Few scenes
// have been warned about already, by the rows.
func (c *comparing) warnings(all []*comparedDescriptor) {
	for _, d := range all {
		compared := d == c.base || slices.ContainsFunc(c.out.Rows, func(r report.ComparisonRow) bool { return r.Descriptor == d.name })
		for _, w := range d.warnings {
			if compared && w.Kind != "few-scenes" {
				c.warn(w.Kind, w.Text, d.name)
			}
		}
	}
}

// join returns the scenes that both descriptors have a figure of, by name, and
// what they do not share, if anything.
func join(base, d *comparedDescriptor) (shared []report.SceneDifference, note string) {
	var onlyBase, only, otherImages, undefined []string
	for _, scene := range sortedKeys(base.scenes, d.scenes) {
		a, inBase := base.scenes[scene]
		b, in := d.scenes[scene]
		switch {
		case !in:
			onlyBase = append(onlyBase, scene)
		case !inBase:
			only = append(only, scene)
		case a.digest != b.digest:
			otherImages = append(otherImages, scene)
		case math.IsNaN(a.value) || math.IsNaN(b.value):
			undefined = append(undefined, scene)
		default:
			shared = append(shared, report.SceneDifference{
				Scene: scene, Category: scope.Category(scene), Value: b.value, Baseline: a.value, Difference: b.value - a.value,
			})
		}
	}
	var parts []string
	part := func(what string, scenes []string) {
		if len(scenes) > 0 {
			parts = append(parts, what+" "+brief(scenes))
		}
	}
	part("only "+base.name+" has", onlyBase)
	part("only "+d.name+" has", only)
	part("other images or homographies under the same name:", otherImages)
	part("without the figure in one of them:", undefined)
	if len(parts) == 0 {
		return shared, ""
	}
	return shared, fmt.Sprintf("%s is compared on %d shared scenes; %s", d.name, len(shared), strings.Join(parts, "; "))
}

// brief lists the first names.
func brief(names []string) string {
	const most = 6
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// otherKeypoints says so if the descriptors stand on different keypoints.
func otherKeypoints(base, d *comparedDescriptor, shared []report.SceneDifference) string {
	n := 0
	for _, s := range shared {
		if base.scenes[s.Scene].set != d.scenes[s.Scene].set {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("keypoints are not those of %s in %d of %d scenes, and mean AP depends on them: coverage %.2f %% against %.2f %%, mean gallery %.0f against %.0f",
		base.name, n, len(shared), 100*d.coverage, 100*base.coverage, d.gallery, base.gallery)
}
