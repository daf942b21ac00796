package pipeline

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"descbench/eval"
	"descbench/keypoints"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/report"
	"descbench/pipeline/store"
)

// HPatchesScenes is the number of scenes of HPatches.
const HPatchesScenes = 116

// PublishedSource says where the published figures are from.
const PublishedSource = "F-Sossi/DescriptorWorkbench, keypoint set sift_8000"

// published is the table of PublishedSource, over all scenes of HPatches.
var published = []struct {
	name, kind, root string
	figures          report.Headline
}{
	{"SIFT", "sift", "none", report.Headline{Micro: .4264, Viewpoint: .4588, Illumination: .4314}},
	{"RootSIFT", "sift", "l1", report.Headline{Micro: .4479, Viewpoint: .4802, Illumination: .4543}},
	{"RGBSIFT", "rgbsift", "none", report.Headline{Micro: .4361, Viewpoint: .4690, Illumination: .4436}},
}

// ComparePublished sets the descriptors of a run that have published figures
// beside them, each with every way in which the run's protocol differs. It
// returns nothing for a run without a genuine HPatches scene.
func ComparePublished(cfg *config.Config, summary *store.Summary) []report.Published {
	var out []report.Published
	for _, d := range cfg.Descriptors {
		scenes, ok := scenesOf(summary, d.Name)
		if !ok {
			continue
		}
		for _, p := range published {
			if d.Type != p.kind || d.Root != p.root {
				continue
			}
			measured, n := hpatchesFigures(scenes)
			if n == 0 {
				continue
			}
			out = append(out, report.Published{
				Descriptor: d.Name, Name: p.name, Published: p.figures,
				Measured: measured, Scenes: n, Deviations: deviations(cfg, d, len(scenes)-n),
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

// hpatchesFigures takes the figures over the genuine scenes.
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
		switch eval.Category(name) {
		case eval.Viewpoint:
			viewpoint.add(*s.TrueMAP, 1)
		case eval.Illumination:
			illumination.add(*s.TrueMAP, 1)
		}
	}
	return report.Headline{Micro: all.value(), Viewpoint: viewpoint.value(), Illumination: illumination.value()}, n
}

// A mean sums up values and weights; its value is NaN while it is empty.
type mean struct{ sum, weight float64 }

func (m *mean) add(sum, weight float64) { m.sum += sum; m.weight += weight }
func (m *mean) value() float64          { return m.sum / m.weight }

// deviations lists how the protocol of a descriptor's figures differs from the
// published one's.
func deviations(cfg *config.Config, d config.Descriptor, foreign int) []string {
	var list []string
	differs := func(differ bool, ours, theirs string) {
		if differ {
			list = append(list, fmt.Sprintf("%s (published: %s)", ours, theirs))
		}
	}
	chain := setChain(cfg, d.Keypoints)
	differs(detectorOf(chain) != "", detectorOf(chain), "OpenCV's SIFT with its defaults")
	border, top, project := effectiveSteps(chain)
	differs(border != "35 px half_open", "border "+border, "35 px half_open")
	differs(top != "8000 per image by response", "cap: "+top, "8000 per image by response")
	differs(project, "keypoints projected from image 1", "detected in every image")
	e := cfg.Evaluation
	differs(e.Ties != "workbench", "ties: "+e.Ties, "workbench")
	differs(e.TolerancePx != 3, fmt.Sprintf("tolerance %g px", e.TolerancePx), "3 px")
	differs(d.Normalize != "l2", "normalize: "+d.Normalize, "l2")
	differs(d.Params.Choice("pyramid") != "opencv", "pyramid: "+d.Params.Choice("pyramid"), "opencv")
	differs(d.Params.Int("n_octave_layers") != 3 || d.Params.Float("sigma") != 1.6, "descriptor parameters "+d.Params.String(), "OpenCV's defaults")
	differs(true, "queries with an invalid descriptor count with the worst rank", "left out")
	if foreign > 0 {
		list = append(list, fmt.Sprintf("%d scenes of the run are not of HPatches and are left out here", foreign))
	}
	return list
}

// setChain returns a set and those it is taken from, the root first.
func setChain(cfg *config.Config, name string) []config.KeypointSet {
	for _, s := range cfg.KeypointSets {
		if s.Name == name {
			if s.From == "" {
				return []config.KeypointSet{s}
			}
			return append(setChain(cfg, s.From), s)
		}
	}
	return nil
}

// detectorOf describes the detector of a chain of sets, "" for SIFT with
// OpenCV's defaults.
func detectorOf(chain []config.KeypointSet) string {
	if len(chain) == 0 || chain[0].Detect == nil {
		return "keypoints of another origin"
	}
	d := chain[0].Detect
	if d.Type != "sift" {
		return "detector " + d.Type
	}
	for _, known := range keypoints.Detectors() {
		if known.Name == d.Type && keypoints.Defaults(known.Params).String() != d.Params.String() {
			return "detector sift with " + d.Params.String()
		}
	}
	return ""
}

func effectiveSteps(chain []config.KeypointSet) (border, top string, project bool) {
	var borders, tops []string
	for _, s := range chain {
		if s.Border != nil {
			borders = append(borders, fmt.Sprintf("%g px %s", s.Border.Px, s.Border.Rule))
		}
		if s.Top != nil {
			tops = append(tops, fmt.Sprintf("%d per image by %s", s.Top.PerImage, s.Top.By))
		}
		project = project || s.Project != nil
	}
	border, top = strings.Join(borders, " then "), strings.Join(tops, " then ")
	if border == "" {
		border = "none"
	}
	if top == "" {
		top = "none"
	}
	return border, top, project
}
