// Package plan decides what a run computes: the scenes that the config selects,
// the keypoint sets that its descriptors need, the units of the run folder and
// the share of one process. It also checks whether an existing run folder
// matches the config, the data and the software.
package plan

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"descbench/eval/fact"
	"descbench/eval/scope"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/notes"
)

// A Plan is a config together with the scenes found on disk.
type Plan struct {
	Config *config.Config
	Graph  config.Graph // dependencies between the config's keypoint sets
	Scenes []string     // every requested scene, sorted, including broken ones
	// NotScenes are the folders next to the scenes; Doubts say what the names of the scenes
	// and of their files show: missing files, renamed scenes. Of a plan from Find.
	NotScenes, Doubts []string
	wanted            []string // names of the needed keypoint sets or sides
}

// Find looks up the scenes that the config selects and returns their plan.
func Find(cfg *config.Config) (*Plan, error) {
	found, others, err := Source(cfg.Dataset).Find(cfg.Dataset.Scenes, cfg.Dataset.Subset)
	if err != nil {
		return nil, err
	}
	cameras := slices.ContainsFunc(found, dataset.Ref.HasCameras)
	if err := cfg.FitEstimators(cameras); err != nil {
		return nil, err
	}
	depth := slices.ContainsFunc(found, dataset.Ref.HasDepth)
	cfg.Dataset.DepthTolerance = map[bool]float64{true: cmp.Or(cfg.Dataset.DepthTolerance, dataset.DefaultDepthTolerance)}[depth]
	if keys := cfg.NeedsPlaces(); keys != nil && cameras && !depth {
		return nil, Faultf("%s: the scenes have cameras without depth, which do not say where a point lies in another image, as %s needs", cfg.Dataset.Root, strings.Join(keys, ", "))
	}
	scenes, doubts := make([]string, len(found)), []string(nil)
	for i, s := range found {
		scenes[i] = s.Name
		if fault := cmp.Or(s.Fault, s.CheckHomographies()); fault != nil {
			doubts = append(doubts, fault.Error()+"; a run excludes this scene from all metrics")
		} else {
			doubts = append(doubts, notes.Texts(s.Facts)...)
		}
		if err := scope.CheckSceneName(s.Name); err != nil {
			return nil, Faultf("%s: %w; rename the folder", cfg.Dataset.Root, err)
		}
	}
	p, err := New(cfg, scenes)
	if err == nil {
		p.NotScenes, p.Doubts = others, doubts
	}
	return p, err
}

// New returns the plan for the given scenes. sets names keypoint sets, or sides,
// that are needed in addition to those of the config's descriptors.
func New(cfg *config.Config, scenes []string, sets ...string) (*Plan, error) {
	if len(scenes) == 0 {
		return nil, Faultf("%s: no scenes selected", cfg.Dataset.Root)
	}
	p := &Plan{Config: cfg, Graph: cfg.Graph(), Scenes: scenes, wanted: slices.Clone(sets)}
	for _, d := range cfg.Descriptors {
		if d.Fusion == nil && d.Keypoints != "" { // which matches of points lack
			p.wanted = append(p.wanted, d.Keypoints)
		}
	}
	return p, nil
}

// strays tells which folders of the data set are neither scenes nor hold files of the run, unless the
// config names its scenes.
func (p *Plan) strays(cache string) []fact.Fact {
	cfg := p.Config
	if len(cfg.Dataset.Scenes) > 0 {
		return nil
	}
	cache, _ = filepath.Abs(cache) // fails without a current folder only
	paths := []string{cfg.Output.Root, cfg.Output.Database, cache}
	for _, set := range cfg.KeypointSets {
		if set.Import != nil {
			paths = append(paths, set.Import.Path)
		}
	}
	for _, d := range cfg.Descriptors {
		if d.Matches != nil {
			paths = append(paths, d.Matches.Path)
		}
	}
	const slash = string(filepath.Separator)
	strays := slices.DeleteFunc(slices.Clone(p.NotScenes), func(name string) bool {
		folder := filepath.Join(cfg.Dataset.Root, name) + slash
		return slices.ContainsFunc(paths, func(path string) bool {
			return strings.HasPrefix(strings.Replace(path, "{root}", cfg.Dataset.Root, 1)+slash, folder)
		})
	})
	if len(strays) == 0 {
		return nil
	}
	return []fact.Fact{fact.New(fact.NotScenes).Naming("folders", strays...)}
}

// Where returns the scenes for which is returns true.
func (p *Plan) Where(is func(scene string) bool) []string {
	var scenes []string
	for _, name := range p.Scenes {
		if is(name) {
			scenes = append(scenes, name)
		}
	}
	return scenes
}

// Folder returns the run folder that the plan writes to.
func (p *Plan) Folder() Folder {
	return Folder(filepath.Join(p.Config.Output.Root, filepath.FromSlash(p.Config.Experiment.Name)))
}

// Conflict returns an error if the plan's folder is in a run, or is one that was started
// with a different setup, in which a run cannot resume.
func (p *Plan) Conflict() error {
	if err := p.inRun(); err != nil {
		return err
	}
	f := p.Folder()
	if !f.IsRun() {
		return nil
	}
	now, err := EnvironmentOf(p.Config, "")
	if err != nil {
		return err
	}
	return f.check(p, now, Shard{})
}

// Units returns the number of units of evaluation: scenes × descriptors.
func (p *Plan) Units() int { return len(p.Scenes) * len(p.Config.Descriptors) }

// UnitsDone returns the number of units that already exist in the run folder.
func (p *Plan) UnitsDone() (n int) {
	u, err := p.Folder().Units(p)
	if err != nil {
		return 0 // no run yet, or one that its commands report
	}
	for _, d := range p.Config.Descriptors {
		n += len(p.Where(func(scene string) bool { return u.Has(u.Eval(d.Name), scene) }))
	}
	return n
}

// Totals returns the sets whose selection over all scenes comes at the given
// depth: depth 1 needs no other such selection, depth 2 needs those of depth 1,
// and so on. It considers the needed sets and their ancestors.
func (p *Plan) Totals(depth int) []*config.KeypointSet {
	wanted := make(map[*config.KeypointSet]bool)
	for _, name := range p.wanted {
		set, _ := p.Graph.Find(name)
		for _, s := range p.Graph.Ancestors(set) {
			wanted[s] = true
		}
	}
	var out []*config.KeypointSet
	for i := range p.Config.KeypointSets {
		set := &p.Config.KeypointSets[i]
		if wanted[set] && set.TakesTotal() && p.Graph.Depth(set) == depth {
			out = append(out, set)
		}
	}
	return out
}

// Parts returns the descriptors that a fusion combines, or another descriptor itself.
func (p *Plan) Parts(d config.Descriptor) []config.Descriptor {
	if d.Fusion == nil {
		return []config.Descriptor{d}
	}
	parts := make([]config.Descriptor, len(d.Fusion.Of))
	for i, name := range d.Fusion.Of {
		parts[i] = *p.Config.Named(name)
	}
	return parts
}
