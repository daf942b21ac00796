package compare

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"descbench/descriptors"
	"descbench/eval"
	"descbench/eval/scope"
	"descbench/keypoints"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/report"
	"descbench/pipeline/store"
)

// PublishedSource names the source of the published results.
const PublishedSource = "F-Sossi/DescriptorWorkbench"

// A protocol is one of PublishedSource's keypoint sets.
type protocol struct {
	name   string
	steps  []string // in the words of stepsOf
	scenes int      // number of scenes behind the results
}

var (
	sift8000    = protocol{"sift_8000", []string{"border 35 px half_open", "top 8000 per image by response"}, dataset.HPatchesScenes}
	scaleTotal  = protocol{"scale_matched_6px", append(slices.Clip(sift8000.steps), "top 645000 in total by size"), dataset.HPatchesScenes}
	intersected = protocol{"SIFT∩SURF, 6 px", append(slices.Clip(scaleTotal.steps), "intersected within 6 px"), dataset.HPatchesScenes}
	projected   = protocol{"projected", []string{"border 40 px closed", "top 2000 per image by response", "projected from image 1, carry position, bounds image1"}, 12}
)

// protocolOf returns the protocol closest to a chain of sets.
func protocolOf(chain []*config.KeypointSet) protocol {
	has := func(is func(*config.KeypointSet) bool) bool { return slices.ContainsFunc(chain, is) }
	switch {
	case has(func(s *config.KeypointSet) bool { return s.Intersect != nil }):
		return intersected
	case has(func(s *config.KeypointSet) bool { return s.Project != nil }):
		return projected
	case has((*config.KeypointSet).TakesTotal):
		return scaleTotal
	}
	return sift8000
}

// published holds the results of PublishedSource.
var published = []struct {
	protocol         string
	name, kind, root string
	pooled           bool
	figures          report.Headline
}{
	{"sift_8000", "SIFT", "sift", "none", false, headline(.4264, .4588, .4314)},
	{"sift_8000", "RootSIFT", "sift", "l1", false, headline(.4479, .4802, .4543)},
	{"sift_8000", "RGBSIFT", "rgbsift", "none", false, headline(.4361, .4690, .4436)},
	{"sift_8000", "DSPSIFT_V2", "sift", "none", true, headline(.4657, .4968, .4625)},
	{"sift_8000", "DSPRGBSIFT_V2", "rgbsift", "none", true, headline(.4750, .5065, .4746)},
	{"sift_8000", "SURF", "surf", "none", false, headline(.4760, .4984, .4896)},
	{"scale_matched_6px", "SIFT", "sift", "none", false, headline(.6386, .6566, .5979)},
	{"scale_matched_6px", "RootSIFT", "sift", "l1", false, headline(.6531, .6704, .6176)},
	{"scale_matched_6px", "RGBSIFT", "rgbsift", "none", false, headline(.6469, .6650, .6114)},
	{"scale_matched_6px", "DSPSIFT_V2", "sift", "none", true, headline(.6531, .6675, .6059)},
	{"scale_matched_6px", "DSPRGBSIFT_V2", "rgbsift", "none", true, headline(.6603, .6755, .6190)},
	{"scale_matched_6px", "SURF", "surf", "none", false, headline(.6521, .6608, .6234)},
	{"SIFT∩SURF, 6 px", "RGBSIFT", "rgbsift", "none", false, headline(.7503, .7599, .7181)},
	{"SIFT∩SURF, 6 px", "DSPSIFT_V2", "sift", "none", true, headline(.7493, .7591, .7097)},
	{"SIFT∩SURF, 6 px", "DSPRGBSIFT_V2", "rgbsift", "none", true, headline(.7469, .7544, .7071)},
	{"SIFT∩SURF, 6 px", "SURF", "surf", "none", false, headline(.7508, .7528, .7268)},
	{"projected", "SIFT", "sift", "none", false, headline(.4720, math.NaN(), math.NaN())},
	{"projected", "RGBSIFT", "rgbsift", "none", false, headline(.4792, math.NaN(), math.NaN())},
	{"projected", "SURF", "surf", "none", false, headline(.1751, math.NaN(), math.NaN())},
}

func headline(micro, viewpoint, illumination float64) report.Headline {
	return report.Headline{Micro: micro, Viewpoint: viewpoint, Illumination: illumination}
}

// Published compares the descriptors of a run with published results, for those
// that have any, and lists how the run's protocol deviates from the published
// one. It returns nothing for a run without HPatches scenes.
func Published(cfg *config.Config, summary *store.Summary) []report.Published {
	var out []report.Published
	for _, d := range cfg.Descriptors {
		scenes, ok := scenesOf(summary, d.Name)
		if !ok || d.Fusion != nil {
			continue
		}
		chain := cfg.Graph().Chain(d.Keypoints)
		near := protocolOf(chain)
		for _, p := range published {
			if p.protocol != near.name || d.Type != p.kind || d.Root.String() != p.root || (d.Pooling != nil) != p.pooled {
				continue
			}
			measured, n := hpatchesFigures(scenes)
			if n == 0 {
				continue
			}
			out = append(out, report.Published{
				Descriptor: d.Name, Name: fmt.Sprintf("%s on %s", p.name, near.name), Published: p.figures, PublishedScenes: near.scenes,
				Measured: measured, Scenes: n, Deviations: deviations(cfg, d, chain, near, len(scenes)-n),
			})
		}
	}
	return out
}

// scenesOf returns the scenes of a descriptor in a summary.
func scenesOf(summary *store.Summary, descriptor string) (map[string]store.SummaryScene, bool) {
	for _, d := range summary.Descriptors {
		if d.Name == descriptor {
			return d.Scenes, true
		}
	}
	return nil, false
}

// hpatchesFigures returns the metrics over the HPatches scenes and the number of
// these scenes.
func hpatchesFigures(scenes map[string]store.SummaryScene) (report.Headline, int) {
	var all, viewpoint, illumination mean
	n := 0
	for _, name := range slices.Sorted(maps.Keys(scenes)) {
		if !dataset.IsHPatches(name) {
			continue
		}
		n++
		s := scenes[name]
		if s.TrueMAP == nil {
			continue
		}
		all.add(*s.TrueMAP*float64(s.QueriesProcessed), float64(s.QueriesProcessed))
		switch scope.Category(name) {
		case scope.Viewpoint:
			viewpoint.add(*s.TrueMAP, 1)
		case scope.Illumination:
			illumination.add(*s.TrueMAP, 1)
		}
	}
	return report.Headline{Micro: all.value(), Viewpoint: viewpoint.value(), Illumination: illumination.value()}, n
}

// A mean accumulates a weighted mean. Its value is NaN while it is empty.
type mean struct{ sum, weight float64 }

func (m *mean) add(sum, weight float64) { m.sum += sum; m.weight += weight }
func (m *mean) value() float64          { return m.sum / m.weight }

// deviations lists how the protocol of a descriptor differs from the published
// one.
func deviations(cfg *config.Config, d config.Descriptor, chain []*config.KeypointSet, near protocol, foreign int) []string {
	var list []string
	differs := func(differ bool, ours, theirs string) {
		if differ {
			list = append(list, fmt.Sprintf("%s (published: %s)", ours, theirs))
		}
	}
	differs(detectorOf(chain[0]) != "", detectorOf(chain[0]), "OpenCV's defaults, and 400 as SURF's Hessian threshold")
	left := slices.Clone(near.steps)
	for _, ours := range stepsOf(chain) {
		theirs := "no such step"
		if i := slices.IndexFunc(left, func(s string) bool { return stepKind(s) == stepKind(ours) }); i >= 0 {
			theirs = left[i]
			left = slices.Delete(left, i, i+1)
		}
		differs(ours != theirs, "keypoints: "+ours, theirs)
	}
	for _, theirs := range left {
		differs(true, "keypoints: step missing", theirs)
	}
	e := cfg.Evaluation
	differs(e.Ties != eval.Workbench, "ties: "+e.Ties.String(), "workbench")
	differs(e.TolerancePx != 3, fmt.Sprintf("tolerance %g px", e.TolerancePx), "3 px")
	differs(d.Normalize != descriptors.L2, "normalize: "+d.Normalize.String(), "l2")
	if pyramid, ok := d.Params["pyramid"]; ok {
		differs(pyramid != "opencv", fmt.Sprintf("pyramid: %v", pyramid), "opencv")
		differs(d.Params.Int("n_octave_layers") != 3 || d.Params.Float("sigma") != 1.6, "descriptor parameters "+d.Params.String(), "OpenCV's defaults")
	}
	differs(!e.ExcludeInvalid, "queries with an invalid descriptor have the worst rank", "excluded")
	differs(e.ExcludeInvalid && e.Preset != "workbench", "queries whose ground truth has an invalid descriptor are excluded", "worst rank")
	differs(e.ExcludeBeyondPx != 2000, "queries projected beyond 2000 px are included", "excluded")
	if d.Pooling != nil {
		differs(!publishedScales(d.Pooling.Scales), fmt.Sprintf("pooled over the scales %v", d.Pooling.Scales), "1, 1.5, 2 or 0.85, 1, 1.3")
		differs(d.Pooling.Aggregate != descriptors.Mean, "pooled by "+d.Pooling.Aggregate.String(), "mean")
	}
	if foreign > 0 {
		list = append(list, fmt.Sprintf("%d scenes of the run are not HPatches scenes and are excluded here", foreign))
	}
	return list
}

func publishedScales(s []float64) bool {
	return slices.Equal(s, []float64{1, 1.5, 2}) || slices.Equal(s, []float64{.85, 1, 1.3})
}

// detectorOf describes the detector at the root of a chain of sets. It returns ""
// for the published detector: OpenCV's defaults, except a Hessian threshold of
// 400 for SURF.
func detectorOf(root *config.KeypointSet) string {
	if root.Detect == nil {
		return "keypoints from another source"
	}
	d := root.Detect
	known, _ := keypoints.FindDetector(d.Type)
	theirs := keypoints.Defaults(known.Params)
	if d.Type == "surf" {
		theirs["hessian_threshold"] = 400.0
	}
	if theirs.String() != d.Params.String() {
		return fmt.Sprintf("detector %s with %s", d.Type, d.Params)
	}
	return ""
}

// stepsOf describes every step of a chain of sets.
func stepsOf(chain []*config.KeypointSet) []string {
	var steps []string
	add := func(format string, args ...any) { steps = append(steps, fmt.Sprintf(format, args...)) }
	for _, s := range chain {
		if s.Intersect != nil {
			add("intersected within %g px", s.Intersect.TolerancePx)
		}
		if s.Border != nil {
			add("border %g px %s", s.Border.Px, s.Border.Rule)
		}
		if s.MinSize != nil {
			add("size at least %g px", *s.MinSize)
		}
		if s.MaxSize != nil {
			add("size at most %g px", *s.MaxSize)
		}
		if s.MinResponse != nil {
			add("response at least %g", *s.MinResponse)
		}
		if s.Random != nil {
			add("random %d per image, seed %d", s.Random.PerImage, s.Random.Seed)
		}
		if s.Spatial != nil {
			add("spatial, %g px apart", s.Spatial.MinDistancePx)
		}
		if s.Top != nil && s.TakesTotal() {
			add("top %d in total by %s", s.Top.Total, s.Top.By)
		} else if s.Top != nil {
			add("top %d per image by %s", s.Top.PerImage, s.Top.By)
		}
		if s.Project != nil {
			add("projected from image %d, carry %s, bounds %s", s.Project.FromImage, s.Project.Carry, s.Project.Bounds)
		}
	}
	return steps
}

// stepKind returns the first word of a step, which names its kind.
func stepKind(step string) string {
	kind, _, _ := strings.Cut(step, " ")
	return kind
}
