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
	"descbench/pipeline/fold"
	"descbench/pipeline/plan"
	"descbench/pipeline/report"
	"descbench/pipeline/store"
)

// PublishedSource names the source of the published results.
const PublishedSource = "F-Sossi/DescriptorWorkbench"

// A protocol is one of PublishedSource's keypoint sets.
type protocol struct {
	name  string
	steps []string // in the words of stepsOf
	// ownDetector says that SURF has keypoints of SURF's detector; else all have
	// SIFT's.
	ownDetector bool
	scenes      []string // behind the results
}

var (
	sift8000    = protocol{"sift_8000", []string{"border 35 px half_open", "top 8000 per image by response"}, true, dataset.HPatchesNames()}
	scaleTotal  = protocol{"scale_matched_6px", append(slices.Clip(sift8000.steps), "top 645000 in total by size"), true, dataset.HPatchesNames()}
	intersected = protocol{"SIFT∩SURF, 6 px", append(slices.Clip(scaleTotal.steps), "intersected within 6 px"), true, dataset.HPatchesNames()}
	projected   = protocol{
		"projected", []string{"border 40 px closed", "top 2000 per image by response", "projected from image 1, carry position, bounds image1"}, false,
		[]string{
			"i_autannes", "i_contruction", "i_dome", "i_greentea", "i_londonbridge", "i_porta",
			"v_beyus", "v_charing", "v_churchill", "v_vitro", "v_wall", "v_yard",
		},
	}
)

// detector returns the detector of a kind's keypoints, in the words of detectorOf.
func (p protocol) detector(kind string) string {
	if kind == "surf" && p.ownDetector {
		return "surf, hessian_threshold 400"
	}
	return "sift"
}

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
	{"projected", "SIFT", "sift", "none", false, overall(.4720, .4721)},
	{"projected", "RGBSIFT", "rgbsift", "none", false, overall(.4792, .4794)},
	{"projected", "SURF", "surf", "none", false, overall(.1751, .1664)},
}

// headline returns the mean over all queries, and the means over the scenes of each
// category.
func headline(micro, viewpoint, illumination float64) report.Headline {
	return report.Headline{Micro: micro, Macro: math.NaN(), Viewpoint: viewpoint, Illumination: illumination}
}

// overall returns the means over all queries and over all scenes.
func overall(micro, macro float64) report.Headline {
	return report.Headline{Micro: micro, Macro: macro, Viewpoint: math.NaN(), Illumination: math.NaN()}
}

// Published compares the descriptors of a run with published results, for those
// that have any, and lists how the run's set-up deviates from the published one. It
// returns nothing for a run without HPatches scenes.
func Published(o *fold.Outcome) []report.Published {
	env := plan.Environment{SURF: "unknown"}
	if err := plan.ReadJSON(plan.Folder(o.Folder).Environment(), &env); err != nil {
		env.SURF = "unknown" // such as in a folder of re-evaluated metrics
	}
	return beside(o.Config, o.Summary, env.SURF)
}

// beside is Published for a run with the named SURF implementation.
func beside(cfg *config.Config, summary *store.Summary, surf string) []report.Published {
	var out []report.Published
	for _, d := range cfg.Descriptors {
		scenes, ok := scenesOf(summary, d.Name)
		if !ok || d.Fusion != nil || d.Matches != nil {
			continue
		}
		near := protocolOf(cfg.Graph().Chain(d.Keypoints))
		for _, p := range published {
			if p.protocol != near.name || d.Type != p.kind || d.Root.String() != p.root || (d.Pooling != nil) != p.pooled {
				continue
			}
			measured, n := hpatchesFigures(scenes)
			if n == 0 {
				continue
			}
			out = append(out, report.Published{
				Descriptor: d.Name, Name: fmt.Sprintf("%s, %s", p.name, near.name), Published: p.figures, PublishedScenes: len(near.scenes),
				Measured: measured, Scenes: n, Deviations: deviations(cfg, d, near, scenes, surf),
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
	var all, macro, viewpoint, illumination mean
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
		macro.add(*s.TrueMAP, 1)
		switch scope.Category(name) {
		case scope.Viewpoint:
			viewpoint.add(*s.TrueMAP, 1)
		case scope.Illumination:
			illumination.add(*s.TrueMAP, 1)
		}
	}
	return report.Headline{Micro: all.value(), Macro: macro.value(), Viewpoint: viewpoint.value(), Illumination: illumination.value()}, n
}

// A mean accumulates a weighted mean. Its value is NaN while it is empty.
type mean struct{ sum, weight float64 }

func (m *mean) add(sum, weight float64) { m.sum += sum; m.weight += weight }
func (m *mean) value() float64          { return m.sum / m.weight }

// A list of deviations.
type differences []string

// add adds a deviation if ours is not theirs.
func (d *differences) add(what, ours, theirs string) {
	if ours != theirs {
		*d = append(*d, strings.TrimSpace(fmt.Sprintf("%s %s (not %s)", what, ours, theirs)))
	}
}

// deviations lists every point in which the set-up of a descriptor differs from the
// published one.
func deviations(cfg *config.Config, d config.Descriptor, near protocol, scenes map[string]store.SummaryScene, surf string) []string {
	var list differences
	roots := list.keypoints(cfg, d, near)
	if (d.Type == "surf" || slices.Contains(roots, "surf")) && surf != contribSURF {
		list.add("SURF implementation:", surf, "OpenCV's")
	}
	list.total(cfg.Graph().Chain(d.Keypoints), scenes)
	list.descriptor(d)
	if r := cfg.Dataset.Resize; r != nil {
		list.add("images resized to", r.String(), "as they are")
	}
	list.evaluation(cfg.Evaluation)
	list.scenes(near, slices.Sorted(maps.Keys(scenes)))
	return list
}

// contribSURF is the name of OpenCV's SURF among the implementations.
const contribSURF = "OpenCV contrib"

// keypoints compares the detector and the steps of the keypoint set. For an
// intersection, it also compares those of the other side. It returns the types of
// the detectors.
func (d *differences) keypoints(cfg *config.Config, of config.Descriptor, near protocol) (detectors []string) {
	chain := cfg.Graph().Chain(of.Keypoints)
	detectors = append(detectors, detectorType(chain[0]))
	d.add("keypoints of", detectorOf(chain[0]), near.detector(of.Type))
	d.steps("", stepsOf(chain), near.steps)
	for i, s := range chain {
		if s.Intersect == nil {
			continue
		}
		way := cfg.Graph().Chain(s.Intersect.B)
		if slices.Equal(way, chain[:i]) {
			way = cfg.Graph().Chain(s.Intersect.A)
		}
		theirs := "surf"
		if of.Type == "surf" {
			theirs = "sift"
		}
		detectors = append(detectors, detectorType(way[0]))
		d.add("intersected with keypoints of", detectorOf(way[0]), near.detector(theirs))
		d.steps("other side: ", stepsOf(way), scaleTotal.steps)
	}
	return detectors
}

// total compares what a selection over all scenes selects from. It depends on the
// scenes, and may select nothing.
func (d *differences) total(chain []*config.KeypointSet, scenes map[string]store.SummaryScene) {
	if !slices.ContainsFunc(chain, (*config.KeypointSet).TakesTotal) {
		return
	}
	if len(scenes) != dataset.HPatchesScenes {
		d.add("top in total taken from", plural(len(scenes)), plural(dataset.HPatchesScenes))
	}
	kept := 0
	for _, s := range scenes {
		kept += s.Keypoints
	}
	if key, n := chain[len(chain)-1].Total(); kept < n {
		*d = append(*d, fmt.Sprintf("%s %d in total selects nothing: there are only %d keypoints", strings.TrimSuffix(key, ".total"), n, kept))
	}
}

// steps compares two sequences of steps.
func (d *differences) steps(side string, ours, theirs []string) {
	left := slices.Clone(theirs)
	for _, step := range ours {
		i := slices.IndexFunc(left, func(s string) bool { return stepKind(s) == stepKind(step) })
		if i < 0 {
			*d = append(*d, side+step+" (no such step)")
			continue
		}
		if step != left[i] {
			*d = append(*d, fmt.Sprintf("%s%s (not %s)", side, step, unlike(left[i], step)))
		}
		left = slices.Delete(left, i, i+1)
	}
	for _, step := range left {
		*d = append(*d, side+"no "+step)
	}
	if len(left) == 0 && len(ours) == len(theirs) {
		d.add(side+"order of steps", strings.Join(kindsOf(ours), ", "), strings.Join(kindsOf(theirs), ", "))
	}
}

// unlike returns the words of a step without the first and last ones that are those
// of another step.
func unlike(step, other string) string {
	a, b := strings.Fields(step), strings.Fields(other)
	for len(a) > 1 && len(b) > 1 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 1 && len(b) > 1 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return strings.Join(a, " ")
}

// descriptor compares the parameters of the descriptor.
func (d *differences) descriptor(of config.Descriptor) {
	kind, _ := descriptors.FindKind(of.Type)
	theirs := keypoints.Defaults(kind.Params)
	if _, ok := theirs["pyramid"]; ok {
		theirs["pyramid"] = "opencv"
	}
	for _, name := range slices.Sorted(maps.Keys(theirs)) {
		d.add(name, fmt.Sprint(of.Params[name]), fmt.Sprint(theirs[name]))
	}
	d.add("normalize", of.Normalize.String(), descriptors.L2.String())
	if p := of.Pooling; p != nil {
		if !publishedScales(p.Scales) {
			d.add("pooled over the scales", fmt.Sprint(p.Scales), "1, 1.5, 2 or 0.85, 1, 1.3")
		}
		d.add("pooled by", p.Aggregate.String(), descriptors.Mean.String())
		d.add("pooling weights", p.Weights.String(), descriptors.UniformWeights.String())
		d.add("fixed_octave", fmt.Sprint(p.FixedOctave), "false")
		d.add("root_each", p.RootEach.String(), descriptors.NoNorm.String())
		d.add("normalize_each", p.NormalizeEach.String(), descriptors.NoNorm.String())
	}
}

// evaluation compares the rules of the ranking.
func (d *differences) evaluation(e config.Evaluation) {
	d.add("ties", e.Ties.String(), eval.Workbench.String())
	d.add("tolerance", fmt.Sprintf("%g px", e.TolerancePx), "3 px")
	d.add("relevance", string(e.Relevance), string(config.NearestRelevant))
	switch {
	case !e.ExcludeInvalid:
		*d = append(*d, "invalid queries ranked last")
	case e.ExcludeInvalidTruths:
		*d = append(*d, "queries with an invalid ground truth excluded")
	}
	switch {
	case e.ExcludeBeyondPx == 0:
		*d = append(*d, "queries beyond 2000 px included")
	case e.ExcludeBeyondPx != 2000:
		*d = append(*d, fmt.Sprintf("queries beyond %g px excluded (not 2000 px)", e.ExcludeBeyondPx))
	}
}

// scenes compares the scenes of the run with those behind the published results.
func (d *differences) scenes(near protocol, scenes []string) {
	genuine, shared := 0, 0
	for _, s := range scenes {
		if dataset.IsHPatches(s) {
			genuine++
		}
		if slices.Contains(near.scenes, s) {
			shared++
		}
	}
	switch {
	case shared < len(near.scenes):
		*d = append(*d, fmt.Sprintf("%s (not %d)", plural(shared), len(near.scenes)))
	case genuine > shared:
		*d = append(*d, fmt.Sprintf("%s (not %d)", plural(genuine), len(near.scenes)))
	}
	if foreign := len(scenes) - genuine; foreign > 0 {
		*d = append(*d, fmt.Sprintf("%s left out here, not of HPatches", plural(foreign)))
	}
}

func plural(scenes int) string {
	if scenes == 1 {
		return "1 scene"
	}
	return fmt.Sprintf("%d scenes", scenes)
}

func publishedScales(s []float64) bool {
	return slices.Equal(s, []float64{1, 1.5, 2}) || slices.Equal(s, []float64{.85, 1, 1.3})
}

func detectorType(root *config.KeypointSet) string {
	if root.Detect == nil {
		return ""
	}
	return root.Detect.Type
}

// detectorOf describes the detector at the root of a chain of sets, with the
// parameters that are not OpenCV's defaults.
func detectorOf(root *config.KeypointSet) string {
	if root.Detect == nil {
		return "another source"
	}
	known, _ := keypoints.FindDetector(root.Detect.Type)
	defaults := keypoints.Defaults(known.Params)
	text := root.Detect.Type
	for _, name := range slices.Sorted(maps.Keys(defaults)) {
		ours := root.Detect.Params[name]
		// SURF's threshold has no agreed default.
		if ours != defaults[name] || name == "hessian_threshold" {
			text += fmt.Sprintf(", %s %v", name, ours)
		}
	}
	return text
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
		if r := s.Random; r != nil && r.Total > 0 {
			add("random %d in total, seed %d", r.Total, r.Seed)
		} else if r != nil {
			add("random %d per image, seed %d", r.PerImage, r.Seed)
		}
		if s.Spatial != nil {
			add("spatial, %g px apart", s.Spatial.MinDistancePx)
		}
		if s.Top != nil && s.Top.Total > 0 {
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

func kindsOf(steps []string) []string {
	kinds := make([]string, len(steps))
	for i, s := range steps {
		kinds[i] = stepKind(s)
	}
	return kinds
}

// stepKind returns the first word of a step, which names its kind.
func stepKind(step string) string {
	kind, _, _ := strings.Cut(step, " ")
	return kind
}
