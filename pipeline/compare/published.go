package compare

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"descbench/configs"
	"descbench/eval/catalogue"
	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/fold"
	"descbench/pipeline/report"
	"descbench/pipeline/store"
)

// PublishedSource names the source of the published results.
const PublishedSource = "F-Sossi/DescriptorWorkbench"

// A protocol is one of PublishedSource's keypoint sets with results on it: the PublishedRows of
// its config in configs.Workbench. Their methods are descriptors of the config, their sources the
// names there.
type protocol struct {
	name   string
	file   string   // of the config, without .yaml
	scenes []string // behind the results
	config *config.Config
}

var published = sync.OnceValue(func() []protocol {
	list := []protocol{
		{"sift_8000", "workbench_sift_8000", dataset.HPatchesNames(), nil},
		{"scale_matched_6px", "workbench_scale_matched", dataset.HPatchesNames(), nil},
		{"SIFT∩SURF, 6 px", "workbench_intersection", dataset.HPatchesNames(), nil},
		{"projected", "workbench_projected", []string{"i_autannes", "i_contruction", "i_dome", "i_greentea",
			"i_londonbridge", "i_porta", "v_beyus", "v_charing", "v_churchill", "v_vitro", "v_wall", "v_yard"}, nil},
	}
	for i, p := range list {
		text, err := configs.Workbench.ReadFile(p.file + ".yaml")
		if err == nil {
			list[i].config, err = config.Parse(p.file, text)
		}
		if err != nil {
			panic(err) // it is part of the program
		}
	}
	return list
})

// pooledAs are the domain sizes of the published results with pooling: the source
// names both lists, and not which of them it used.
var pooledAs = [][]float64{{.85, 1, 1.3}, {1, 1.5, 2}}

// Published compares the descriptors of a run with published results. A result
// stands beside a descriptor with the same detector, descriptor and parameters; all
// other differences of the two set-ups are named. It returns nothing for a run without
// HPatches scenes.
func Published(r *fold.Run) ([]report.Published, error) {
	env, err := r.RunFolder().ReadEnvironment()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if env.SURF == "" {
		env.SURF = "unknown"
	}
	return beside(r.Config, r.Summary, env.SURF), nil
}

// beside is Published for a run with the named SURF implementation.
func beside(cfg *config.Config, summary *store.Summary, surf string) (out []report.Published) {
	for _, d := range cfg.Descriptors {
		at := slices.IndexFunc(summary.Descriptors, func(s store.SummaryDescriptor) bool { return s.Name == d.Name })
		if at < 0 {
			continue
		}
		scenes := summary.Descriptors[at].Scenes
		if p, found := foreseen(cfg, d, slices.Sorted(maps.Keys(scenes)), surf); found {
			p.Measured, p.Scenes = hpatchesFigures(scenes)
			out = append(out, p)
		}
	}
	return out
}

// Foresee names how a run of these scenes will deviate from the published results that Published
// puts beside its descriptors, without what only the run can tell.
func Foresee(cfg *config.Config, scenes []string) (out []report.Published) {
	for _, d := range cfg.Descriptors {
		if p, found := foreseen(cfg, d, scenes, ""); found {
			out = append(out, p)
		}
	}
	return out
}

// foreseen returns the published result that stands beside a descriptor on these scenes, if there is one, with the
// deviations of its set-up, and those that make another method. surf is the SURF implementation, "" before a run.
func foreseen(cfg *config.Config, d config.Descriptor, scenes []string, surf string) (p report.Published, found bool) {
	near, found := nearestPublished(cfg, d)
	if !found || d.Fusion != nil || d.Matches != nil || ofHPatches(scenes) == 0 {
		return p, false
	}
	p = report.Published{Descriptor: d.Name, Shown: cfg.Shown(d), Name: fmt.Sprintf("%s, %s", near.row.Source, near.protocol.name), Published: near.row.Metrics, PublishedScenes: len(near.protocol.scenes)}
	var list differences
	for _, x := range near.differences {
		if another(x) {
			p.Another = append(p.Another, x.Deviation())
		}
		list = append(list, x.Deviation())
	}
	if surf != "" && cfg.Setup(d).Uses("surf") {
		list.add("SURF implementation", surf, "OpenCV's")
	}
	if slices.ContainsFunc(cfg.Graph().Chain(d.Keypoints), (*config.KeypointSet).TakesTotal) { // of all scenes
		list.add("scenes behind top in total", strconv.Itoa(len(scenes)), strconv.Itoa(dataset.HPatchesScenes))
	}
	list.scenes(near.protocol, scenes)
	p.Deviations = list
	return p, true
}

// A candidate is a published result and how a set-up differs from its own.
type candidate struct {
	protocol    protocol
	row         report.PublishedRow
	differences []config.Change
}

// nearestPublished returns the published result of the same kind of descriptor whose
// set-up is the nearest one: of the same detector and descriptor if there is one, and
// then with the fewest differences.
func nearestPublished(cfg *config.Config, d config.Descriptor) (near candidate, found bool) {
	ours := cfg.Setup(d)
	for _, p := range published() {
		for _, r := range PublishedRows(p.file, scope.All) {
			their := *p.config.Named(r.Method)
			if d.Type != their.Type || d.Root != their.Root || (d.Pooling == nil) != (their.Pooling == nil) {
				continue
			}
			if d.Pooling != nil && slices.ContainsFunc(pooledAs, func(s []float64) bool { return slices.Equal(s, d.Pooling.Scales) }) {
				pooling := *their.Pooling
				pooling.Scales = d.Pooling.Scales
				their.Pooling = &pooling
			}
			c := candidate{p, r, judged(ours.DifferencesFrom(p.config.Setup(their)))}
			if !found || c.rank() < near.rank() {
				near, found = c, true
			}
		}
	}
	return near, found
}

// rank is lower for a nearer candidate: first one of the same method, then one with the
// same steps, then one with few differences.
func (c candidate) rank() int {
	n := len(c.differences)
	for _, d := range c.differences {
		if another(d) {
			n += 10000
		}
		if !strings.Contains(d.Key, ".") { // a whole step
			n += 100
		}
	}
	return n
}

// judged returns the differences that the published metrics can depend on.
func judged(all []config.Change) []config.Change {
	passed := unjudged(catalogue.Of(catalogue.MicroMAP))
	if slices.ContainsFunc(all, func(d config.Change) bool { return d.Key == "evaluation.exclude_invalid" }) {
		passed = append(passed, "exclude_invalid_truths") // has an effect in one of the two only
	}
	return slices.DeleteFunc(all, func(d config.Change) bool {
		return slices.ContainsFunc(passed, func(key string) bool { return within(d.Key, "evaluation."+key) })
	})
}

// another reports whether a difference makes another method of it: another detector,
// other parameters of the detector or the descriptor, or keypoints that are, or are
// not, projected or paired. The pyramid is how OpenCV is called for the same
// descriptor.
func another(d config.Change) bool {
	for _, side := range []string{"", config.OtherSide} {
		if within(d.Key, side+"detect") || within(d.Key, side+"import") || d.Key == side+"project" || d.Key == side+"intersect" {
			return true
		}
	}
	return within(d.Key, config.DescriptorPart) && d.Key != config.DescriptorPart+".pyramid"
}

// hpatchesFigures returns the metrics over the HPatches scenes and the number of
// these scenes.
func hpatchesFigures(scenes map[string]store.SummaryScene) (map[string]float64, int) {
	sums, weights := make(map[string]float64), make(map[string]float64)
	add := func(metric string, v, weight float64) { sums[metric] += v * weight; weights[metric] += weight }
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
		add(catalogue.MicroMAP, *s.TrueMAP, float64(s.QueriesProcessed))
		add(catalogue.MAP, *s.TrueMAP, 1)
		if c := scope.Category(name); c != scope.Other {
			add(c+"_map", *s.TrueMAP, 1)
		}
	}
	for metric := range sums {
		sums[metric] /= weights[metric]
	}
	return sums, n
}

// Deviations that are not in a config.
type differences []string

// add adds a deviation if ours is not theirs.
func (d *differences) add(what, ours, theirs string) {
	if ours != theirs {
		*d = append(*d, config.Change{Key: what, Was: ours, Is: theirs}.Deviation())
	}
}

// scenes compares the scenes of the run with those behind the published results.
func (d *differences) scenes(near protocol, scenes []string) {
	const most = 3
	var further, foreign []string
	for _, s := range scenes {
		switch {
		case !dataset.IsHPatches(s):
			foreign = append(foreign, s)
		case !slices.Contains(near.scenes, scope.WithoutGroup(s)):
			further = append(further, s)
		}
	}
	genuine := len(scenes) - len(foreign)
	if genuine-len(further) == len(near.scenes) {
		further = nil
	}
	d.add("scenes", strconv.Itoa(genuine-len(further)), strconv.Itoa(len(near.scenes)))
	if len(further) > 0 {
		*d = append(*d, fmt.Sprintf("%s that the published results do not have: %s", spelling.Count(len(further), "scene"), spelling.Few(further, most)))
	}
	if len(foreign) > 0 {
		*d = append(*d, "left out, not part of HPatches: "+spelling.Few(foreign, most))
	}
}
