package pipeline

import (
	"fmt"
	"path/filepath"

	"descbench/eval/scope"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
)

// images is the number of images of a scene: the reference and five targets.
const images = scope.Images

// A Plan is what a config asks for, found on the disk.
type Plan struct {
	Config *config.Config
	Scenes []string // every scene asked for, sorted, broken ones included
	sets   map[string]*config.KeypointSet
}

// NewPlan finds the scenes that the config asks for.
func NewPlan(cfg *config.Config) (*Plan, error) {
	found, err := dataset.Find(cfg.Dataset.Root, cfg.Dataset.Scenes, cfg.Dataset.Subset)
	if err != nil {
		return nil, err
	}
	scenes := make([]string, len(found))
	for i, s := range found {
		scenes[i] = s.Name
	}
	return newPlan(cfg, scenes)
}

func newPlan(cfg *config.Config, scenes []string) (*Plan, error) {
	if len(scenes) == 0 {
		return nil, dataErrorf("%s: no scene to work on", cfg.Dataset.Root)
	}
	p := &Plan{Config: cfg, Scenes: scenes, sets: make(map[string]*config.KeypointSet)}
	for i := range cfg.KeypointSets {
		p.sets[cfg.KeypointSets[i].Name] = &cfg.KeypointSets[i]
	}
	for _, d := range cfg.Descriptors {
		if set, _ := p.resolve(d.Keypoints); set == nil && d.Fusion == nil {
			return nil, fmt.Errorf("descriptor %s: no keypoint set %q", d.Name, d.Keypoints)
		}
	}
	return p, nil
}

// rootOf returns the set at the start of the chain behind the name of a set or
// of a side.
func (p *Plan) rootOf(name string) *config.KeypointSet {
	set, side := p.resolve(name)
	if from := parents(set); len(from) > 0 {
		return p.rootOf(from[min(side, len(from)-1)])
	}
	return set
}

// share returns the scenes of a shard.
func (p *Plan) share(s Shard) []string {
	var scenes []string
	for i, name := range p.Scenes {
		if s.Has(i) {
			scenes = append(scenes, name)
		}
	}
	return scenes
}

// Folder returns the run folder that the plan writes to.
func (p *Plan) Folder() string { return p.folder().path }

func (p *Plan) folder() folder {
	return folder{filepath.Join(p.Config.Output.Root, filepath.FromSlash(p.Config.Experiment.Name))}
}

// Conflict returns why a run could not go on in the plan's folder: it was begun
// with another setup, or is no run folder; nil if it could.
func (p *Plan) Conflict() error {
	f := p.folder()
	if !f.isRun() {
		return nil
	}
	return f.check(p, Options{})
}

// Units returns the number of units of evaluation: scenes × descriptors.
func (p *Plan) Units() int { return len(p.Scenes) * len(p.Config.Descriptors) }

// UnitsDone counts the units that the run folder has already.
func (p *Plan) UnitsDone() int {
	f, n := p.folder(), 0
	for _, scene := range p.Scenes {
		for _, d := range p.Config.Descriptors {
			if !missing(f.eval(d.Name, scene)) {
				n++
			}
		}
	}
	return n
}
